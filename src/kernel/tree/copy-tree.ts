import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { kernelCall } from '../kernel-call.ts';
import { isKernelError } from '../kernel-error.ts';
import { atFdcwd, linkAt, oPath, openAt, resolve, terminated } from '../open-at.ts';
import { applyMetadata, metadataOf } from './metadata.ts';

/**
 * Copies a file, link, FIFO, socket name, device or directory with everything in it. Keeps content, holes, modes,
 * owners, times to the nanosecond, extended attributes, and hard links among its own files. Follows no symlink and
 * enters no other file system. Throws if a file changes while it is read. Then `to` is incomplete, and the caller
 * removes it.
 */
export function copyTree(from: Buffer, to: Buffer): void {
  const stats = lstatSync(from, { bigint: true });
  copyEntry({ from, to, stats, inside: Buffer.alloc(0) }, { device: stats.dev, top: to, copies: new Map() });
}

interface Entry {
  readonly from: Buffer;
  readonly to: Buffer;
  readonly stats: BigIntStats;
  /** Path below the top of the copy. */
  readonly inside: Buffer;
}

interface Copying {
  readonly device: bigint;
  readonly top: Buffer;
  /** For files with several names: the path of the first copy, below the top. */
  readonly copies: Map<bigint, Buffer>;
}

function copyEntry(entry: Entry, copying: Copying): void {
  const { from, to, stats } = entry;
  if (stats.isDirectory()) copyDirectory(entry, copying);
  else if (linkToCopy(entry, copying) === 'linked') return;
  else if (stats.isFile()) copyFile(entry);
  else if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from, { encoding: 'buffer' }), to);
  else kernelCall('mknodat', atFdcwd, terminated(to), Number(stats.mode), stats.rdev);
  // Read before the content, because reading it may change the access time.
  applyMetadata(to, metadataOf(from, stats));
}

/** Throws for trees deeper than the descriptors allow: each level uses two while it is copied. */
function copyDirectory({ from, to, stats, inside }: Entry, copying: Copying): void {
  if (stats.dev !== copying.device)
    throw Object.assign(new Error('another file system is mounted in it'), { code: 'EXDEV' });
  mkdirSync(to, { mode: 0o700 });
  withDirectory(from, (source) =>
    withDirectory(to, (target) => {
      for (const name of readdirSync(below(source, ''), { encoding: 'buffer' })) {
        const inner = below(source, name);
        copyEntry(
          {
            from: inner,
            to: below(target, name),
            stats: lstatSync(inner, { bigint: true }),
            inside: join(inside, name),
          },
          copying,
        );
      }
    }),
  );
}

function join(parent: Buffer, name: Buffer): Buffer {
  return parent.length === 0 ? name : Buffer.concat([parent, Buffer.from('/'), name]);
}

function linkToCopy({ to, stats, inside }: Entry, { copies, top }: Copying): 'linked' | 'first' {
  if (stats.nlink < 2n) return 'first';
  const first = copies.get(stats.ino);
  if (first === undefined) {
    copies.set(stats.ino, inside);
    return 'first';
  }
  withDirectory(top, (directory) => linkBeneath(directory, first, to));
  return 'linked';
}

/**
 * The copy may be in a directory that others can write to. A symlink swapped in for one of its directories would link
 * someone else's file.
 */
function linkBeneath(top: number, inside: Buffer, to: Buffer): void {
  const slash = inside.lastIndexOf('/');
  const directory = openAt(top, slash < 0 ? '.' : inside.subarray(0, slash), {
    flags: oPath | constants.O_DIRECTORY,
    resolve: resolve.beneath | resolve.noSymlinks,
  });
  try {
    linkAt({ directory, name: inside.subarray(slash + 1) }, { directory: atFdcwd, name: to });
  } finally {
    closeSync(directory);
  }
}

function copyFile({ from, to, stats }: Entry): void {
  const source = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const target = openSync(
      to,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      copyContent(source, target);
    } finally {
      closeSync(target);
    }
    insistUnchanged(stats, fstatSync(source, { bigint: true }));
  } finally {
    closeSync(source);
  }
}

