import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

export type ReadFile =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly stats: Stats }
  | { readonly kind: 'refused'; readonly problem: string; readonly size: number };

const directoryFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Opening a FIFO would wait for a writer, and a terminal might become our controlling terminal. */
const fileFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Reads a regular file once. Opens each directory from the one above it, so that replacing one with a symlink leads
 * nowhere. `path` is relative to `root`, without symlinks.
 */
export function readBelow(root: string, path: string, longest: number): ReadFile {
  try {
    return withFile(root, path, (fd) => {
      const stats = fstatSync(fd);
      if (!stats.isFile()) return { kind: 'refused', problem: 'it is not a regular file', size: 0 };
      if (stats.size > longest)
        return { kind: 'refused', problem: `it is larger than ${longest >> 20} MiB`, size: stats.size };
      return { kind: 'read', bytes: readAll(fd, stats.size, longest), stats };
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    return { kind: 'refused', problem: `it cannot be read (${code})`, size: 0 };
  }
}

function withFile<Result>(root: string, path: string, use: (fd: number) => Result): Result {
  const names = path.split('/');
  const last = names.pop() ?? '';
  let directory = openSync(root, directoryFlags);
  try {
    for (const name of names) {
      const inner = openSync(`/proc/self/fd/${directory}/${name}`, directoryFlags);
      closeSync(directory);
      directory = inner;
    }
    const fd = openSync(`/proc/self/fd/${directory}/${last}`, fileFlags);
    try {
      return use(fd);
    } finally {
      closeSync(fd);
    }
  } finally {
    closeSync(directory);
  }
}

/** Reads up to the end, even if the file grows meanwhile, but at most `longest` bytes. */
function readAll(fd: number, expected: number, longest: number): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (;;) {
    const part = Buffer.allocUnsafe(Math.min(longest + 1 - size, parts.length === 0 ? expected + 1 : 65_536));
    const read = part.length === 0 ? 0 : readSync(fd, part, 0, part.length, null);
    if (read === 0) return parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
    parts.push(part.subarray(0, read));
    size += read;
  }
}
