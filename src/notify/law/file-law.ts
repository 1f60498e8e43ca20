import type { Mount } from '../../plan/mount.ts';
import type { ProtectedName, Protection } from '../../plan/types.ts';
import { fileAnchors } from '../../policy/anchors.ts';
import { decide } from '../../policy/decide.ts';
import type { Policy } from '../../policy/policy.ts';
import type { FileAccess } from '../../policy/request.ts';
import { newProtectedOf } from '../../policy/settings/switches.ts';
import type { VerdictCode } from '../../policy/verdict.ts';
import { outOfReach } from '../judge/rule-reach.ts';
import { fromReadable, readable } from '../view/byte-text.ts';
import { type HeldAs, heldPaths, nameFinder, type ProtectedMatch } from './match-names.ts';
import { type ShownPlace, shownPlaces } from './shown-places.ts';

/**
 * `absent`: the box has nothing there. `hidden`: no reads, no writes. `fixed`: reads only. `pinned`: writes, but no
 * moves.
 */
export type RefusedAs = 'absent' | 'hidden' | 'fixed' | 'pinned';

export type Ruling =
  | { readonly kind: 'granted' }
  | { readonly kind: 'refused'; readonly how: RefusedAs }
  | Exclude<ShownPlace, { readonly kind: 'nothing' | 'host' | 'masked' }>;

/** Decides accesses where no mounts do. The rulings are the same as those of mounts, names and lists. */
export interface FileLaw {
  /** Rules on a real path, as bytes in latin1. `move` also covers removing a directory. */
  rule(operation: FileAccess | 'move', path: string): Ruling;
  /** Whether a name of the plan concerns the path or its possible contents. If so, it matters who created the path. */
  isMarked(path: string): boolean;
}

/** The facts about the host on which a ruling depends. */
export interface HostGround {
  /** Whether the path is `absent`, was made by the host or was made by the box. */
  origin(path: string): 'absent' | 'host' | 'box';
  isGitDirectory(path: string): boolean;
  /** Whether a path is in a repository that this box created, in an empty directory. */
  isInNewRepository(path: string): boolean;
}

export interface FileLawOptions {
  readonly policy: Policy;
  readonly mounts: readonly Mount[];
  readonly protection: Protection;
  readonly ground: HostGround;
  /** Default: nothing. */
  readonly found?: readonly { readonly path: string; readonly how: HeldAs }[];
}

const granted: Ruling = { kind: 'granted' };
const refused = (how: RefusedAs): Ruling => ({ kind: 'refused', how });

export function fileLaw({ policy, mounts, protection, ground, found = [] }: FileLawOptions): FileLaw {
  const shown = shownPlaces(mounts);
  const names = namesLaw(protection, ground, newProtectedOf(policy) === 'refuse');
  const held = heldPaths(found);
  const listed = listedPaths(policy);
  const isFar = outOfReach(policy);
  const byPolicy = (operation: FileAccess, path: string): RefusedAs | undefined => {
    if (isFar(path) && !listed.covers(path)) return undefined;
    const { decision, code } = decide(policy, { kind: 'file', operation, path: readable(path) });
    return decision === 'deny' && !leftToPlaces.has(code) && !names.isReleased(path)
      ? operation === 'read'
        ? 'hidden'
        : 'fixed'
      : undefined;
  };
  return {
    isMarked: (path) => names.matches(path).some(({ end }) => end === path.length),
    rule(operation, path) {
      const place = shown.at(path);
      if (place.kind === 'nothing') return refused('absent');
      if (place.kind === 'masked') return refused('hidden');
      if (place.kind !== 'host') return place;
      const how =
        heldThere(held.at(path), operation) ??
        names.refuses(operation, path) ??
        (operation === 'move' ? undefined : byPolicy(operation, path));
      if (how !== undefined) return refused(how);
      if (operation !== 'read' && operation !== 'execute' && place.access === 'read-only') return refused('fixed');
      return operation === 'move' && (shown.holds(path) || held.below(path) || listed.holds(path) || names.holds(path))
        ? refused('pinned')
        : granted;
    },
  };
}

function heldThere(held: HeldAs | undefined, operation: FileAccess | 'move'): RefusedAs | undefined {
  return held === 'fixed' && (operation === 'read' || operation === 'execute') ? undefined : held;
}

/** Places decide grants, and names decide protection. The plan already contains these parts of the policy. */
const leftToPlaces: ReadonlySet<VerdictCode> = new Set<VerdictCode>([
  'not-granted',
  'outside-ceiling',
  'protected-path',
  'hidden-file',
]);

interface NamesLaw {
  matches(path: string): readonly ProtectedMatch[];
  refuses(operation: FileAccess | 'move', path: string): RefusedAs | undefined;
  isReleased(path: string): boolean;
  /** Whether the path, or a path below it, has a name that is protected by its full path. */
  holds(path: string): boolean;
}

