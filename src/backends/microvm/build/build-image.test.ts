import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildImage, type BuiltImage, type CpioEntry, writeCpio } from './build-image.ts';
import { installedSource } from './installed-source.ts';
import { packageSource } from './package-source.ts';
import { TestDirectory } from './testing/directory.ts';
import { makeElf } from './testing/make-elf.ts';
import { makeBzImage, otherKernel, pvhKernel } from './testing/make-kernel.ts';
import { makePackage, testVersion, usualModules, type PackageParts } from './testing/make-package.ts';

const guest = makeElf({});

async function built(parts: PackageParts = {}): Promise<BuiltImage> {
  using directory = new TestDirectory();
  return await buildImage(await packageSource(makePackage(directory.path, parts)), guest, () => undefined);
}

async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    (error: unknown) =>
      error instanceof Error && 'code' in error ? `${String(error.code)} ${error.message}` : String(error),
  );
}

describe('an image of a package', () => {
  test('has the kernel as it is in the package, and the modules in an order in which they load', async () => {
    const { vmlinux, manifest, initramfs } = await built();
    expect(vmlinux.equals(pvhKernel)).toBe(true);
    expect(manifest).toMatchObject({
      kernelVersion: testVersion,
      source: { kind: 'package', name: `linux-image-${testVersion}`, version: '1.2-3' },
    });
    expect(contentOf(initramfs, 'modules/list').split('\n')).toEqual([
      'virtio.ko',
      'virtio_ring.ko',
      'virtio_mmio.ko',
      'virtio_console.ko',
      '9pnet.ko',
      '9pnet_virtio.ko',
      'netfs.ko',
      'fscache.ko',
      '9p.ko',
      'failover.ko',
      'net_failover.ko',
      'virtio_net.ko',
      'virtio_rng.ko',
      '',
    ]);
    // virtiofs needs fuse, which this kernel lacks.
    expect(contentOf(initramfs, 'modules/further')).toBe('overlay.ko\n');
    expect(contentOf(initramfs, 'modules/virtio.ko')).toContain('vermagic=');
  });

  test('has the same bytes each time', async () => {
    const [first, second] = [await built(), await built({})];
    expect(first.initramfs.equals(second.initramfs)).toBe(true);
    const { source: _first, ...left } = first.manifest;
    const { source: _second, ...right } = second.manifest;
    expect(left).toEqual(right);
  });

  test.each(['xz', 'zstd', 'gzip'] as const)('has a kernel that is compressed with %s', async (compression) => {
    const { vmlinux } = await built({ kernel: makeBzImage({ version: testVersion, vmlinux: pvhKernel, compression }) });
    expect(vmlinux.equals(pvhKernel)).toBe(true);
  });

  test('can be made of a kernel that is installed', async () => {
    using directory = new TestDirectory();
    makePackage(directory.path);
    const installed = await buildImage(
      installedSource(testVersion, join(directory.path, 'root')),
      guest,
      () => undefined,
    );
    expect(installed.initramfs.equals((await built()).initramfs)).toBe(true);
    expect(installed.manifest.source.kind).toBe('installed');
  });
});

