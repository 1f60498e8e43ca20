import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sameButHarmless } from '../../aftermath/quarantine/git-config.ts';
import { judgeAppeared } from '../../aftermath/quarantine/judge.ts';
import { readPlace } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import { decide } from '../../policy/decide.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Judge, JudgedName } from '../changes/judge.ts';
import { isWhiteout, readAttributes } from '../changes/overlay-marks.ts';
import { plantedCommand } from '../diff/git-summary.ts';
import type { StagedLayer, StagedChange } from '../types.ts';

/** Returns the judge of a layer, by the current policy of its workspace. Grants of the layer's own command count. */
export function judgeOfLayer(layer: StagedLayer, environment: Readonly<Record<string, string | undefined>>): Judge {
  const roots = layer.roots.map(({ root }) => root);
  const place = readPlace({ cwd: layer.workspace, workspace: layer.workspace, grants: { write: roots }, environment });
  const { gitDirectories } = place.workspace;
  return judgeByPolicy(policyOfPlace(place), {
    roots,
    gitDirectories,
    isPlain: (path) => isPlainInLayer(layer, path),
    layer,
  });
}

/** Real paths. */
interface JudgedPlaces {
  readonly roots: readonly string[];
  /** The roots that are git directories, under any name. */
  readonly gitDirectories: readonly string[];
  readonly isPlain: (path: string) => boolean;
  readonly layer: StagedLayer;
}

/** Refuses names that the policy denies, except those that git itself makes and that can run nothing. */
function judgeByPolicy(policy: Policy, places: JudgedPlaces): Judge {
  return (name) => {
    const verdict = decide(policy, { kind: 'file', operation: name.operation, path: name.path });
    if (verdict.decision !== 'deny') return repositoryRefusal(name, places);
    const harmless =
      verdict.code === 'protected-path' && name.staged?.((entry) => isHarmless(name, { entry, places })) === true;
    return harmless ? undefined : { rule: verdict.rule, reason: verdict.message };
  };
}

function isHarmless(
  { path, operation }: JudgedName,
  { entry, places }: { readonly entry: Buffer; readonly places: JudgedPlaces },
): boolean {
  if (isSampleHook(path, entry)) return true;
  if (operation === 'write') return isConfig(path) && sameSettings(path, entry);
  return judgeAppeared({ path: Buffer.from(path), pinned: entry, ...places }).kind === 'harmless';
}

/** Git runs no hook of that name. */
function isSampleHook(path: string, entry: Buffer): boolean {
  return basename(dirname(path)) === 'hooks' && path.endsWith('.sample') && lstatSync(entry).isFile();
}

function isConfig(path: string): boolean {
  return basename(path) === 'config' || basename(path) === 'config.worktree';
}

/** `git config user.name`, `git remote add` and `git branch --track` change only harmless settings. */
function sameSettings(path: string, entry: Buffer): boolean {
  const [before, after] = [readSmall(path), readSmall(entry)];
  return before !== undefined && after !== undefined && sameButHarmless(before, after);
}

const largest = 1 << 20;

function readSmall(path: string | Buffer, encoding: 'utf8' | 'latin1' = 'utf8'): string | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(file);
      return stats.isFile() && stats.size <= largest ? readFileSync(file, encoding) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/**
 * Directories that git obeys without a protected name. A `.git` that is a file or a link leads to one. A directory with
 * `HEAD`, `objects` and `refs` is one itself.
 */
interface RepositoryPlaces {
  readonly roots: readonly string[];
  readonly gitDirectories: readonly string[];
  readonly isPlain: (path: string) => boolean;
  readonly layer: StagedLayer;
}

/** Returns why git would run something because of a name, or undefined. */
function repositoryRefusal(name: JudgedName, places: RepositoryPlaces): StagedChange['refusal'] {
  const reason = reasonAgainst(name, places);
  return reason === undefined ? undefined : { rule: 'repository', reason };
}

function reasonAgainst({ path, operation, staged }: JudgedName, places: RepositoryPlaces): string | undefined {
  if (operation === 'delete') return undefined;
  const name = basename(path);
  if (inRebase.test(path)) return staged?.((entry) => rebaseReason(path, entry));
  if (name.toLowerCase() === '.git') return staged?.((entry) => appearedReason({ path, entry }, places));
  const parent = dirname(path);
  const directory = basename(parent) === 'hooks' ? dirname(parent) : parent;
  if (inDotGit.test(directory) || !isRepository(directory, (entry) => inLayer(places.layer, entry))) return undefined;
  if (directory !== parent)
    return name.endsWith('.sample') ? undefined : `git would run the hook ${name} of ${directory}`;
  if (obeyed.has(name))
    return staged?.((entry) => (isSame(entry, path) ? undefined : appearedReason({ path, entry }, places)));
  return making.has(name) && !isRepository(directory, onHost) ? whatWouldRun(directory, places) : undefined;
}