function namesLaw(protection: Protection, ground: HostGround, refusesNew: boolean): NamesLaw {
  const roots = [...protection.roots, ...protection.shownRoots]
    .map(fromReadable)
    .toSorted((a, b) => b.length - a.length);
  const shownRoots = new Set(protection.shownRoots.map(fromReadable));
  const released = new Set(protection.released.map(fromReadable));
  const approved = new Set((protection.approved ?? []).map(fromReadable));
  const guarded = protection.guarded.map(fromReadable);
  const withholding = (protection.withholding ?? []).map(fromReadable);
  const gitDirectories = new Set(protection.gitDirectories.map(fromReadable));
  const finder = nameFinder(protection.names);
  const isGit = (path: string): boolean => gitDirectories.has(path) || ground.isGitDirectory(path);
  const rootOf = (path: string): string | undefined => roots.find((root) => isWithin(path, root));
  const matches = (path: string): readonly ProtectedMatch[] => {
    const root = rootOf(path);
    return root === undefined ? [] : finder.find(path, root, isGit);
  };
  const effectOf = (match: ProtectedMatch, path: string, operation: FileAccess | 'move'): RefusedAs | undefined => {
    const at = path.slice(0, match.end);
    const { effect } = match.name;
    // Those that hold a secret are among the found paths, because the launcher has looked at their content.
    if (effect === 'suspect' || released.has(at) || (effect !== 'hidden' && shownRoots.has(rootOf(path) ?? '')))
      return undefined;
    if (effect === 'withheld')
      return withholding.some((root) => begins(at, root)) && !approved.has(at) && ground.origin(at) === 'host'
        ? 'hidden'
        : undefined;
    const origin = ground.origin(at);
    if (origin === 'absent' && operation !== 'create') return 'absent';
    if (operation === 'create' && refusesNew && isPlantedHook(match, path)) return 'fixed';
    if (
      origin === 'absent' &&
      (!refusesNew || (isGits(match.name) ? mayBeGits(match.name, at) : ground.isInNewRepository(path)))
    )
      return undefined;
    if (origin === 'box') return undefined;
    if (effect !== 'pinned') return effect === 'hidden' ? 'hidden' : 'fixed';
    return match.end === path.length ? 'pinned' : undefined;
  };
  return {
    matches,
    isReleased: (path) => released.has(path),
    holds: (path) =>
      guarded.some((each) => isWithin(each, path)) ||
      matches(path).some(
        ({ extent, end }) => extent === 'part' && end === path.length && ground.origin(path) === 'host',
      ),
    refuses(operation, path) {
      const isReading = operation === 'read' || operation === 'execute';
      const effects = matches(path).flatMap((match) =>
        match.extent === 'whole' ? (effectOf(match, path, operation) ?? []) : [],
      );
      for (const how of ['hidden', 'absent'] as const) if (effects.includes(how)) return how;
      if (isReading) return undefined;
      if (effects.includes('fixed') || guarded.some((each) => isWithin(path, each))) return 'fixed';
      return effects.includes('pinned')
        ? operation === 'move' || operation === 'delete'
          ? 'pinned'
          : 'fixed'
        : undefined;
    },
  };
}

function isGits({ components }: ProtectedName): boolean {
  return components[0] === '.git';
}

/** Git's own files in a new repository wait for the inspection after the box ends, as in the launcher's guard. */
function mayBeGits({ components }: ProtectedName, path: string): boolean {
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (components.length === 1) return last === '.git';
  return (
    last === 'hooks' ||
    last === 'config' ||
    last === 'config.worktree' ||
    (components.length === 4 && components[1] === 'worktrees' && (last === 'commondir' || last === 'gitdir'))
  );
}

/** `git init` puts only samples into its hooks directory. Any other file there is planted. */
function isPlantedHook({ name, end }: ProtectedMatch, path: string): boolean {
  return (
    isGits(name) &&
    /\/hooks$/iu.test(path.slice(0, end)) &&
    end < path.length &&
    !/^\/[^/]+\.sample$/u.test(path.slice(end))
  );
}

/** Packages and git's refs do not count, as in the launcher's scan. */
function begins(path: string, root: string): boolean {
  if (!isWithin(path, root) || path === root) return false;
  const above = path
    .slice(root === '/' ? 1 : root.length + 1)
    .toLowerCase()
    .split('/')
    .slice(0, -1);
  const git = above.indexOf('.git');
  return (
    !above.includes('node_modules') &&
    !(git >= 0 && above.slice(git + 1).some((word) => word === 'refs' || word === 'logs'))
  );
}

interface ListedPaths {
  covers(path: string): boolean;
  holds(path: string): boolean;
}

/** Paths that lists close, whether they exist or not. Patterns are handled as names. */
function listedPaths(policy: Policy): ListedPaths {
  const bases = new Set(
    fileAnchors(policy).flatMap(({ use, pattern }) =>
      (use === 'deny' || use === 'protect') && pattern.kind === 'subtree'
        ? [fromReadable(pattern.base).toLowerCase()]
        : [],
    ),
  );
  const parents = new Set(
    [...bases].flatMap((base) => base.split('/').map((_, index, words) => words.slice(0, index + 1).join('/'))),
  );
  return {
    holds: (path) => parents.has(path.toLowerCase()),
    covers: (path) => {
      for (let at = path.toLowerCase(); at !== ''; at = at.slice(0, at.lastIndexOf('/')))
        if (bases.has(at)) return true;
      return false;
    },
  };
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || directory === '/' || path.startsWith(`${directory}/`);
}
