import { surfaces } from '../surfaces/index.ts';
import type { KnownDirectory, Memory } from './memory.ts';
import { isSame, statOf } from './stamp.ts';
import { targetOf } from './symlinks.ts';
import type { Candidate } from './walk.ts';

/** What the last walk found, where each directory and each symlink is as it was; undefined where anything is not, and a walk has to look. */
export function unchangedWalk(root: string, { top: [top], found }: Memory): { readonly candidates: readonly Candidate[]; readonly looked: number } | undefined {
  if (found === undefined || top === undefined || !areSame(root, top)) return undefined;
  const rows = new Map(surfaces.map((row) => [row.name, row]));
  const candidates: Candidate[] = [];
  for (const [path, name, target] of found.candidates) {
    const surface = rows.get(name);
    const real = target === undefined ? { kind: 'at' as const, path } : targetOf(root, path);
    if (surface === undefined || real.kind !== 'at' || (target !== undefined && real.path !== target)) return undefined;
    candidates.push({ path, surface, real });
  }
  return { candidates, looked: found.looked };
}

/** Thousands of directories: nothing is done here but to ask for each. */
function areSame(root: string, top: KnownDirectory): boolean {
  const places = [root];
  const directories = [top];
  for (let known = directories.pop(); known !== undefined; known = directories.pop()) {
    const place = places.pop() ?? root;
    if (known[1] === null || !isUnchanged(place, known[1])) return false;
    for (const inner of known[5]) {
      directories.push(inner);
      places.push(place === '/' ? `/${inner[0]}` : `${place}/${inner[0]}`);
    }
  }
  return true;
}

function isUnchanged(place: string, stamp: NonNullable<KnownDirectory[1]>): boolean {
  try {
    const stats = statOf(place);
    return stats !== undefined && isSame(stamp, stats);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return false;
  }
}
