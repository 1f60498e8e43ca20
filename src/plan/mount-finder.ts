import { isWithin } from './is-within.ts';
import type { Mount } from './types.ts';

/**
 * Finds the mount that shows a path in the box, whose symlinks are resolved: the deepest around it, and of two at one
 * place the later, which lies over the other. Whoever looks below masks leaves them out of `mounts`.
 */
export function mountFinder(mounts: readonly Mount[]): (path: string) => Mount | undefined {
  const deepestFirst = mounts
    .filter(({ kind }) => kind !== 'symlink')
    .toReversed()
    .toSorted((a, b) => b.target.length - a.target.length);
  return (path) => deepestFirst.find(({ target }) => isWithin(path, target));
}
