import { closeSync, constants } from 'node:fs';
import { oPath, openAt, type Place, resolve } from '../../kernel/index.ts';
import { parentOf } from './plan.ts';

/** The directory that an entry lies in, opened, and the name it has there. */
export interface Parents {
  /** Where the entry with this path is. Not one symlink is followed, and the workspace never left. Throws `KernelError`. */
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
      last = { path: parent, directory: openAt(root, bytesOf(parent === '' ? '.' : parent), { flags: oPath | constants.O_DIRECTORY, resolve: resolve.beneath | resolve.noSymlinks | resolve.noMountCrossing }) };
    }
    return { directory: last.directory, name: bytesOf(path === '' ? '.' : path.slice(parent === '' ? 0 : parent.length + 1)) };
  };
  return { at, close };
}

export function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}
