import { mountFinder } from '../../plan/mount-finder.ts';
import type { Mount } from '../../plan/mount.ts';

/** The box's access to paths. */
export interface BoxPlaces {
  /** Whether the box could put a file there: the directory is writable or private. */
  isWritable(path: string): boolean;
  /** Whether the path is visible in the box and the box cannot change it. */
  isFixed(path: string): boolean;
}

export function placesOf(mounts: readonly Mount[]): BoxPlaces {
  const shows = mountFinder(mounts.filter(({ kind }) => kind !== 'mask'));
  return {
    isWritable: (path) => {
      const mount = shows(path);
      return mount !== undefined && isWritable(mount);
    },
    isFixed: (path) => {
      const mount = shows(path);
      return mount?.kind === 'bind' && mount.access === 'read-only';
    },
  };
}

function isWritable(mount: Mount): boolean {
  switch (mount.kind) {
    case 'bind':
      return mount.access === 'read-write';
    case 'overlay':
    case 'tmpfs':
    case 'devices':
      return true;
    // A process controls its own resources.
    case 'proc':
      return true;
    case 'directory':
    case 'symlink':
    case 'file':
    case 'mask':
      return false;
  }
}
