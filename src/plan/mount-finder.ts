import type { Policy } from '../policy/policy.ts';
import { namedPrograms } from '../policy/programs/programs.ts';
import { isWithin } from './anchors.ts';
import type { HostFacts, ProgramFact } from './facts.ts';
import type { MaskMount, Mount } from './mount.ts';
import type { DeniedProgram } from './types.ts';

/**
 * Returns a function that finds the mount that shows a path in the box. Symlinks of the path must be resolved. The
 * deepest mount around it wins. If two have the same target, the later one wins, because it covers the other. To look
 * below masks, leave them out of `mounts`.
 */
export function mountFinder(mounts: readonly Mount[]): (path: string) => Mount | undefined {
  const deepestFirst = mounts
    .filter(({ kind }) => kind !== 'symlink')
    .toReversed()
    .toSorted((a, b) => b.target.length - a.target.length);
  return (path) => deepestFirst.find(({ target }) => isWithin(path, target));
}

/**
 * Returns the programs that a policy denies for all arguments. If no other program needs the file, the box sees an
 * empty one in its place, which no name, link or loader can bypass. A file that serves other programs too (busybox)
 * stays visible, and only the supervisor denies its execution under that name.
 */
export function planPrograms(policy: Policy, facts: HostFacts, mounts: readonly Mount[]): readonly DeniedProgram[] {
  const denied = namedPrograms(policy)?.denied ?? nobody;
  const shows = mountFinder(mounts);
  return facts.programs.flatMap((fact): readonly DeniedProgram[] => {
    if (!denied.has(fact.program)) return [];
    const place = shows(fact.real);
    if (place === undefined || place.kind === 'mask' || place.kind === 'directory' || place.kind === 'tmpfs') return [];
    const others = othersOf(fact, denied);
    // A file that the box may write can become another program at any time.
    const held = place.kind === 'bind' && place.access === 'read-only' && others.length === 0 ? 'mask' : 'notification';
    return [{ program: fact.program, path: fact.real, identity: fact.identity, held, sharedWith: others }];
  });
}

const nobody: ReadonlySet<string> = new Set();

/** Masks the real file of each program, and its other names with the same inode. */
export function programMasks(programs: readonly DeniedProgram[], facts: HostFacts): readonly MaskMount[] {
  const masked = new Set(programs.flatMap(({ held, path }) => (held === 'mask' ? [path] : [])));
  const targets = new Set(
    facts.programs.flatMap(({ real, hardLinks }) => (masked.has(real) ? [real, ...hardLinks] : [])),
  );
  return [...targets].sort().map((target) => ({ kind: 'mask', target, type: 'file' }));
}

/** Other programs that are the same file. `python3.11` counts as the same program as `python3`. */
function othersOf({ program, real, names }: ProgramFact, denied: ReadonlySet<string>): readonly string[] {
  const name = baseName(program);
  // A policy that names the file itself means all of its names.
  if (baseName(real) === name || real === program) return [];
  return names.filter(
    (other) =>
      !denied.has(baseName(other)) &&
      !denied.has(other) &&
      !isVariant(baseName(other), name) &&
      !isVariant(name, baseName(other)),
  );
}

/** For example `git-upload-pack` of `git`, or `x86_64-linux-gnu-gcc-12` of `gcc`. */
function isVariant(long: string, short: string): boolean {
  const at = long.indexOf(short);
  if (at < 0) return false;
  const [before, after] = [long[at - 1] ?? '-', long[at + short.length] ?? '-'];
  return /[-._]/u.test(before) && /[-._\d]/u.test(after);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