function insistUnchanged(before: BigIntStats, after: BigIntStats): void {
  if (
    before.ino === after.ino &&
    before.dev === after.dev &&
    before.size === after.size &&
    before.mtimeNs === after.mtimeNs
  )
    return;
  throw Object.assign(new Error('it changed while it was copied'), { code: 'EBUSY' });
}

/**
 * Copies all bytes between two open files. Shares blocks if the file system can, and keeps holes. The target must be
 * empty.
 */
export function copyContent(from: number, to: number): void {
  const { size } = fstatSync(from);
  if (size === 0 || (size > small && reflink(from, to) === 'done')) return;
  for (let at = 0; at < size; ) {
    const part = nextData(from, at, size);
    if (part === undefined) break;
    copyPart(from, to, part);
    at = part.end;
  }
  // The file ends with a hole.
  ftruncateSync(to, size);
}

/** Below this size, a few system calls cost more than copying the bytes. */
const small = 16_384;
const chunk = 1 << 20;
/** `linux/fs.h`: `FICLONE`. */
const ficlone = 0x40049409;
/** `lseek(2)`. */
const seekData = 3;
const seekHole = 4;

interface Part {
  readonly start: number;
  readonly end: number;
}

function reflink(from: number, to: number): 'done' | 'impossible' {
  try {
    kernelCall('ioctl', to, ficlone, from);
    return 'done';
  } catch (error) {
    const impossible = ['ENOTSUP', 'EXDEV', 'EINVAL', 'ENOTTY', 'ENOSYS', 'EBADF', 'EPERM'];
    if (isKernelError(error) && impossible.includes(error.code)) return 'impossible';
    throw error;
  }
}

function nextData(file: number, at: number, size: number): Part | undefined {
  if (size <= small) return { start: at, end: size };
  try {
    const start = kernelCall('lseek', file, at, seekData);
    return { start, end: kernelCall('lseek', file, start, seekHole) };
  } catch (error) {
    if (isKernelError(error, 'ENXIO')) return undefined;
    if (isKernelError(error, 'EINVAL')) return { start: at, end: size };
    throw error;
  }
}

function copyPart(from: number, to: number, { start, end }: Part): void {
  const buffer = Buffer.allocUnsafe(Math.min(chunk, end - start));
  for (let at = start; at < end; ) {
    const length = readSync(from, buffer, 0, Math.min(buffer.length, end - at), at);
    if (length === 0) return;
    for (let written = 0; written < length; ) written += writeSync(to, buffer, written, length - written, at + written);
    at += length;
  }
}

/**
 * Path of an entry of an open directory. It stays in that directory even if parents are renamed or replaced meanwhile.
 */
export function below(directory: number, name: Uint8Array | string): Buffer {
  return Buffer.concat([
    Buffer.from(`/proc/self/fd/${directory}/`),
    typeof name === 'string' ? Buffer.from(name) : name,
  ]);
}

/** Opens a directory for listing. Fails with `ELOOP` or `ENOTDIR` if the last component is a symlink. */
export function openDirectory(path: Uint8Array | string): number {
  return openSync(
    typeof path === 'string' ? path : Buffer.from(path),
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
}

/**
 * Runs `use` with the parent directory of a path, and its last name. Follows no symlink on the way, because one that
 * was swapped in would lead to another file. Throws `KernelError`: `ELOOP` in that case.
 */
export function inParent<T>(path: Buffer, use: (directory: number, name: Buffer) => T): T {
  const slash = path.lastIndexOf('/');
  const parent = openAt(atFdcwd, slash <= 0 ? '/' : path.subarray(0, slash), {
    flags: oPath | constants.O_DIRECTORY,
    resolve: resolve.noSymlinks | resolve.noMagicLinks,
  });
  try {
    return use(parent, path.subarray(slash + 1));
  } finally {
    closeSync(parent);
  }
}

/** Opens a directory, and runs `use` for each name in it. */
export function withDirectory<T>(path: Uint8Array | string, use: (directory: number) => T): T {
  const directory = openDirectory(path);
  try {
    return use(directory);
  } finally {
    closeSync(directory);
  }
}
