import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';

/** Bytes that may still be copied: leftovers of a box must not fill the state directory's disk. */
export interface CopyBudget {
  bytes: number;
  entries: number;
}

/**
 * Copies a file, a link or a directory with all its content. Links stay links. Sockets, FIFOs and devices, which hold
 * nothing, are left out. Throws when the budget is used up.
 */
export function copyWithin(from: Buffer, to: Buffer, budget: CopyBudget): void {
  const stats = lstatSync(from);
  budget.bytes -= stats.isFile() ? stats.size : 0;
  budget.entries -= 1;
  if (budget.bytes < 0 || budget.entries < 0) throw new RangeError('there is too much of it to be copied');
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from, { encoding: 'buffer' }), to);
  else if (stats.isFile()) copyFile(from, to);
  else if (stats.isDirectory()) copyDirectory(from, to, budget);
}

/** A FIFO in the file's place must not block us. */
function copyFile(from: Buffer, to: Buffer): void {
  const source = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(source).isFile()) throw new Error('it is no longer a file');
    copyFileSync(`/proc/self/fd/${source}`, to, constants.COPYFILE_EXCL);
  } finally {
    closeSync(source);
  }
}

function copyDirectory(from: Buffer, to: Buffer, budget: CopyBudget): void {
  mkdirSync(to, { mode: 0o700 });
  const target = openDirectory(to);
  try {
    eachEntry(from, (entry, name) => copyWithin(entry, below(target, name), budget));
  } finally {
    closeSync(target);
  }
}

/** Removes a tree without ever leaving it, even if another process changes it meanwhile. */
export function removeWithin(path: Buffer): void {
  if (!lstatSync(path).isDirectory()) {
    unlinkSync(path);
    return;
  }
  eachEntry(path, (entry, _name, directory) => {
    // A box can make its directories read-only. They belong to us as well.
    fchmodSync(directory, 0o700);
    removeWithin(entry);
  });
  rmdirSync(path);
}

function eachEntry(path: Buffer, visit: (entry: Buffer, name: Buffer, directory: number) => void): void {
  const directory = openDirectory(path);
  try {
    for (const name of readdirSync(`/proc/self/fd/${directory}`, { encoding: 'buffer' }))
      visit(below(directory, name), name, directory);
  } finally {
    closeSync(directory);
  }
}

function openDirectory(path: Buffer): number {
  return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

/** O_PATH of <fcntl.h>, the same on every Linux. Node does not name it. */
const pathOnly = 0o10_000_000;
const slash = 0x2f;

/**
 * Runs `use` with another path of the same file, which leads through an open directory and no symlink. Otherwise a box
 * in the same workspace could replace a directory on the way with a symlink. A file of the host would then be judged or
 * moved. Undefined if a part of the path is gone or is a link.
 */
export function throughParent<T>(path: Buffer, use: (pinned: Buffer) => T): T | undefined {
  const components = split(path);
  const name = components.pop() ?? Buffer.alloc(0);
  let directory: number | undefined = openPinned(Buffer.from('/'));
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

/** Returns the path of an entry of an open directory. */
function below(directory: number, name: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from(`/proc/self/fd/${directory}/`), Buffer.from(name)]);
}

/** Opens a directory only as a place, which needs no right to read it. */
export function openPinned(path: Buffer): number {
  return openSync(path, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

function openBelow(directory: number, name: Buffer): number | undefined {
  try {
    return openPinned(below(directory, name));
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
