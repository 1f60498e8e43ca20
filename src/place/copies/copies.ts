import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RootFile } from '../../plan/mount.ts';
import type { Plan } from '../../plan/types.ts';
import { filesByName } from '../../policy/anchors.ts';
import type { Policy } from '../../policy/policy.ts';
import { holdFiles, stampFile, stampListing, type FileStamp } from '../git-config/stamp.ts';
import { gitDirectoriesBelow, tracePaths } from '../git-config/traces.ts';
import { readText } from '../host/read-text.ts';
import { visibleMounts } from '../place-plan.ts';
import type { Place } from '../place.ts';
import type { ConfigurationCopies, ConfigurationCopy } from '../shown-files.ts';
import { isSecretFile, systemFiles } from './system-files.ts';
import { withoutSecrets } from './without-secrets.ts';

export interface CopiesOptions {
  readonly place: CopiesPlace;
  /** Files that git's own configuration consists of. */
  readonly gitConfigs: readonly string[];
  readonly policy: Policy;
  readonly plan: Pick<Plan, 'mounts' | 'protection'>;
}

type CopiesPlace = Pick<Place, 'home' | 'workspace'>;

/** In the work tree: loaded by tools that log in with them. A copy is read-only. */
const ofWorkTree: readonly string[] = [
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.cargo/config',
  '.cargo/config.toml',
  '.bundle/config',
  '.venv/pip.conf',
  'venv/pip.conf',
  'bunfig.toml',
  'gradle.properties',
  'android/gradle.properties',
  '.gitmodules',
];

/** In the home: shown to every box, because toolchains need them. */
const ofHome: readonly string[] = [
  '.cargo/config',
  '.cargo/config.toml',
  '.cabal/config',
  '.rye/config.toml',
  '.npm-global/etc/npmrc',
];

const mostFiles = 4096;

/** Reads each file of configuration that a box would see, and makes copies of those with secrets. */
export function configurationCopies({ place, gitConfigs, policy, plan }: CopiesOptions): ConfigurationCopies {
  const { root, gitDirectories } = place.workspace;
  const looked = new Map<string, FileStamp>();
  const look = (path: string): string => {
    looked.set(path, stampListing(path));
    return path;
  };
  const asTheyAre = new Set([...filesByName(policy), ...plan.protection.released]);
  const own = [join(root, '.git'), ...gitDirectories];
  const below = gitDirectoriesBelow(own, look);
  const files = [
    ...gitConfigs,
    ...ofWorkTree.map((name) => join(root, name)),
    ...ofHome.map((name) => join(place.home, name)),
    ...systemFiles(place.home, look),
    ...below.flatMap((directory) => [join(directory, 'config'), join(directory, 'config.worktree')]),
  ].filter((path) => !asTheyAre.has(path) && !asTheyAre.has(targetOf(path)));
  const hidden = plan.protection.names.filter(({ effect }) => effect === 'hidden');
  const judged = { ...plan, protection: { ...plan.protection, names: hidden } };
  const found = files.slice(0, mostFiles).flatMap((path) => {
    // It may appear, and the plan is made again then.
    if (!existsSync(path)) look(path);
    else if (isShown(targetOf(path), judged)) {
      if (!looked.has(path)) looked.set(path, stampFile(path));
      return copyOf(path, place);
    }
    return [];
  });
  return { looked: [...looked.values()], traces: tracePaths([...own, ...below]), copies: uniqueCopies(found) };
}

/** The same for a session that lives on: the files as they are now. */
export function freshCopies(
  { looked, copies }: ConfigurationCopies,
  place: CopiesPlace,
): ConfigurationCopies['copies'] {
  return holdFiles(looked) ? copies : uniqueCopies(looked.flatMap(({ path }) => copyOf(path, place)));
}

/** Names are hidden in the roots alone. */
function isShown(target: string, { mounts, protection }: CopiesOptions['plan']): boolean {
  const isSearched = [...protection.roots, ...protection.shownRoots].some((root) => target.startsWith(`${root}/`));
  const names = isSearched ? protection.names : [];
  const plan = { mounts, protection: { ...protection, names } };
  return visibleMounts([{ kind: 'file', target, mode: 0o444, content: '' }], plan).length > 0;
}

/** Mounts are made at real paths. */
function targetOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function copyOf(path: string, place: CopiesPlace): readonly ConfigurationCopy[] {
  const text = readText(path);
  const isWhole = text !== '' && isSecretFile(basename(path)) && !path.startsWith(`${place.workspace.root}/`);
  const found = isWhole
    ? whole
    : text === '' && isFilled(path)
      ? unread
      : withoutSecrets(text, path.endsWith('/.cabal/config') ? '--' : '#');
  if (found === undefined) return [];
  const mount: RootFile = { kind: 'file', target: targetOf(path), mode: 0o444, content: found.text };
  return [{ mount, label: `${shortName(path, place)} (${found.settings.join(', ')})` }];
}

const whole = { text: '', settings: ['all of it'] };

/** Attack: a file that is too long to look through keeps its secrets. The box sees an empty one. */
const unread = { text: '', settings: ['more than 1 MiB, so it is empty'] };

function isFilled(path: string): boolean {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true || stats.size === 0) return false;
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    // Nobody of this user reaches it, and so no box does.
    return false;
  }
}

function shortName(path: string, { home, workspace }: CopiesPlace): string {
  if (path.startsWith(`${workspace.root}/`)) return path.slice(workspace.root.length + 1);
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Two names may lead to one file. */
function uniqueCopies(copies: readonly ConfigurationCopy[]): readonly ConfigurationCopy[] {
  return [...new Map(copies.map((copy) => [copy.mount.target, copy])).values()];
}
