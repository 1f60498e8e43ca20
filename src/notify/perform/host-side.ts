import { fstatSync } from 'node:fs';
import { openAt, oPath, resolve } from '../../kernel/index.ts';
import type { Mount } from '../../plan/index.ts';
import { readable, toBytes, fromReadable } from '../view/byte-text.ts';
import type { Side } from './side.ts';
import { openFlags } from './open-flags.ts';

export interface HostSide extends Side {
  /** Whether a path of the box is the host's too; what is private to the box, or a layer over it, is not. */
  isShared(path: string): boolean;
  /** Whether it lies in a directory whose writes are kept in a layer: what a rule lets pass must not be written to the host there. */
  isStaged(path: string): boolean;
}

/**
 * The host's files below the mounts of a plan. Directories that were mounted are held by descriptors, so that a root that is
 * exchanged later leads nowhere else. What no mount shows at all starts at the host's own root.
 */
export function hostSide(mounts: readonly Mount[]): HostSide {
  const places = mounts.filter(({ kind }) => kind !== 'mask' && kind !== 'symlink').toSorted((a, b) => b.target.length - a.target.length);
  const pinned = new Map<string, number>();
  const pin = (target: string): number => {
    const known = pinned.get(target);
    if (known !== undefined) return known;
    const descriptor = openAt(-100, toBytes(fromReadable(target)), { flags: oPath | openFlags.directory, resolve: resolve.noSymlinks | resolve.noMagicLinks });
    pinned.set(target, descriptor);
    return descriptor;
  };
  for (const mount of places) if (mount.kind === 'bind' && mount.identity.type === 'directory') verify(pin(mount.target), mount);
  const nearest = (path: string): Mount | undefined => places.find(({ target }) => isWithin(path, target));
  const staged = places.flatMap((mount) => (mount.kind === 'overlay' && mount.layer !== undefined ? [mount.target] : []));
  return {
    kind: 'host',
    isStaged: (path) => staged.some((root) => isWithin(readable(path), root)),
    isShared: (path) => {
      const kind = nearest(readable(path))?.kind;
      return kind === undefined || kind === 'bind' || kind === 'directory';
    },
    start: (path) => {
      const mount = nearest(readable(path));
      const target = mount?.kind === 'bind' && mount.identity.type === 'directory' ? mount.target : '/';
      const length = target === '/' ? 0 : fromReadable(target).length;
      return { directory: pin(target), way: path.slice(length).replace(/^\/+/u, '') };
    },
  };
}

/** The one that was planned and mounted. */
function verify(descriptor: number, mount: Extract<Mount, { kind: 'bind' }>): void {
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  if (String(dev) !== mount.identity.device || String(ino) !== mount.identity.inode) throw new Error(`${mount.target} is not what was planned`);
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || directory === '/' || path.startsWith(`${directory}/`);
}
