import { type BigIntStats, chmodSync, closeSync, constants, lchownSync, lstatSync, openSync } from 'node:fs';
import { kernelCall } from '../kernel-call.ts';
import { isKernelError } from '../kernel-error.ts';
import { atFdcwd, oPath, terminated } from '../open-at.ts';

/** Metadata of a file, directory, link or FIFO. */
export interface EntryMetadata {
  /** Permission bits with setuid, setgid and sticky. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Nanoseconds since 1970. */
  readonly modified: bigint;
  /** Undefined: unchanged. */
  readonly accessed?: bigint;
  readonly attributes: ReadonlyMap<string, Buffer>;
}

export function metadataOf(path: Buffer, stats: BigIntStats): EntryMetadata {
  return {
    mode: Number(stats.mode) & permissions,
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    modified: stats.mtimeNs,
    accessed: stats.atimeNs,
    attributes: attributesOf(path),
  };
}

/**
 * Sets the metadata of an entry, without following a symlink. Leaves out an owner that this user may not set. Then also
 * leaves out setuid and setgid, because they would apply to another owner. Leaves out system attributes that this user
 * may not set, as well.
 */
export function applyMetadata(path: Buffer, wanted: EntryMetadata): void {
  const stats = lstatSync(path);
  const owned = giveOwner(path, stats, wanted);
  // After the owner, which clears setuid, and before the mode, which may forbid writing.
  applyAttributes(path, wanted.attributes);
  if (!stats.isSymbolicLink()) changeMode(path, owned === 'given' ? wanted.mode : wanted.mode & ~setIds);
  setTimes(path, wanted);
}

const permissions = 0o7777;
const setIds = 0o6000;

function giveOwner(
  path: Buffer,
  stats: { readonly uid: number; readonly gid: number },
  { uid, gid }: EntryMetadata,
): 'given' | 'refused' {
  if (stats.uid === uid && stats.gid === gid) return 'given';
  try {
    lchownSync(path, uid, gid);
    return 'given';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    return 'refused';
  }
}

/**
 * `chmod` follows symlinks, and another process may have put one there. A descriptor of the entry itself avoids that.
 */
export function changeMode(path: Buffer, mode: number): void {
  const entry = openSync(path, oPath | constants.O_NOFOLLOW);
  try {
    chmodSync(`/proc/self/fd/${entry}`, mode);
  } finally {
    closeSync(entry);
  }
}

function applyAttributes(path: Buffer, wanted: ReadonlyMap<string, Buffer>): void {
  const present = attributesOf(path);
  for (const name of present.keys()) {
    if (!wanted.has(name)) unlessForbidden(name, () => removeAttribute(path, name));
  }
  for (const [name, value] of wanted) {
    if (present.get(name)?.equals(value) !== true) unlessForbidden(name, () => setAttribute(path, name, value));
  }
}

/** Labels of the security module and of the administrator belong to the system, which gives every new file its own. */
function unlessForbidden(name: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    const foreign = name.startsWith('security.') || name.startsWith('trusted.') || name.startsWith('system.');
    if (
      !foreign ||
      !(isKernelError(error, 'EPERM') || isKernelError(error, 'ENOTSUP') || isKernelError(error, 'EACCES'))
    )
      throw error;
  }
}

/** `sys/stat.h`: leaves the time unchanged. */
const omit = 0x3ffffffen;
const symlinkItself = 0x100;
const second = 1_000_000_000n;

function setTimes(path: Buffer, { accessed, modified }: EntryMetadata): void {
  const times = Buffer.alloc(32);
  writeTime(times, 0, accessed);
  writeTime(times, 16, modified);
  kernelCall('utimensat', atFdcwd, terminated(path), times, symlinkItself);
}

function writeTime(into: Buffer, at: number, time: bigint | undefined): void {
  if (time === undefined) {
    into.writeBigInt64LE(omit, at + 8);
    return;
  }
  // Before 1970, seconds are rounded down, so that the remainder is never negative.
  const rest = ((time % second) + second) % second;
  into.writeBigInt64LE((time - rest) / second, at);
  into.writeBigInt64LE(rest, at + 8);
}

/** Returns the extended attributes of a path itself, never of a symlink's target. Empty if the file system has none. */
export function attributesOf(path: string | Uint8Array): ReadonlyMap<string, Buffer> {
  const names = sized((buffer) => kernelCall('llistxattr', terminated(path), buffer, buffer.length));
  const found = new Map<string, Buffer>();
  for (const name of names.toString('latin1').split('\0')) {
    if (name === '') continue;
    const value = sized((buffer) => kernelCall('lgetxattr', terminated(path), latin(name), buffer, buffer.length));
    found.set(name, value);
  }
  return found;
}

/** `lsetxattr(2)`. Throws `KernelError`. */
export function setAttribute(path: string | Uint8Array, name: string, value: Uint8Array): void {
  kernelCall('lsetxattr', terminated(path), latin(name), value, value.length, 0);
}

/** `lremovexattr(2)`. Throws `KernelError`, `ENODATA` for a missing attribute. */
export function removeAttribute(path: string | Uint8Array, name: string): void {
  kernelCall('lremovexattr', terminated(path), latin(name));
}

/** 64 KiB is the most that the kernel keeps in one attribute or one list (`XATTR_SIZE_MAX`, `XATTR_LIST_MAX`). */
const largest = 65_536;

function sized(read: (buffer: Buffer) => number): Buffer {
  for (const size of [256, largest]) {
    const buffer = Buffer.alloc(size);
    try {
      return buffer.subarray(0, read(buffer));
    } catch (error) {
      if (isKernelError(error, 'ERANGE') && size < largest) continue;
      if (isKernelError(error, 'ENOTSUP') || isKernelError(error, 'ENODATA')) return Buffer.alloc(0);
      throw error;
    }
  }
  return Buffer.alloc(0);
}

function latin(name: string): Uint8Array {
  return Buffer.from(`${name}\0`, 'latin1');
}
