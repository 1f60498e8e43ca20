import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { imageFiles, readManifest, type ImageFile, type ImageManifest } from './manifest.ts';

/** A guest kernel and its first file system, ready to boot. */
export interface MicrovmImage {
  readonly kind: 'found';
  /** Absolute path of the kernel: an uncompressed ELF file with a PVH entry. */
  readonly kernel: string;
  /** Absolute path of the initramfs: an uncompressed cpio archive. */
  readonly initramfs: string;
  /** As the guest's `uname -r` says it. */
  readonly kernelVersion: string;
  /** SHA-256 of the manifest, which names the SHA-256 of everything else. */
  readonly digest: string;
  /** SHA-256 of the program that the guest starts first. */
  readonly guest: string;
}

export interface AbsentImage {
  readonly kind: 'absent';
  readonly remedy: string;
}

/** Name of the link that says which image counts. */
export const currentLink = 'current';

/**
 * The image below `directory` (`microvm` in the user's state directory), or what to do about its absence: there is
 * none, it is only half there, it was changed, or somebody else could change it. Reads no more than the manifest while
 * the files have the size and the time that the build gave them.
 */
export function findImage(directory: string): MicrovmImage | AbsentImage {
  return lookUp(directory, 'if-touched');
}

/** As `findImage`, and reads every byte. */
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

/** The image of a name below `directory`, whether or not it is the one that counts. */
export function imageAt(directory: string, digest: string, hashing: Hashing): MicrovmImage | AbsentImage {
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
  remedy: 'the image of the guest kernel is damaged: run `holdfast microvm build` again',
};

function manifestOf(folder: string, digest: string): ImageManifest | undefined {
  const path = join(folder, 'manifest.json');
  const status = lstatSync(path);
  if (!isPrivate(status, 'file') || status.size > 1 << 20) return undefined;
  const bytes = readFileSync(path);
  return sha256(bytes) === digest ? readManifest(bytes.toString()) : undefined;
}

/** The build sets the time of a file to zero, so that whoever writes to it later leaves a trace without meaning to. */
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
