import { type BigIntStats, closeSync, fstatSync } from 'node:fs';
import { atFdcwd, KernelError, oPath, openAt, resolve } from '../../kernel/index.ts';
import { isWithin } from '../../plan/anchors.ts';
import { mountFinder } from '../../plan/mount-finder.ts';
import type { Mount } from '../../plan/mount.ts';
import { split } from '../view/box-view.ts';
import { fromReadable, readable, toBytes } from '../view/byte-text.ts';
import { openFlags } from './open-flags.ts';

/**
 * The side on which the supervisor acts. On the `box` side it goes through the box's mounts, and the kernel still
 * enforces the box's limits. On the `host` side it performs only calls that a rule stopped and that were then allowed.
 */
export interface PerformSide {
  readonly kind: 'box' | 'host';
  /** A directory and the relative path from there. The side owns the descriptor. */
  readonly start: (path: string) => StartDirectory;
}

export interface StartDirectory {
  readonly directory: number;
  /** Relative path without a leading slash. Empty for the directory itself. */
  readonly way: string;
}

/**
 * Opens a judged path without following links. If the path has become a symlink meanwhile, the open fails with ELOOP.
 */
export const asJudged = resolve.beneath | resolve.noSymlinks | resolve.noMagicLinks;

export interface Parent {
  readonly directory: number;
  readonly name: string;
}

/** Runs `use` with the parent directory of a path. */
export function inDirectory<Result>(side: PerformSide, path: string, use: (parent: Parent) => Result): Result {
  const { directory, way } = side.start(path);
  const { parent, name } = split(`/${way}`);
  const opened = openAt(directory, toBytes(parent === '/' ? '.' : parent.slice(1)), {
    flags: oPath | openFlags.directory,
    resolve: asJudged,
  });
  try {
    return use({ directory: opened, name: name === '' ? '.' : name });
  } finally {
    closeSync(opened);
  }
}

/** Runs `use` with an `O_PATH` descriptor of the path itself. */
export function onPath<Result>(side: PerformSide, path: string, use: (descriptor: number) => Result): Result {
  const { directory, way } = side.start(path);
  const opened = openAt(directory, toBytes(way === '' ? '.' : way), {
    flags: oPath | openFlags.noFollow,
    resolve: asJudged,
  });
  try {
    return use(opened);
  } finally {
    closeSync(opened);
  }
}

/** The file at a path. Undefined if there is no file, or if only a symlink leads to it. */
export function lookUpEntry(side: PerformSide, path: string): BigIntStats | undefined {
  try {
    return onPath(side, path, (descriptor) => fstatSync(descriptor, { bigint: true }));
  } catch {
    return undefined;
  }
}

export interface HostSide extends PerformSide {
  /** Whether a box path is the same on the host. Private places of the box and paths under a layer are not. */
  isShared(path: string): boolean;
  /** Whether writes to the path go to a layer. An allowed write must not reach the host there. */
  isStaged(path: string): boolean;
  /** Closes the directories. */
  close(): void;
}

/**
 * The host's files below the mounts of a plan. Descriptors hold the mounted directories, so that a root that is
 * replaced later leads nowhere else. Paths without a mount start at the host's root.
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
      // The directory was replaced after it was mounted: the box sees one directory, and the host another.
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

/** Opens the directory only if it is the one that was planned and mounted. */
function openPlanned({ target, identity }: Extract<Mount, { kind: 'bind' }>): number | undefined {
  try {
    const descriptor = open(target);
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    if (String(dev) === identity.device && String(ino) === identity.inode) return descriptor;
    closeSync(descriptor);
  } catch {
    // The directory is gone, or is a symlink now.
  }
  return undefined;
}
