import { isWithin } from './anchors.ts';
import type { BindMount, Mount, Protection } from './types.ts';

/**
 * Holds the names of read-only directories in which something is hidden. The kernel removes a mount together with the
 * file below it, so a replaced file of the host shows until it is covered again. A strict box never shows it.
 */
export function holdNames(mounts: readonly Mount[], { shownRoots }: Pick<Protection, 'shownRoots'>): readonly Mount[] {
  const masks = mounts.flatMap((mount) => (mount.kind === 'mask' ? [mount.target] : []));
  return mounts.map((mount) =>
    isShownDirectory(mount) &&
    (shownRoots.some((root) => isWithin(mount.target, root)) || masks.some((mask) => isWithin(mask, mount.target)))
      ? { ...mount, names: 'held' }
      : mount,
  );
}

/** Files without owners are the system's: a box reads those that anyone may read. */
function isShownDirectory(mount: Mount): mount is BindMount {
  return (
    mount.kind === 'bind' &&
    mount.access === 'read-only' &&
    mount.identity.type === 'directory' &&
    mount.ownership !== 'foreign'
  );
}
