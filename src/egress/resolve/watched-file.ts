import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';

export interface WatchedFileOptions<Value> {
  readonly path: string;
  /** Also of the empty text, for a file that is not there or cannot be read. */
  parse(text: string): Value;
}

/** Block lists are long; anything longer is cut here. */
const mostBytes = 32 * 2 ** 20;

/**
 * The parsed content of a small system file, read again when it changed. A look at the file costs a few microseconds.
 */
export function watchFile<Value>({ path, parse }: WatchedFileOptions<Value>): () => Value {
  let seen: Stamp | undefined;
  let value = parse('');
  return () => {
    const stamp = stampOf(path);
    if (seen !== undefined && isSame(stamp, seen)) return value;
    seen = stamp;
    value = parse(stamp === 'absent' ? '' : contentOf(path));
    return value;
  };
}

type Stamp = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'> | 'absent';

function stampOf(path: string): Stamp {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? 'absent';
  } catch {
    return 'absent';
  }
}

/**
 * The inode is part of it: these files are usually replaced by a rename. Numbers, compared one by one: it is looked at
 * for every look-up, and text would cost more than the look.
 */
function isSame(a: Stamp, b: Stamp): boolean {
  if (a === 'absent' || b === 'absent') return a === b;
  return a.ino === b.ino && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.dev === b.dev;
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
