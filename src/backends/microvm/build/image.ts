import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { BuiltImage } from './build-image.ts';
import { diskError, imageError } from './image-error.ts';
import { type ImageFile, imageFiles, type ImageManifest, readImageManifest, writeImageManifest } from './manifest.ts';

/** A guest kernel and its first file system, ready to boot. */
export interface MicrovmImage {
  readonly kind: 'found';
  /** Absolute path of the kernel: an uncompressed ELF file with a PVH entry. */
  readonly kernel: string;
  /** Absolute path of the initramfs: an uncompressed cpio archive. */
  readonly initramfs: string;
  /** Version of the guest's kernel, as in `uname -r`. */
  readonly kernelVersion: string;
  /** SHA-256 of the manifest, which has the SHA-256 of everything else. */
  readonly digest: string;
  /** SHA-256 of the guest's first program. */
  readonly guest: string;
}

export interface AbsentImage {
  readonly kind: 'absent';
  readonly remedy: string;
}

/** Name of the link to the current image. */
const currentLink = 'current';

/**
 * Finds the image below `directory` (`microvm` in the user's state directory). If it is missing, incomplete, changed,
 * or writable by others, returns a remedy instead. Reads only the manifest if the files still have the size and the
 * time that the build gave them.
 */
export function findImage(directory: string): MicrovmImage | AbsentImage {
  return lookUp(directory, 'if-touched');
}

/** Like `findImage`, but reads every byte. */
export function verifyImage(directory: string): MicrovmImage | AbsentImage {
  return lookUp(directory, 'always');
}

function lookUp(directory: string, hashing: Hashing): MicrovmImage | AbsentImage {
  try {
    const digest = readlinkSync(join(directory, currentLink));
    return isPrivate(lstatSync(directory), 'directory') && /^[0-9a-f]{64}$/u.test(digest)
      ? imageAt(directory, digest, hashing)
      : damaged;
  } catch (error) {
    return isAbsence(error) ? absent : damaged;
  }
}

type Hashing = 'always' | 'if-touched';

/** Returns the image with this name below `directory`, whether it is the current one or not. */
function imageAt(directory: string, digest: string, hashing: Hashing): MicrovmImage | AbsentImage {
  const folder = join(directory, digest);
  try {
    const manifest = isPrivate(lstatSync(folder), 'directory') ? manifestOf(folder, digest) : undefined;
    if (
      manifest === undefined ||
      !imageFiles.every((name) => isWhole(join(folder, name), manifest.files[name], hashing))
    )
      return damaged;
    return {
      kind: 'found',
      kernel: join(folder, 'vmlinux'),
      initramfs: join(folder, 'initramfs.cpio'),
      kernelVersion: manifest.kernelVersion,
      digest,
      guest: manifest.guest,
    };
  } catch {
    return damaged;
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

const absent: AbsentImage = {
  kind: 'absent',
  remedy: 'run `holdfast microvm build`, which makes a guest kernel from the packages of the distribution',
};
const damaged: AbsentImage = {
  kind: 'absent',
  remedy: 'run `holdfast microvm build` again: the image of the guest kernel is damaged',
};

function manifestOf(folder: string, digest: string): ImageManifest | undefined {
  const path = join(folder, 'manifest.json');
  const status = lstatSync(path);
  if (!isPrivate(status, 'file') || status.size > 1 << 20) return undefined;
  const bytes = readFileSync(path);
  return sha256(bytes) === digest ? readImageManifest(bytes.toString()) : undefined;
}

/** The build sets a file's time to zero, so any later write changes the time. */
function isWhole(path: string, expected: ImageFile, hashing: Hashing): boolean {
  const status = lstatSync(path);
  if (!isPrivate(status, 'file') || status.size !== expected.size) return false;
  return (hashing === 'if-touched' && status.mtimeMs === 0) || sha256(readFileSync(path)) === expected.sha256;
}

function isPrivate(status: Stats, type: 'file' | 'directory'): boolean {
  const owners = [0, process.getuid?.()];
  return (
    (type === 'file' ? status.isFile() : status.isDirectory()) &&
    owners.includes(status.uid) &&
    (status.mode & 0o022) === 0
  );
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Writes an image below `directory`, which is created with mode 0700 if missing. Makes the image the current one in one
 * step, and removes the old one. The caller must hold the lock of the directory. Throws `HF_DISK_FULL`, and then leaves
 * the old image as it was.
 */
export function publishImage(directory: string, built: BuiltImage): MicrovmImage {
  const fresh = join(directory, `new-${randomUUID()}`);
  try {
    const manifest = writeImageManifest(built.manifest);
    const digest = createHash('sha256').update(manifest).digest('hex');
    mkdirSync(fresh, { recursive: true, mode: 0o700 });
    writeWhole(join(fresh, 'vmlinux'), built.vmlinux);
    writeWhole(join(fresh, 'initramfs.cpio'), built.initramfs);
    writeWhole(join(fresh, 'manifest.json'), Buffer.from(manifest));
    settle(directory, fresh, digest);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw diskError(error, directory);
  }
  const image = verifyImage(directory);
  if (image.kind === 'absent')
    throw imageError(
      `the files written to ${directory} cannot be read back: another process changes them, or the disk is damaged`,
      image.remedy,
    );
  removeOthers(directory, image.digest);
  return image;
}

/**
 * Removes every image, and everything that killed builds left behind. The caller must hold the lock of the directory.
 */
export function removeImages(directory: string): void {
  rmSync(join(directory, currentLink), { force: true });
  removeOthers(directory, undefined);
}

function settle(directory: string, fresh: string, digest: string): void {
  if (imageAt(directory, digest, 'always').kind === 'found') rmSync(fresh, { recursive: true });
  else {
    // An image with this name is incomplete, and cannot be used.
    rmSync(join(directory, digest), { recursive: true, force: true });
    renameSync(fresh, join(directory, digest));
  }
  const link = join(directory, `link-${randomUUID()}`);
  symlinkSync(digest, link);
  renameSync(link, join(directory, currentLink));
}

function writeWhole(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', 0o400);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  utimesSync(path, 0, 0);
}

/** Removes only files that a build made, because the directory may be any directory. */
function removeOthers(directory: string, digest: string | undefined): void {
  for (const name of readdirSync(directory))
    if (name !== digest && /^(?:[0-9a-f]{64}|(?:new|link)-[0-9a-f-]{36})$/u.test(name))
      rmSync(join(directory, name), { recursive: true, force: true });
}
