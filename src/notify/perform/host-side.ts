import { closeSync, fstatSync } from 'node:fs';
import { atFdcwd, KernelError, openAt, oPath, resolve } from '../../kernel/index.ts';
import type { Mount } from '../../plan/index.ts';
import { isWithin } from '../../plan/is-within.ts';
import { mountFinder } from '../../plan/mount-finder.ts';
import { readable, toBytes, fromReadable } from '../view/byte-text.ts';
import type { Side } from './side.ts';
import { openFlags } from './open-flags.ts';

export interface HostSide extends Side {
  /** Whether a path of the box is the host's too; what is private to the box, or a layer over it, is not. */
  isShared(path: string): boolean;
  /**
   * Whether it lies in a directory whose writes are kept in a layer: what a rule lets pass must not be written to the
   * host there.
   */
  isStaged(path: string): boolean;
  /** Lets go of the directories. */
  close(): void;
}

/**
 * The host's files below the mounts of a plan. Directories that were mounted are held by descriptors, so that a root
 * that is exchanged later leads nowhere else. What no mount shows at all starts at the host's own root.
 */
export function hostSide(mounts: readonly Mount[]): HostSide {
  const places = mounts.filter(({ kind }) => kind !== 'mask' && kind !== 'symlink');
  const pinned = new Map<string, number>([['/', open('/')]]);
  for (const mount of places) {
    const descriptor = mount.kind === 'bind' && mount.identity.type === 'directory' ? openPlanned(mount) : undefined;
    if (descriptor !== undefined) pinned.set(mount.target, descriptor);
  }
  const shows = mountFinder(places);
  const staged = places.flatMap((mount) =>
    mount.kind === 'overlay' && mount.layer !== undefined ? [mount.target] : [],
  );
  return {
    kind: 'host',
    isStaged: (path) => staged.some((root) => isWithin(readable(path), root)),
    isShared: (path) => {
      const kind = shows(readable(path))?.kind;
      return kind === undefined || kind === 'bind' || kind === 'directory';
    },
    start: (path) => {
      const mount = shows(readable(path));
      const target = mount?.kind === 'bind' && mount.identity.type === 'directory' ? mount.target : '/';
      const length = target === '/' ? 0 : fromReadable(target).length;
      const directory = pinned.get(target);
      // It was exchanged after it had been mounted: the box sees one thing, and the host another.
      if (directory === undefined) throw new KernelError('openat2', stale);
      return { directory, way: path.slice(length).replace(/^\/+/u, '') };
    },
    close: () => {
      for (const descriptor of pinned.values()) closeSync(descriptor);
    },
  };
}

const stale = 116;

function open(path: string): number {
  return openAt(atFdcwd, toBytes(fromReadable(path)), {
    flags: oPath | openFlags.directory,
    resolve: resolve.noSymlinks | resolve.noMagicLinks,
  });
}

/** Only the one that was planned and mounted. */
function openPlanned({ target, identity }: Extract<Mount, { kind: 'bind' }>): number | undefined {
  try {
    const descriptor = open(target);
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    if (String(dev) === identity.device && String(ino) === identity.inode) return descriptor;
    closeSync(descriptor);
  } catch {
    // Gone, or a symlink by now.
  }
  return undefined;
}