/** The policy protects names inside `.git`. */
const inDotGit = /\/\.git(?:\/|$)/iu;
const obeyed: ReadonlySet<string> = new Set(['config', 'config.worktree', 'commondir', 'hooks']);
const making: ReadonlySet<string> = new Set(['HEAD', 'objects', 'refs']);

const inRebase = /\/rebase-merge(?:\/git-rebase-todo)?$/iu;

/**
 * Attack: git runs the commands of the list outside, and a person who accepts everything has not seen them. Commands of
 * a list on the host are the person's own.
 */
function rebaseReason(path: string, entry: Buffer): string | undefined {
  if (lstatSync(entry).isDirectory()) return undefined;
  const [own, list] = [path, entry].map((place) => readSmall(place, 'latin1'));
  if (basename(path).toLowerCase() === 'rebase-merge' || list === undefined)
    return 'git would read the commands of a rebase elsewhere';
  const planted = plantedCommand(list, own ?? '');
  return planted === undefined
    ? undefined
    : `git rebase --continue would run: ${Buffer.from(planted, 'latin1').toString()}`;
}

type Find = (path: string) => string | undefined;

function isRepository(directory: string, find: Find): boolean {
  const has = (name: string): boolean => find(join(directory, name)) !== undefined;
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')));
}

/** Attack: an earlier accept brought the configuration, before the directory was a repository. */
function whatWouldRun(directory: string, places: RepositoryPlaces): string | undefined {
  for (const name of obeyed) {
    const path = join(directory, name);
    const found = inLayer(places.layer, path);
    const reason = found === undefined ? undefined : appearedReason({ path, entry: Buffer.from(found) }, places);
    if (reason !== undefined) return `${directory} would be a repository whose ${name} runs: ${reason}`;
  }
  return undefined;
}

function appearedReason(
  { path, entry }: { readonly path: string; readonly entry: Buffer },
  { roots, gitDirectories, isPlain }: RepositoryPlaces,
): string | undefined {
  const isDotGit = basename(path).toLowerCase() === '.git';
  const named = isDotGit ? join(dirname(path), '.git') : path;
  const judgement = judgeAppeared({ path: Buffer.from(named), pinned: entry, roots, gitDirectories, isPlain });
  return judgement.kind === 'refused' ? judgement.reason : undefined;
}

/** The user's own file, with another time or mode. */
function isSame(entry: Buffer, path: string): boolean {
  try {
    const [staged, own] = [lstatSync(entry), lstatSync(path)];
    if (!staged.isFile() || !own.isFile() || staged.size !== own.size || own.size > largest) return false;
    return readFileSync(entry).equals(readFileSync(path));
  } catch {
    return false;
  }
}

const onHost: Find = (path) => (lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : path);

/** Returns the location of a path that a box sees: in the layer or on the host. Does not look at a link's target. */
function inLayer({ roots }: StagedLayer, path: string): string | undefined {
  const root = roots.find((candidate) => path.startsWith(`${candidate.root === '/' ? '' : candidate.root}/`));
  if (root === undefined) return undefined;
  const upper = join(root.upper, path.slice(root.root === '/' ? 0 : root.root.length));
  try {
    const stats = lstatSync(upper, { bigint: true });
    return isWhiteout(stats, readAttributes(Buffer.from(upper))) ? undefined : upper;
  } catch {
    return onHost(path);
  }
}

/** Whether a path exists in a layer, with no symlink on the way. */
function isPlainInLayer(layer: StagedLayer, path: string): boolean {
  const root = layer.roots.find((candidate) => path === candidate.root || path.startsWith(`${candidate.root}/`));
  if (root === undefined) return false;
  const components = path.slice(root.root.length).split('/').filter(Boolean);
  return components.every((_, index) => {
    const found = inLayer(layer, join(root.root, ...components.slice(0, index + 1)));
    const stats = found === undefined ? undefined : lstatSync(found);
    return stats !== undefined && !stats.isSymbolicLink() && (index === components.length - 1 || stats.isDirectory());
  });
}
