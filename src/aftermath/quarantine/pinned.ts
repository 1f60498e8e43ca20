import { closeSync, constants, openSync } from 'node:fs';

/** O_PATH of <fcntl.h>, the same on every Linux; Node does not name it. */
const pathOnly = 0o10_000_000;
const slash = 0x2f;

/**
 * Runs `use` with another path of the same file, which leads through an open directory and no symlink. A box that runs
 * at the same time in the same workspace could otherwise put a symlink in the place of a directory on the way, and have
 * a file of the host judged or moved. Undefined when something on the way is gone or is a link.
 */
export function throughParent<T>(path: Buffer, use: (pinned: Buffer) => T): T | undefined {
  const components = split(path);
  const name = components.pop() ?? Buffer.alloc(0);
  let directory: number | undefined = openPlace(Buffer.from('/'));
  try {
    for (const component of components) {
      const next: number | undefined = openBelow(directory, component);
      closeSync(directory);
      directory = next;
      if (directory === undefined) return undefined;
    }
    return use(below(directory, name));
  } finally {
    if (directory !== undefined) closeSync(directory);
  }
}

/** Path of an entry of an open directory. */
export function below(directory: number, name: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${directory}/`), Buffer.from(name)]);
}

/** A directory as a place only: that needs no right to read it. */
export function openPlace(path: Buffer): number {
  return openSync(path, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

function openBelow(directory: number, name: Buffer): number | undefined {
  try {
    return openPlace(below(directory, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}

function split(path: Buffer): Buffer[] {
  const components: Buffer[] = [];
  for (let at = 0; at <= path.length; ) {
    const end = path.indexOf(slash, at);
    const stop = end < 0 ? path.length : end;
    if (stop > at) components.push(path.subarray(at, stop));
    at = stop + 1;
  }
  return components;
}
