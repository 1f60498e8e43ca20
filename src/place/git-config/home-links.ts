import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toolFiles } from '../../policy/builtin/tool-files.ts';
import type { PathFact } from '../../plan/facts.ts';
import { pathFact } from '../host/path-facts.ts';

/** Directories of settings that exist only in the home, and that name programs. */
const ofHomes: readonly string[] = [
  '.config/alacritty',
  '.config/helix',
  '.config/hypr',
  '.config/i3',
  '.config/kitty',
  '.config/nvim',
  '.config/sway',
  '.config/tmux',
  '.config/wezterm',
  '.config/zellij',
  '.config/zsh',
  '.vim',
  '.zsh',
];
const most = 64;

/** Settings in the home that shells, editors and agents obey. Agents change their own often. */
const settings = [
  ...toolFiles
    .filter(({ kind }) => kind === 'shell' || kind === 'editor' || kind === 'agent')
    .flatMap(({ kind, names }) => names.filter((name) => !/[*?]/u.test(name)).map((name) => ({ name, kind }))),
  ...ofHomes.map((name) => ({ name, kind: 'editor' as const })),
];

export interface HomeLinks {
  /** Absolute paths: settings that a symlink leads to, and settings in a directory of such settings. */
  readonly linked: readonly string[];
  /** The links, and files of shells that may become links. A change of any makes the next plan notice. */
  readonly seen: readonly string[];
  /** Directories in which a setting may become a link. */
  readonly places: readonly string[];
}

/** Returns settings in a home that are symlinks, because dotfiles managers keep their targets in a repository. */
export function homeLinks(home: string): HomeLinks {
  const found = settings.flatMap(({ name, kind }) => {
    const path = join(home, name);
    const fact = pathFact(path);
    return fact.kind === 'present' ? [{ path, kind, fact }] : [];
  });
  const linked = found.flatMap(({ path, fact }) => [
    ...(fact.symlinks.length > 0 ? [path] : []),
    ...(fact.identity.type === 'directory' ? linksIn(path) : []),
  ]);
  const files = found.filter(({ kind, fact }) => kind === 'shell' && fact.identity.type !== 'directory');
  return {
    linked,
    seen: [...new Set([...linked, ...files.map(({ path }) => path)])],
    places: [...new Set([...settings.map(({ name }) => dirname(join(home, name))), ...directoriesOf(found)])],
  };
}

function directoriesOf(found: readonly { readonly path: string; readonly fact: PathFact }[]): readonly string[] {
  return found.flatMap(({ path, fact }) =>
    fact.kind === 'present' && fact.identity.type === 'directory' ? [path] : [],
  );
}

function linksIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .slice(0, most)
      .map(({ name }) => join(directory, name));
  } catch {
    return [];
  }
}
