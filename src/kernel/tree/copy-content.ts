import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { kernelCall } from '../kernel-call.ts';
import { isKernelError } from '../kernel-error.ts';

/** Copies all bytes between two open files: shared blocks where the file system has them, holes stay holes. The target is empty. */
export function copyContent(from: number, to: number): void {
  const { size } = fstatSync(from);
  if (size === 0 || (size > small && reflink(from, to) === 'done')) return;
  for (let at = 0; at < size; ) {
    const part = nextData(from, at, size);
    if (part === undefined) break;
    copyPart(from, to, part);
    at = part.end;
  }
  // What follows the last data is a hole.
  ftruncateSync(to, size);
}

/** Below it a few system calls cost more than the bytes. */
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
