import { closeSync, constants } from 'node:fs';
import { oPath, openAt, type Place, resolve } from '../../kernel/index.ts';
import { parentOf } from './plan.ts';

/** The directory that an entry lies in, opened, and the name it has there. */
export interface Parents {
  /**
   * Where the entry with this path is. Not one symlink is followed, and the workspace never left. Throws `KernelError`.
   */
  at(path: string): Place;
  close(): void;
}

/** Neighbours are asked for one after the other: the last directory stays open for the next. */
export function openParents(root: number): Parents {
  let last: { readonly path: string; readonly directory: number } | undefined;
  const close = (): void => {
    if (last !== undefined) closeSync(last.directory);
    last = undefined;
  };
  const at = (path: string): Place => {
    const parent = parentOf(path);
    if (last?.path !== parent) {
      close();
      last = { path: parent, directory: openBeneath(root, parent) };
    }
    return {
      directory: last.directory,
      name: bytesOf(path === '' ? '.' : path.slice(parent === '' ? 0 : parent.length + 1)),
    };
  };
  return { at, close };
}

export function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

/** One system call takes 4,095 bytes of path; a tree can be deeper. */
const longest = 4000;

function openBeneath(root: number, path: string): number {
  if (path.length <= longest) return openPlace(root, path);
  const cut = path.lastIndexOf('/', longest);
  const way = openPlace(root, path.slice(0, cut));
  try {
    return openBeneath(way, path.slice(cut + 1));
  } finally {
    closeSync(way);
  }
}

function openPlace(root: number, path: string): number {
  return openAt(root, bytesOf(path === '' ? '.' : path), {
    flags: oPath | constants.O_DIRECTORY,
    resolve: resolve.beneath | resolve.noSymlinks | resolve.noMountCrossing,
  });
}
