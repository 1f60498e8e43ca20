import { closeSync, constants, readFileSync } from 'node:fs';
import { openAt, resolve } from '../kernel/index.ts';
import { compare, type Difference, worthShowing } from './compare.ts';
import { type Creating, look } from './create.ts';
import { bytesOf } from './restore/parents.ts';
import { readManifest } from './store/manifest.ts';
import { hashing, readObject } from './store/objects.ts';
import type { FileEntry } from './types.ts';

/** A difference with the contents of its files, where they are wanted and not too large. */
export interface ShownDifference extends Difference {
  readonly contents?: { readonly before: Buffer | undefined; readonly after: Buffer | undefined };
}

export interface Comparison {
  readonly differences: readonly ShownDifference[];
}

/** Bytes of a file that is still shown line by line, and of all of them together. */
const largestShown = 256 * 1024;
const largestTogether = 16 << 20;

export function comparison(creating: Creating, id: string, other: string | undefined): Comparison {
  const { store, root } = creating;
  const before = readManifest(store, id);
  const after = other === undefined ? look(creating, hashing) : readManifest(store, other);
  const stored = ({ object }: FileEntry): Buffer => readObject(store, object);
  const present = other === undefined ? ({ path }: FileEntry): Buffer | undefined => readPresent(root, path) : stored;
  let left = largestTogether;
  const differences = compare(before.entries, after.entries).filter(worthShowing).map((difference): ShownDifference => {
    const [was, is] = [fileOf(difference.before), fileOf(difference.after)];
    const size = (was?.size ?? 0) + (is?.size ?? 0);
    if ((was === undefined && is === undefined) || was?.object === is?.object || size > largestShown || size > left) return difference;
    left -= size;
    return { ...difference, contents: { before: was === undefined ? undefined : stored(was), after: is === undefined ? undefined : present(is) } };
  });
  return { differences };
}

function fileOf(entry: Difference['before']): FileEntry | undefined {
  return entry?.kind === 'file' ? entry : undefined;
}

/** Undefined when it went away or became something else meanwhile. */
function readPresent(root: number, path: string): Buffer | undefined {
  try {
    const file = openAt(root, bytesOf(path), { flags: constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW, resolve: resolve.beneath | resolve.noSymlinks });
    try {
      return readFileSync(file).subarray(0, largestShown);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
