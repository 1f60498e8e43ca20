import type { Change } from '../types.ts';

/** A difference as the walk finds it, before renames are told from deletions and the policy is asked. */
export interface Found extends Omit<Change, 'root' | 'kind' | 'from'> {
  readonly kind: Exclude<Change['kind'], 'renamed'>;
  /**
   * What only shows when all differences are known. `names`: nothing but its number of hard links might differ. `moved-or-gone`:
   * added, but once copied from the host, so that it was moved here or the host's one was removed.
   */
  readonly doubt?: 'names' | 'moved-or-gone';
}

/** Path of a name in a directory, whose own path is empty for the root. */
export function joinPath(directory: Buffer, name: Buffer): Buffer {
  return directory.length === 0 ? name : Buffer.concat([directory, slash, name]);
}

const slash = Buffer.from('/');
