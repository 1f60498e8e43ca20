import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  readSync,
  readlinkSync,
  symlinkSync,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import { isKernelError, kernelCall, openAt, type NameAt } from '../../kernel/index.ts';
import { applyStepMetadata, metadataAt } from './metadata.ts';
import { pathAt, statAt } from './tree.ts';

/**
 * Copies one entry to a free name with its mode, owner, times, attributes and holes. Copies a directory without its
 * content. After a failure, the caller removes the entry at the new name. Throws `KernelError` and the errors of
 * `node:fs`.
 */
export function copyEntry(from: NameAt, to: NameAt): void {
  const stats = statAt(from);
  if (stats === undefined) throw new Error(`nothing to copy at ${pathAt(from).toString()}`);
  const metadata = metadataAt(from, stats);
  create(from, to, stats);
  applyStepMetadata(to, metadata);
}

function create(from: NameAt, to: NameAt, stats: BigIntStats): void {
  if (stats.isFile()) copyContent(from, to);
  else if (stats.isDirectory()) mkdirSync(pathAt(to), { mode: 0o700 });
  else if (stats.isSymbolicLink()) symlinkSync(readlinkSync(pathAt(from), { encoding: 'buffer' }), pathAt(to));
  else
    kernelCall(
      'mknodat',
      to.directory,
      Buffer.concat([Buffer.from(to.name), Buffer.alloc(1)]),
      Number(stats.mode),
      deviceOf(stats),
    );
}

/** Converts the C library's `dev_t` (`gnu_dev_major` and `gnu_dev_minor`) to the kernel's. */
function deviceOf({ rdev }: BigIntStats): bigint {
  const major = ((rdev >> 8n) & 0xfffn) | ((rdev >> 32n) & ~0xfffn);
  const minor = (rdev & 0xffn) | ((rdev >> 12n) & ~0xffn);
  return (minor & 0xffn) | (major << 8n) | ((minor & ~0xffn) << 12n);
}

/** A FIFO in place of the file must not block, and a symlink must not be followed. */
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const createNew = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

function copyContent(from: NameAt, to: NameAt): void {
  const source = openAt(from.directory, Buffer.from(from.name), { flags: readOnly });
  try {
    const target = openAt(to.directory, Buffer.from(to.name), { flags: createNew, mode: 0o600 });
    try {
      if (!cloned(source, target)) copyExtents(source, target);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

/** `FICLONE` of `linux/fs.h`: both files share their blocks if the file system can. */
const ficlone = 0x40049409;

function cloned(source: number, target: number): boolean {
  try {
    kernelCall('ioctl', target, ficlone, source);
    return true;
  } catch {
    return false;
  }
}

/** `lseek(2)` of Linux. */
const seekData = 3;
const seekHole = 4;

function copyExtents(source: number, target: number): void {
  const { size } = fstatSync(source);
  for (let at = nextData(source, 0, size); at < size; at = nextData(source, at, size)) {
    const end = Math.min(size, kernelCall('lseek', source, at, seekHole));
    copyRange(source, target, { at, end });
    at = end;
  }
  ftruncateSync(target, size);
}

function nextData(source: number, from: number, size: number): number {
  if (from >= size) return size;
  try {
    return kernelCall('lseek', source, from, seekData);
  } catch (error) {
    if (isKernelError(error, 'ENXIO')) return size;
    throw error;
  }
}

const chunk = 1 << 20;

function copyRange(source: number, target: number, { at, end }: { readonly at: number; readonly end: number }): void {
  const buffer = Buffer.allocUnsafe(Math.min(chunk, end - at));
  for (let position = at; position < end; ) {
    const read = readSync(source, buffer, 0, Math.min(buffer.length, end - position), position);
    if (read === 0) return;
    for (let written = 0; written < read; )
      written += writeSync(target, buffer, written, read - written, position + written);
    position += read;
  }
}
