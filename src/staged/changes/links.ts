import type { Found } from './found.ts';

/**
 * Keeps those entries that are the host's but for their number of names only when their names in the layer are not one
 * file on the host too: a new hard link to a file of the host changes both of its names.
 */
export function settleLinks(found: readonly Found[]): readonly Found[] {
  const groups = Map.groupBy(found.filter(({ after }) => after?.type === 'file' && after.links > 1), ({ after }) => `${after?.device}:${after?.inode}`);
  return found.filter((entry) => {
    if (entry.doubt !== 'names') return true;
    const group = groups.get(`${entry.after?.device}:${entry.after?.inode}`) ?? [];
    return group.some(({ before }) => before?.inode !== entry.before?.inode || before?.device !== entry.before?.device);
  });
}
