import { chmodSync, chownSync, closeSync, constants, fstatSync, type BigIntStats } from 'node:fs';
import { atFdcwd, attributesOf, isKernelError, kernelCall, oPath, openAt, type NameAt } from '../../kernel/index.ts';
import { pathAt } from './tree.ts';
import type { StepMetadata } from './types.ts';

/** Returns owner, mode, times and attributes of an entry, without the overlay's own attributes. */
export function metadataAt(place: NameAt, stats: BigIntStats): StepMetadata {
  const attributes = stats.isFile() || stats.isDirectory() ? attributesOf(pathAt(place)) : new Map<string, Buffer>();
  return {
    mode: Number(stats.mode & 0o7777n),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
    accessed: stats.atimeNs,
    modified: stats.mtimeNs,
    attributes: new Map([...attributes].filter(([name]) => isCarried(name))),
  };
}

/** Returns the overlay's own attributes of an entry. They mean something only in an upper directory. */
export function marksAt(place: NameAt, stats: BigIntStats): ReadonlyMap<string, Buffer> {
  if (!stats.isFile() && !stats.isDirectory()) return new Map();
  return new Map([...attributesOf(pathAt(place))].filter(([name]) => name.startsWith('user.overlay.')));
}

/**
 * Sets the metadata of an entry. Opens the entry first and changes the opened one, so that exchanging the name for a
 * symlink gains nothing. Throws `KernelError` and the errors of `node:fs`.
 */
export function applyStepMetadata(place: NameAt, wanted: StepMetadata): void {
  const descriptor = openAt(place.directory, Buffer.from(place.name), { flags: oPath | constants.O_NOFOLLOW });
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    const strange = Number(stats.uid) !== wanted.uid || Number(stats.gid) !== wanted.gid;
    if (stats.isSymbolicLink()) return dressSymlink(place, wanted, strange);
    const path = `/proc/self/fd/${descriptor}`;
    if (strange) chownSync(path, wanted.uid, wanted.gid);
    if (stats.isFile() || stats.isDirectory()) applyAttributes(path, attributesOf(pathAt(place)), wanted.attributes);
    if (strange || Number(stats.mode & 0o7777n) !== wanted.mode) chmodSync(path, wanted.mode);
    kernelCall('utimensat', atFdcwd, path, timesOf(wanted), 0);
  } finally {
    closeSync(descriptor);
  }
}

/** Sets only the modification time, for a directory that must not look changed. */
export function restoreTimes(place: NameAt, { accessed, modified }: StepMetadata): void {
  kernelCall(
    'utimensat',
    place.directory,
    Buffer.concat([Buffer.from(place.name), Buffer.alloc(1)]),
    timesOf({ accessed, modified }),
    noFollow,
  );
}

/** `AT_SYMLINK_NOFOLLOW` of `fcntl.h`. */
const noFollow = 0x100;

function dressSymlink(place: NameAt, wanted: StepMetadata, strange: boolean): void {
  const name = Buffer.concat([Buffer.from(place.name), Buffer.alloc(1)]);
  if (strange) kernelCall('fchownat', place.directory, name, wanted.uid, wanted.gid, noFollow);
  kernelCall('utimensat', place.directory, name, timesOf(wanted), noFollow);
}

function applyAttributes(
  path: string,
  present: ReadonlyMap<string, Buffer>,
  wanted: ReadonlyMap<string, Buffer>,
): void {
  for (const name of present.keys())
    if (isCarried(name) && !wanted.has(name)) kernelCall('removexattr', path, latin(name));
  for (const [name, value] of wanted) if (present.get(name)?.equals(value) !== true) setCarried(path, name, value);
}

/** Only root can set a file capability. An accept by another user leaves it out. */
function setCarried(path: string, name: string, value: Buffer): void {
  try {
    kernelCall('setxattr', path, latin(name), value, value.length, 0);
  } catch (error) {
    if (!(name.startsWith('security.') && isKernelError(error, 'EPERM'))) throw error;
  }
}

/** `struct timespec[2]`. */
function timesOf({ accessed, modified }: Pick<StepMetadata, 'accessed' | 'modified'>): Buffer {
  const times = Buffer.alloc(32);
  for (const [index, time] of [accessed, modified].entries()) {
    const nanoseconds = ((time % second) + second) % second;
    times.writeBigInt64LE((time - nanoseconds) / second, index * 16);
    times.writeBigInt64LE(nanoseconds, index * 16 + 8);
  }
  return times;
}

const second = 1_000_000_000n;

/**
 * Returns whether an attribute is part of an entry on the host. `trusted.*` and labels of security modules belong to
 * the machine.
 */
function isCarried(name: string): boolean {
  return (
    (name.startsWith('user.') && !name.startsWith('user.overlay.')) ||
    name.startsWith('system.posix_acl_') ||
    name === 'security.capability'
  );
}

function latin(name: string): Uint8Array {
  return Buffer.from(`${name}\0`, 'latin1');
}
