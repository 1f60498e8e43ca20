import { closeSync, fstatSync } from 'node:fs';
import { kernelCall, KernelError, openAt } from '../../kernel/index.ts';
import type { RefusedAs } from '../law/file-law.ts';
import { openFlags } from '../perform/open-flags.ts';
import { asJudged } from '../perform/side.ts';
import { toBytes } from '../view/byte-text.ts';
import { umaskOf } from '../view/caller.ts';
import type { Whole } from './whole.ts';

/**
 * Flags of the caller that are passed on. `openat2` refuses unknown flags, and `open` ignored them. Truncation waits
 * until the type of the file is known.
 */
const taken =
  openFlags.accessMode |
  openFlags.append |
  openFlags.dataSync |
  openFlags.sync |
  openFlags.noAccessTime |
  openFlags.directory |
  openFlags.direct;
/** The open neither waits for another process nor gives the supervisor a terminal. */
const careful = openFlags.nonBlocking | openFlags.noTerminal;
const permitted = openFlags.append | openFlags.nonBlocking | openFlags.direct | openFlags.async;
const setStatusFlags = 4;

export interface Wish {
  readonly path: string;
  readonly flags: number;
  readonly mode: number;
  readonly thread: number;
}

export type OpenedPath =
  | { readonly kind: 'file'; readonly descriptor: number }
  | { readonly kind: 'pipe'; readonly descriptor: number }
  | { readonly kind: 'refused'; readonly how: RefusedAs }
  /** Not a file, a directory or a pipe. */
  | { readonly kind: 'other' };

/** Opens an existing file at the judged path. Throws `KernelError`: `ELOOP` if a symlink is on the way. */
export function openThere(whole: Whole, { path, flags }: Wish): OpenedPath {
  return settled(
    whole,
    openAt(whole.supervision.view.root, at(path), { flags: (flags & taken) | careful, resolve: asJudged }),
    flags,
  );
}

/** Makes a new file. Throws `KernelError`: `EEXIST` if the path exists. */
export function makeThere(whole: Whole, { path, flags, mode, thread }: Wish): OpenedPath {
  kernelCall('umask', umaskOf(thread));
  const descriptor = openAt(whole.supervision.view.root, at(path), {
    flags: (flags & taken) | careful | openFlags.create | openFlags.exclusive,
    resolve: asJudged,
    mode: mode & 0o7777,
  });
  if (whole.law.isMarked(path)) whole.ground.made(path);
  return settled(whole, descriptor, flags);
}

function at(path: string): Buffer {
  return toBytes(path === '/' ? '.' : path.slice(1));
}

function settled(whole: Whole, descriptor: number, flags: number): OpenedPath {
  const keep = (opened: OpenedPath): OpenedPath => {
    if (!('descriptor' in opened)) closeSync(descriptor);
    return opened;
  };
  try {
    return keep(lookedAt(whole, descriptor, flags));
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function lookedAt({ others }: Whole, descriptor: number, flags: number): OpenedPath {
  const found = fstatSync(descriptor);
  if (found.isFIFO()) return { kind: 'pipe', descriptor };
  if (!found.isFile() && !found.isDirectory()) return { kind: 'other' };
  const writes = (flags & openFlags.accessMode) !== 0 || (flags & openFlags.truncate) !== 0;
  if (found.isFile() && found.nlink > 1) {
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    const how = others.refuses(dev, ino);
    if (how === 'hidden' || (how === 'fixed' && writes)) return { kind: 'refused', how };
  }
  if (found.isFile() && (flags & openFlags.truncate) !== 0) truncate(descriptor, flags);
  kernelCall('fcntl', descriptor, setStatusFlags, flags & permitted);
  return { kind: 'file', descriptor };
}

/** `O_RDONLY | O_TRUNC` truncates too. */
function truncate(descriptor: number, flags: number): void {
  if ((flags & openFlags.accessMode) === 0) kernelCall('truncate', `/proc/self/fd/${descriptor}`, 0);
  else kernelCall('ftruncate', descriptor, 0);
}

export function isErrno(error: unknown, ...numbers: readonly number[]): boolean {
  return error instanceof KernelError && numbers.includes(error.errno);
}
