import { createHash } from 'node:crypto';
import { readBzImage } from './bzimage.ts';
import { decompress } from './decompress.ts';
import { readElf, segmentType } from './elf.ts';
import { imageError } from './image-error.ts';
import { writeInitramfs } from './initramfs.ts';
import type { KernelSource } from './kernel-source.ts';
import type { ImageFile, ImageManifest } from './manifest.ts';
import { hasPvhEntry } from './pvh.ts';
import { selectModules } from './select-modules.ts';

/** An image that is not on the disk yet. */
export interface BuiltImage {
  readonly manifest: ImageManifest;
  readonly vmlinux: Buffer;
  readonly initramfs: Buffer;
}

/**
 * The image of a kernel and of the program that its guest starts first: the same bytes for the same two. Writes nothing. Throws
 * `HF_IMAGE_FAILED` for a kernel or a program that no guest could boot with.
 */
export async function buildImage(source: KernelSource, guest: Buffer, progress: (line: string) => void): Promise<BuiltImage> {
  if (readElf(guest)?.segments.every(({ type }) => type !== segmentType.interpreter) !== true) throw imageError('the program of the guest is no static program for x86-64', 'build it with `make -C native`, on x86-64');
  progress(`unpacking the kernel ${source.version}`);
  const vmlinux = await unpackKernel(source);
  progress('choosing its modules');
  const modules = await selectModules(source);
  const initramfs = writeInitramfs(guest, modules);
  return {
    vmlinux,
    initramfs,
    manifest: {
      format: 1,
      kernelVersion: source.version,
      source: source.origin,
      files: { vmlinux: fileOf(vmlinux), 'initramfs.cpio': fileOf(initramfs) },
      guest: sha256(guest),
      modules: [...modules.needed, ...modules.further].map(({ name, bytes }) => ({ name, sha256: sha256(bytes) })),
    },
  };
}

/** Bytes. Debian's has 66 MB. */
const largestVmlinux = 512 << 20;
const remedy = 'give the package of another kernel with --package';

async function unpackKernel({ kernel, version }: KernelSource): Promise<Buffer> {
  const image = readBzImage(kernel);
  if (image.kind === 'invalid') throw imageError(`the kernel ${version} is damaged or of another kind: ${image.why}`, remedy);
  if (image.version !== version) throw imageError(`the kernel ${version} says that it is ${image.version}`, remedy);
  const bytes = await decompress(image.payload, image.compression, { most: largestVmlinux, what: `the kernel ${version}` });
  const elf = bytes.length === image.size ? readElf(bytes) : undefined;
  if (elf === undefined) throw imageError(`the kernel ${version} is damaged: what is in it is no program for x86-64, or not all of it`, remedy);
  if (!hasPvhEntry(elf)) throw imageError(`the kernel ${version} cannot be started directly: it was built without CONFIG_PVH`, remedy);
  return bytes;
}

function fileOf(bytes: Buffer): ImageFile {
  return { size: bytes.length, sha256: sha256(bytes) };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
