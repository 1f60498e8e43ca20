import type { Policy } from '../policy/policy.ts';
import { namedPrograms } from '../policy/programs/programs.ts';
import { isWithin } from './anchors.ts';
import type { HostFacts, ProgramFact } from './facts.ts';
import type { DeniedProgram, MaskMount, Mount } from './types.ts';

/**
 * Returns a function that finds the mount that shows a path in the box. Symlinks of the path must be resolved. The
 * deepest mount around it wins; of two at one place the later one, which covers the other. To look below masks, leave
 * them out of `mounts`.
 */
export function mountFinder(mounts: readonly Mount[]): (path: string) => Mount | undefined {
  const deepestFirst = mounts
    .filter(({ kind }) => kind !== 'symlink')
    .toReversed()
    .toSorted((a, b) => b.target.length - a.target.length);
  return (path) => deepestFirst.find(({ target }) => isWithin(path, target));
}

/**
 * The programs that a policy refuses whatever their arguments are. Where nobody else needs the file, nothing but an
 * empty one is there in the box, so that no name, link or loader reaches it. A file that serves other programs as well
 * (busybox) stays, and only the supervisor refuses its execution under that name.
 */
export function planPrograms(policy: Policy, facts: HostFacts, mounts: readonly Mount[]): readonly DeniedProgram[] {
  const denied = namedPrograms(policy)?.denied ?? nobody;
  const shows = mountFinder(mounts);
  return facts.programs.flatMap((fact): readonly DeniedProgram[] => {
    if (!denied.has(fact.program)) return [];
    const place = shows(fact.real);
    if (place === undefined || place.kind === 'mask' || place.kind === 'directory' || place.kind === 'tmpfs') return [];
    const others = othersOf(fact, denied);
    // What the box may write to is another program whenever it likes.
    const held = place.kind === 'bind' && place.access === 'read-only' && others.length === 0 ? 'mask' : 'notification';
    return [{ program: fact.program, path: fact.real, identity: fact.identity, held, sharedWith: others }];
  });
}

const nobody: ReadonlySet<string> = new Set();

/** Over the real file of each, and over its other names of the same inode. */
export function programMasks(programs: readonly DeniedProgram[], facts: HostFacts): readonly MaskMount[] {
  const masked = new Set(programs.flatMap(({ held, path }) => (held === 'mask' ? [path] : [])));
  const targets = new Set(
    facts.programs.flatMap(({ real, hardLinks }) => (masked.has(real) ? [real, ...hardLinks] : [])),
  );
  return [...targets].sort().map((target) => ({ kind: 'mask', target, type: 'file' }));
}

/** Other programs that are the same file. `python3.11` is no other program than `python3`. */
function othersOf({ program, real, names }: ProgramFact, denied: ReadonlySet<string>): readonly string[] {
  const name = baseName(program);
  // Who names the file itself means it by all of its names.
  if (baseName(real) === name || real === program) return [];
  return names.filter(
    (other) =>
      !denied.has(baseName(other)) &&
      !denied.has(other) &&
      !isVariant(baseName(other), name) &&
      !isVariant(name, baseName(other)),
  );
}

/** `git-upload-pack` of `git`, `x86_64-linux-gnu-gcc-12` of `gcc`. */
function isVariant(long: string, short: string): boolean {
  const at = long.indexOf(short);
  if (at < 0) return false;
  const [before, after] = [long[at - 1] ?? '-', long[at + short.length] ?? '-'];
  return /[-._]/u.test(before) && /[-._\d]/u.test(after);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
