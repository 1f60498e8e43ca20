import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { dangerousSetting } from './git-config.ts';

export type Judgement = { readonly kind: 'harmless' } | { readonly kind: 'refused'; readonly reason: string };

const harmless: Judgement = { kind: 'harmless' };
const largest = 1 << 20;

/**
 * Whether a protected name that appeared during a session is what git itself makes and can run nothing. `git init`,
 * `clone` and `worktree add` keep working in the box; everything else that appeared under such a name is refused.
 */
export function judgeAppeared(path: string, roots: readonly string[]): Judgement {
  const name = basename(path);
  const judge = judges[name];
  if (judge === undefined) return { kind: 'refused', reason: `${name} may run or redirect something outside the box` };
  try {
    return judge(path, roots);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return harmless;
    throw error;
  }
}

const judges: Readonly<Record<string, (path: string, roots: readonly string[]) => Judgement>> = {
  hooks: judgeHooks,
  config: judgeConfig,
  'config.worktree': judgeConfig,
  commondir: (path) => (readSmall(path)?.trim() === '../..' ? harmless : refused('it makes git use another repository')),
  gitdir: (path, roots) => judgePointer(readSmall(path) ?? '', path, roots),
  '.git': judgeDotGit,
};

function refused(reason: string): Judgement {
  return { kind: 'refused', reason };
}

function judgeHooks(path: string): Judgement {
  if (!lstatSync(path).isDirectory()) return refused('git would run hooks from where it points');
  const active = readdirSync(path, { withFileTypes: true }).find((entry) => !entry.isFile() || !entry.name.endsWith('.sample'));
  return active === undefined ? harmless : refused(`git would run the hook ${active.name}`);
}

function judgeConfig(path: string): Judgement {
  const text = readSmall(path);
  if (text === undefined) return refused('it is no regular file of reasonable size');
  const setting = dangerousSetting(text);
  return setting === undefined ? harmless : refused(`it sets ${setting}`);
}

/** A `.git` directory is judged by what lies in it; a `.git` file must point to a git directory of a writable root. */
function judgeDotGit(path: string, roots: readonly string[]): Judgement {
  if (lstatSync(path).isDirectory()) return harmless;
  const target = /^gitdir: ([^\n]+)\n?$/u.exec(readSmall(path) ?? '')?.[1];
  return target === undefined ? refused('it is no pointer that git writes') : judgePointer(resolve(dirname(path), target), path, roots);
}

function judgePointer(text: string, path: string, roots: readonly string[]): Judgement {
  const target = resolve(dirname(path), text.trim());
  const inside = roots.some((root) => target === root || target.startsWith(join(root, '/')));
  const plausible = /(?:^|\/)\.git(?:\/(?:worktrees|modules)\/[^\n]+)?$/u.test(target);
  return inside && plausible ? harmless : refused(`it points to ${target}`);
}

function readSmall(path: string): string | undefined {
  const stats = lstatSync(path);
  return stats.isFile() && stats.size <= largest ? readFileSync(path, 'utf8') : undefined;
}
