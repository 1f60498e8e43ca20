import { spawnSync } from 'node:child_process';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { KernelCompression } from '../bzimage.ts';
import { makeElf, makeNote } from './make-elf.ts';

export const pvhKernel = makeElf({
  segments: [{ type: 4, bytes: Buffer.concat([makeNote('Xen', 6), makeNote('Other', 18), makeNote('Xen', 18)]) }],
});
export const otherKernel = makeElf({
  segments: [{ type: 4, bytes: Buffer.concat([makeNote('Xen', 6), makeNote('Other', 18)]) }],
});

/** A bzImage with this kernel. */
export function makeBzImage({
  version,
  vmlinux,
  compression,
}: {
  readonly version: string;
  readonly vmlinux: Buffer;
  readonly compression: KernelCompression;
}): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(vmlinux.length);
  const payload = Buffer.concat(
    compression === 'gzip'
      ? [gzipSync(vmlinux)]
      : [compression === 'zstd' ? zstdCompressSync(vmlinux) : xz(vmlinux), size],
  );
  const header = Buffer.alloc(3 * 512 + 16);
  header.writeUInt8(2, 0x1f1);
  header.write('HdrS', 0x202, 'latin1');
  header.writeUInt16LE(0x20f, 0x206);
  header.writeUInt16LE(0x300 - 0x200, 0x20e);
  header.write(`${version} (someone@example.com) #1 SMP\0`, 0x300, 'latin1');
  header.writeUInt32LE(16, 0x248);
  header.writeUInt32LE(payload.length, 0x24c);
  return Buffer.concat([header, payload, Buffer.from('after it')]);
}

export function xz(bytes: Buffer): Buffer {
  return spawnSync('/usr/bin/xz', ['--stdout', '--check=crc32'], { input: bytes, maxBuffer: 1 << 26 }).stdout;
}
