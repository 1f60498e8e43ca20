import { closeSync } from 'node:fs';
import { kernelCall, oPath, openAt, pointer, rawKernel, resolve, syscallNumber } from '../../kernel/index.ts';
import { openFlags } from '../perform/open-flags.ts';
import { isPlainPath } from './box-view.ts';
import { toBytes } from './byte-text.ts';

/**
 * Directories that were listed a moment ago, and which of their names are symlinks. Hundreds of opens in such a
 * directory need no system call for each path.
 */
export interface KnownDirectories {
  /** Whether a name is known to be no symlink. The directory path must have no symlinks. */
  isReal(directory: string, name: string): boolean;
  /** Notes that a path leads through no symlink. After many such paths in one directory, lists the directory. */
  seen(path: string): void;
  /** Call after anything that may have changed where paths lead. */
  forget(): void;
}

export interface KnownDirectoriesOptions {
  /** A descriptor of the box's root directory. */
  readonly root: number;
  readonly now?: () => number;
}

/** Milliseconds. The same as for a passed open. */
const lifetime = 250;
const most = 1024;
/** Bytes of entries worth reading, by the number of opened files in the directory. An entry takes 32 bytes or less. */
const worth: ReadonlyMap<number, number> = new Map([
  [3, 4096],
  [24, 32_768],
]);

interface Directory {
  readonly until: number;
  opened: number;
  /** Undefined until the directory was read to its end. */
  symlinks: ReadonlySet<string> | undefined;
}

export function knownDirectories({ root, now = () => performance.now() }: KnownDirectoriesOptions): KnownDirectories {
  const directories = new Map<string, Directory>();
  const current = (path: string): Directory | undefined => {
    const found = directories.get(path);
    return found !== undefined && now() < found.until ? found : undefined;
  };
  return {
    isReal(directory, name) {
      const symlinks = current(directory)?.symlinks;
      return symlinks !== undefined && !symlinks.has(name) && name !== '' && name !== '.' && name !== '..';
    },
    seen(path) {
      const name = path.slice(0, path.lastIndexOf('/'));
      const found = current(name) ?? { until: now() + lifetime, opened: 0, symlinks: undefined };
      if (found.opened === 0) {
        if (directories.size >= most) directories.clear();
        directories.set(name, found);
      }
      found.opened += 1;
      const bytes = worth.get(found.opened);
      if (bytes !== undefined && found.symlinks === undefined) found.symlinks = symlinksIn(root, name, bytes);
    },
    forget: () => directories.clear(),
  };
}

/**
 * Undefined if there are too many entries, the file system does not report their types, or the directory is unreadable.
 */
function symlinksIn(root: number, directory: string, bytes: number): ReadonlySet<string> | undefined {
  try {
    const opened = openAt(root, toBytes(directory === '' ? '/' : directory), {
      flags: openFlags.directory | openFlags.nonBlocking,
      resolve: resolve.inRoot | resolve.noSymlinks,
    });
    try {
      const entries = Buffer.alloc(bytes);
      const length = kernelCall('getdents64', opened, entries, bytes);
      const isAll = kernelCall('getdents64', opened, Buffer.alloc(oneEntry), oneEntry) === 0;
      return isAll ? symlinksAmong(entries.subarray(0, length)) : undefined;
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
}

/** Bytes that fit the longest entry. */
const oneEntry = 512;
/** `dirent.h`: `DT_UNKNOWN`, `DT_LNK`. */
const unknownType = 0;
const symlinkType = 10;

/** Reads consecutive `struct linux_dirent64`. */
function symlinksAmong(entries: Buffer): ReadonlySet<string> | undefined {
  const symlinks = new Set<string>();
  for (let start = 0; start < entries.length; start += entries.readUInt16LE(start + 16)) {
    const type = entries[start + 18];
    if (type === unknownType) return undefined;
    if (type === symlinkType) symlinks.add(entries.toString('latin1', start + 19, entries.indexOf(0, start + 19)));
  }
  return symlinks;
}

/** Checks every path that a box opens, with one system call each and its own memory. */
interface QuickView {
  /** The kernel gets pointers to these buffers, so they must live as long as the view. */
  readonly memory: readonly Buffer[];
  /** The target of a link in `/proc`. */
  textOf(link: string): string | undefined;
  /** Whether a path of the box leads through no symlink, so that it equals its real path. False if that is unknown. */
  isReal(path: string): boolean;
  /** The target of an existing path. */
  realOf(path: string): string | undefined;
}

const longestPath = 4096;

/** `root` is a descriptor of the box's root directory. */
export function openQuickView(root: number): QuickView {
  const { call, errno } = rawKernel();
  const [readlinkat, openat2, close] = [syscallNumber('readlinkat'), syscallNumber('openat2'), syscallNumber('close')];
  const memory = [
    Buffer.alloc(longestPath + 1),
    Buffer.alloc(longestPath),
    Buffer.alloc(howSize),
    Buffer.alloc(howSize),
  ] as const;
  const [words, text, how, follow] = memory;
  const [wordsAt, textAt, howAt, followAt] = memory.map((bytes) => Number(pointer(bytes))) as [
    number,
    number,
    number,
    number,
  ];
  // For a file that is not a directory, the kernel reports just that, and opens no descriptor.
  how.writeBigUInt64LE(BigInt(oPath | openFlags.directory | openFlags.closeOnExec), 0);
  how.writeBigUInt64LE(BigInt(resolve.inRoot | resolve.noSymlinks), 16);
  follow.writeBigUInt64LE(BigInt(oPath | openFlags.closeOnExec), 0);
  follow.writeBigUInt64LE(BigInt(resolve.inRoot), 16);
  const textOf = (link: string): string | undefined => {
    words[words.write(link, 'latin1')] = 0;
    const length = call(readlinkat, -1, wordsAt, textAt, longestPath, 0, 0);
    return length <= 0 || length === longestPath ? undefined : text.toString('latin1', 0, length);
  };
  return {
    memory,
    textOf,
    realOf(path) {
      if (path.length >= longestPath) return undefined;
      words[words.write(path, 'latin1')] = 0;
      const opened = call(openat2, root, wordsAt, followAt, howSize, 0, 0);
      if (opened < 0) return undefined;
      const real = textOf(`/proc/self/fd/${opened}`);
      call(close, opened, 0, 0, 0, 0, 0);
      return real?.startsWith('/') === true && !real.endsWith(' (deleted)') ? real : undefined;
    },
    isReal(path) {
      if (path.length >= longestPath || !isPlainPath(path)) return false;
      words[words.write(path, 'latin1')] = 0;
      const opened = call(openat2, root, wordsAt, howAt, howSize, 0, 0);
      if (opened < 0) return asFarAsThereIs.has(errno());
      call(close, opened, 0, 0, 0, 0, 0);
      return true;
    },
  };
}

/** `sizeof(struct open_how)`. */
const howSize = 24;

/** `ENOENT`, `EACCES`, `ENOTDIR`: there is no symlink up to there, and none can follow. */
const asFarAsThereIs: ReadonlySet<number> = new Set([2, 13, 20]);
