import { closeSync, constants, lstatSync, type BigIntStats } from 'node:fs';
import { atFdcwd, isKernelError, oPath, openAt, resolve, type NameAt } from '../../kernel/index.ts';

/** A directory for looking up names. A box may exchange names on the way, but no look-up leads out of the directory. */
export interface Tree {
  readonly descriptor: number;
  /**
   * Returns the open parent of a path, and the last name. Stays valid for a few dozen more calls, and until `forget`.
   * Throws `KernelError`.
   */
  place(path: Buffer): NameAt;
  /** Call when a directory was removed or made. */
  forget(): void;
  close(): void;
}

const confined = resolve.beneath | resolve.noSymlinks | resolve.noMagicLinks | resolve.noMountCrossing;
const slash = 0x2f;

/** More than the parents that one step uses. */
const mostOpen = 64;

export function openTree(root: string): Tree {
  const descriptor = openAt(atFdcwd, root, { flags: oPath | constants.O_DIRECTORY, resolve: resolve.noSymlinks });
  const open = new Map<string, number>();
  const forget = () => {
    for (const each of open.values()) closeSync(each);
    open.clear();
  };
  const parentOf = (path: Buffer, cut: number): number => {
    const key = path.toString('latin1', 0, cut);
    const known = open.get(key);
    if (known !== undefined) return known;
    const fresh = openAt(descriptor, path.subarray(0, cut), {
      flags: oPath | constants.O_DIRECTORY,
      resolve: confined,
    });
    dropOldest(open);
    open.set(key, fresh);
    return fresh;
  };
  const place = (path: Buffer): NameAt => {
    const cut = path.lastIndexOf(slash);
    return cut < 0
      ? { directory: descriptor, name: path }
      : { directory: parentOf(path, cut), name: path.subarray(cut + 1) };
  };
  const close = () => {
    forget();
    closeSync(descriptor);
  };
  return { descriptor, place, forget, close };
}

function dropOldest(open: Map<string, number>): void {
  const [oldest] = open;
  if (oldest === undefined || open.size < mostOpen) return;
  closeSync(oldest[1]);
  open.delete(oldest[0]);
}

/** Runs `use` with a tree, and closes it. */
export function withTree<T>(root: string, use: (tree: Tree) => T): T {
  const tree = openTree(root);
  try {
    return use(tree);
  } finally {
    tree.close();
  }
}

/** Returns a path for `node:fs` that leads through the open directory. */
export function pathAt({ directory, name }: NameAt): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${directory}/`), Buffer.from(name)]);
}

/** Returns the stats of the entry itself, never of a symlink's target. Undefined if the name is free. */
export function statAt(place: NameAt): BigIntStats | undefined {
  return lstatSync(pathAt(place), { bigint: true, throwIfNoEntry: false });
}

/** Combines `tree.place` and `statAt`. Also undefined if a directory on the way is missing. */
export function statIn(tree: Tree, path: Buffer): BigIntStats | undefined {
  try {
    return statAt(tree.place(path));
  } catch (error) {
    if (isKernelError(error, 'ENOENT') || isKernelError(error, 'ENOTDIR') || isKernelError(error, 'ELOOP'))
      return undefined;
    throw error;
  }
}

/** Returns the directories above a path, top first, without the root itself. */
export function ancestorsOf(path: Buffer): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = path.indexOf(slash); at >= 0; at = path.indexOf(slash, at + 1)) found.push(path.subarray(0, at));
  return found;
}
