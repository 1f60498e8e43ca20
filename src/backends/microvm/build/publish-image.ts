import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { BuiltImage } from './build-image.ts';
import { diskError, imageError } from './image-error.ts';
import { currentLink, imageAt, verifyImage, type MicrovmImage } from './image.ts';
import { writeManifest } from './manifest.ts';

/**
 * Puts an image below `directory` (mode 0700; made when it is not there) and makes it the one that counts, in one step;
 * what stood there before goes. Only for who holds the lock of the directory. Throws `HF_DISK_FULL`, and leaves what
 * was there as it was.
 */
export function publishImage(directory: string, built: BuiltImage): MicrovmImage {
  const fresh = join(directory, `new-${randomUUID()}`);
  try {
    const manifest = writeManifest(built.manifest);
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
      `what was written to ${directory} cannot be read back: somebody changes it, or the disk is damaged`,
      image.remedy,
    );
  removeOthers(directory, image.digest);
  return image;
}

/** Removes every image, and what builds left that were killed. Only for who holds the lock of the directory. */
export function removeImages(directory: string): void {
  rmSync(join(directory, currentLink), { force: true });
  removeOthers(directory, undefined);
}

function settle(directory: string, fresh: string, digest: string): void {
  if (imageAt(directory, digest, 'always').kind === 'found') rmSync(fresh, { recursive: true });
  else {
    // What has this name and is not whole serves nobody.
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

/** Only what a build makes: the directory may be anywhere. */
function removeOthers(directory: string, digest: string | undefined): void {
  for (const name of readdirSync(directory))
    if (name !== digest && /^(?:[0-9a-f]{64}|(?:new|link)-[0-9a-f-]{36})$/u.test(name))
      rmSync(join(directory, name), { recursive: true, force: true });
}