describe('refused files', () => {
  const withoutNinep = Object.fromEntries(Object.entries(usualModules).filter(([path]) => !path.includes('9p')));
  test.each<readonly [string, PackageParts, RegExp]>([
    ['a kernel for clouds', { modules: withoutNinep }, /lacks the modules 9pnet_virtio, 9p$/u],
    ['modules of another kernel', { moduleVersion: '6.1.0-1-other' }, /is for the kernel "6\.1\.0-1-other"/u],
    [
      'a kernel without PVH',
      { kernel: makeBzImage({ version: testVersion, vmlinux: otherKernel, compression: 'gzip' }) },
      /without CONFIG_PVH/u,
    ],
    [
      'a kernel that is half there',
      { kernel: makeBzImage({ version: testVersion, vmlinux: pvhKernel, compression: 'xz' }).subarray(0, -60) },
      /shorter than its header says/u,
    ],
    [
      'a kernel with another size than its own',
      { kernel: withSize(makeBzImage({ version: testVersion, vmlinux: pvhKernel, compression: 'zstd' }), 1) },
      /or only a part of one/u,
    ],
    [
      'a kernel of another version',
      { kernel: makeBzImage({ version: '5.0', vmlinux: pvhKernel, compression: 'xz' }) },
      /says that it is 5\.0/u,
    ],
    [
      'a kernel that is not a program',
      { kernel: makeBzImage({ version: testVersion, vmlinux: Buffer.alloc(5000, 'x'), compression: 'zstd' }) },
      /is damaged/u,
    ],
    ['something else in its place', { kernel: Buffer.alloc(5000, 'x') }, /no header of the x86 boot protocol/u],
    ['another architecture', { architecture: 'arm64' }, /is for arm64/u],
    ['two kernels', { files: { 'boot/vmlinuz-6.9': Buffer.from('x') } }, /several kernels/u],
    [
      'a module that is none',
      { files: { [`lib/modules/${testVersion}/kernel/fs/9p/9p.ko`]: Buffer.from('rubbish') } },
      /module 9p is damaged/u,
    ],
  ])('%s', async (_name, parts, message) => {
    expect(await failure(built(parts))).toMatch(new RegExp(`^HF_IMAGE_FAILED .*${message.source}`, 'u'));
  });

  test('a package that is half there, empty, of another kind or not there', async () => {
    using directory = new TestDirectory();
    const file = makePackage(directory.path);
    const half = join(directory.path, 'half.deb');
    cpSync(file, half);
    truncateSync(half, 6000);
    writeFileSync(join(directory.path, 'empty.deb'), '');
    for (const path of [
      half,
      join(directory.path, 'empty.deb'),
      join(directory.path, 'none.deb'),
      directory.path,
      '/dev/null',
    ])
      expect(await failure(packageSource(path)), path).toMatch(/^HF_IMAGE_FAILED /u);
  });

  test('a guest that needs libraries, and a file that is not a program', async () => {
    using directory = new TestDirectory();
    const source = await packageSource(makePackage(directory.path));
    for (const program of [
      Buffer.from('#!/bin/sh\n'),
      makeElf({ segments: [{ type: 3, bytes: Buffer.from('/lib/ld.so\0') }] }),
    ])
      expect(await failure(buildImage(source, program, () => undefined))).toMatch(/not a static program/u);
  });

  test.each(['../../etc', '', '.', 'a/b', '6.1.0-99-absent'])(
    'an installed kernel that is called %j',
    async (version) => {
      await expect(async () => installedSource(version, '/')).rejects.toMatchObject({ code: 'HF_IMAGE_FAILED' });
    },
  );
});

test('reading a package leaves nothing beside it', async () => {
  using directory = new TestDirectory();
  const file = makePackage(directory.path);
  const before = readdirSync(directory.path);
  await packageSource(file);
  expect(readdirSync(directory.path)).toEqual(before);
});

/** The size stands before what follows the payload. */
function withSize(bzImage: Buffer, size: number): Buffer {
  bzImage.writeUInt32LE(size, bzImage.length - 'after it'.length - 4);
  return bzImage;
}

/** By another program than ours, which checks the format on the way. */
function contentOf(archive: Buffer, path: string): string {
  using directory = new TestDirectory();
  execFileSync('cpio', ['--extract', '--quiet', '--make-directories', '--nonmatching', 'dev/console'], {
    cwd: directory.path,
    input: archive,
  });
  return readFileSync(join(directory.path, path), 'latin1');
}

const entries: readonly CpioEntry[] = [
  { kind: 'file', path: 'init', mode: 0o755, bytes: Buffer.from('program') },
  { kind: 'directory', path: 'dev', mode: 0o755 },
  { kind: 'device', path: 'dev/console', mode: 0o600, device: [5, 1] },
];

test('cpio lists its entries as owned by root, from the beginning of time', () => {
  const listed = execFileSync('cpio', ['--list', '--verbose', '--numeric-uid-gid', '--quiet'], {
    input: writeCpio(entries),
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
  }).toString();
  expect(
    listed
      .trim()
      .split('\n')
      .map((line) => line.replace(/ +/gu, ' ')),
  ).toEqual([
    'drwxr-xr-x 2 0 0 0 Jan 1 1970 dev',
    'crw------- 1 0 0 5, 1 Jan 1 1970 dev/console',
    '-rwxr-xr-x 1 0 0 7 Jan 1 1970 init',
  ]);
});

test('the order in which entries are given does not matter', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...entries], { minLength: entries.length }), (shuffled) => {
      expect(writeCpio(shuffled).equals(writeCpio(entries))).toBe(true);
    }),
  );
});
