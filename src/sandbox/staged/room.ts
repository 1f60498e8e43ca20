import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';

/** A command that finds a full disk at once gets nowhere; overlayfs and the journal need some of it themselves. */
const least = 64 << 20;

/**
 * Bytes that this user may still write on the file system of `path`, or of the nearest directory above it that is there;
 * `Infinity` where it does not count.
 */
export function freeBytes(path: string): number {
  try {
    const { blocks, bavail, bsize } = statfsSync(path);
    return blocks === 0 ? Infinity : bavail * bsize;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === '/') throw error;
    return freeBytes(dirname(path));
  }
}

/** Throws `HF_DISK_FULL` when there is no room for a layer. */
export function requireRoom(state: string): void {
  const free = freeBytes(state);
  if (free >= least) return;
  throw new HoldfastError('HF_DISK_FULL', `the disk that holds ${state} has ${Math.floor(free / (1 << 20))} MB left, and a staged layer needs at least ${least >> 20} MB`, { remedy: 'make room, discard layers that nobody needs (`holdfast staged list --all`), or set XDG_STATE_HOME to a larger disk' });
}
