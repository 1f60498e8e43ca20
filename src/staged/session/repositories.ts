/**
 * Directories that git obeys without a protected name. A `.git` that is a file or a link leads to one. A directory with
 * `HEAD`, `objects` and `refs` is one itself.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { judgeAppeared } from '../../aftermath/quarantine/judge.ts';
import type { JudgedName } from '../changes/judge.ts';
import { isWhiteout, readAttributes } from '../changes/overlay-marks.ts';
import type { StagedChange, StagedLayer } from '../types.ts';

interface RepositoryPlaces {
  readonly roots: readonly string[];
  readonly gitDirectories: readonly string[];
  readonly isPlain: (path: string) => boolean;
  readonly layer: StagedLayer;
}

/** Returns why git would obey a name of its own too far, or undefined. */
export function repositoryRefusal(name: JudgedName, places: RepositoryPlaces): StagedChange['refusal'] {
  const reason = reasonAgainst(name, places);
  return reason === undefined ? undefined : { rule: 'repository', reason };
}

function reasonAgainst({ path, operation, staged }: JudgedName, places: RepositoryPlaces): string | undefined {
  if (operation === 'delete') return undefined;
  const name = basename(path);
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

/** The policy protects its names there. */
const inDotGit = /\/\.git(?:\/|$)/iu;
const obeyed: ReadonlySet<string> = new Set(['config', 'config.worktree', 'commondir', 'hooks']);
const making: ReadonlySet<string> = new Set(['HEAD', 'objects', 'refs']);

type Find = (path: string) => string | undefined;

function isRepository(directory: string, find: Find): boolean {
  const has = (name: string): boolean => find(join(directory, name)) !== undefined;
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')));
}

/** Attack: an earlier accept has brought the configuration, when the directory was no repository. */
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

/** The user's own, whose time or mode has changed. */
function isSame(entry: Buffer, path: string): boolean {
  try {
    const [staged, own] = [lstatSync(entry), lstatSync(path)];
    if (!staged.isFile() || !own.isFile() || staged.size !== own.size || own.size > largest) return false;
    return readFileSync(entry).equals(readFileSync(path));
  } catch {
    return false;
  }
}

const largest = 1 << 20;

const onHost: Find = (path) => (lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : path);

/** Returns where an entry is that a box sees at a path: in the layer or on the host. What a link would lead to is not there. */
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
export function isPlainInLayer(layer: StagedLayer, path: string): boolean {
  const root = layer.roots.find((candidate) => path === candidate.root || path.startsWith(`${candidate.root}/`));
  if (root === undefined) return false;
  const components = path.slice(root.root.length).split('/').filter(Boolean);
  return components.every((_, index) => {
    const found = inLayer(layer, join(root.root, ...components.slice(0, index + 1)));
    const stats = found === undefined ? undefined : lstatSync(found);
    return stats !== undefined && !stats.isSymbolicLink() && (index === components.length - 1 || stats.isDirectory());
  });
}
