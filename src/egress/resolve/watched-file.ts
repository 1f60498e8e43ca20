import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

export interface WatchedFileOptions<Value> {
  readonly path: string;
  /** Also of the empty text, for a file that is not there or cannot be read. */
  parse(text: string): Value;
}

/** Block lists are long; anything longer is cut here. */
const mostBytes = 32 * 2 ** 20;

/** The parsed content of a small system file, read again when it changed. A look at the file costs a few microseconds. */
export function watchFile<Value>({ path, parse }: WatchedFileOptions<Value>): () => Value {
  let seen: string | undefined;
  let value = parse('');
  return () => {
    const stamp = stampOf(path);
    if (stamp === seen) return value;
    seen = stamp;
    value = parse(stamp === 'absent' ? '' : contentOf(path));
    return value;
  };
}

/** The inode is part of it: these files are usually replaced by a rename. */
function stampOf(path: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch {
    return 'absent';
  }
}

function contentOf(path: string): string {
  try {
    return readWhole(path);
  } catch {
    return '';
  }
}

/** Opened without blocking, and read for no more than its size: a FIFO or a device would stop the supervisor. */
function readWhole(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.alloc(Math.min(fstatSync(descriptor).size, mostBytes));
    return buffer.toString('utf8', 0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}
