import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BuiltImage } from './build-image.ts';
import { findImage, publishImage, removeImages, verifyImage } from './image.ts';
import { withDownloadDirectory } from './installed-source.ts';
import { TestDirectory } from './testing/directory.ts';

function image(text: string): BuiltImage {
  const [vmlinux, initramfs] = [Buffer.from(`kernel ${text}`), Buffer.from(`initramfs ${text}`)];
  const file = (bytes: Buffer): { readonly size: number; readonly sha256: string } => ({
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  return {
    vmlinux,
    initramfs,
    manifest: {
      format: 1,
      kernelVersion: '6.1',
      source: { kind: 'installed', kernel: '6.1', sha256: '0'.repeat(64) },
      files: { vmlinux: file(vmlinux), 'initramfs.cpio': file(initramfs) },
      guest: '1'.repeat(64),
      modules: [],
    },
  };
}

test('a published image is found, and the next one replaces it', () => {
  using directory = new TestDirectory();
  expect(findImage(directory.path)).toMatchObject({
    kind: 'absent',
    remedy: expect.stringContaining('holdfast microvm build'),
  });
  const first = publishImage(directory.path, image('one'));
  expect(findImage(directory.path)).toEqual(first);
  expect(readFileSync(first.kernel, 'utf8')).toBe('kernel one');
  const second = publishImage(directory.path, image('two'));
  expect(verifyImage(directory.path)).toEqual(second);
  expect(readdirSync(directory.path).toSorted()).toEqual([second.digest, 'current'].toSorted());
  expect(publishImage(directory.path, image('two'))).toEqual(second);
});

test('leftovers of killed builds do not count, and disappear with the next build', () => {
  using directory = new TestDirectory();
  const { digest } = publishImage(directory.path, image('one'));
  mkdirSync(join(directory.path, 'new-00000000-0000-0000-0000-000000000000'));
  symlinkSync('x', join(directory.path, 'link-00000000-0000-0000-0000-000000000000'));
  writeFileSync(join(directory.path, 'notes'), 'of someone else');
  expect(findImage(directory.path)).toMatchObject({ kind: 'found', digest });
  publishImage(directory.path, image('one'));
  expect(readdirSync(directory.path).toSorted()).toEqual([digest, 'current', 'notes'].toSorted());
});

describe('an image that is not whole is absent', () => {
  test.each<readonly [string, (folder: string) => void]>([
    ['the kernel is shorter', (folder) => truncateSync(join(folder, 'vmlinux'), 3)],
    [
      'the kernel is shorter and says nothing of a change',
      (folder) => (truncateSync(join(folder, 'vmlinux'), 3), utimesSync(join(folder, 'vmlinux'), 0, 0)),
    ],
    ['the kernel is not there', (folder) => unlinkSync(join(folder, 'vmlinux'))],
    [
      'the kernel is a link',
      (folder) => (unlinkSync(join(folder, 'vmlinux')), symlinkSync('/etc/passwd', join(folder, 'vmlinux'))),
    ],
    ['other bytes of the same length', (folder) => writeFileSync(join(folder, 'initramfs.cpio'), 'initramfs eno')],
    ['others may write to it', (folder) => chmodSync(join(folder, 'vmlinux'), 0o666)],
    ['the manifest has another byte', (folder) => appendFileSync(join(folder, 'manifest.json'), ' ')],
    ['the manifest is empty', (folder) => truncateSync(join(folder, 'manifest.json'), 0)],
    [
      'the manifest is a directory',
      (folder) => (unlinkSync(join(folder, 'manifest.json')), mkdirSync(join(folder, 'manifest.json'))),
    ],
    ['the whole image is gone', (folder) => rmSync(folder, { recursive: true })],
  ])('%s', (_name, damage) => {
    using directory = new TestDirectory();
    const { digest } = publishImage(directory.path, image('one'));
    chmodSync(join(directory.path, digest, 'initramfs.cpio'), 0o600);
    damage(join(directory.path, digest));
    for (const find of [findImage, verifyImage])
      expect(find(directory.path)).toMatchObject({
        kind: 'absent',
        remedy: expect.stringContaining('holdfast microvm build'),
      });
    // The same image again mends it.
    expect(publishImage(directory.path, image('one'))).toMatchObject({ kind: 'found', digest });
  });

  test.each(['/etc', '..', '../../x', 'x'])('a link to %s', (target) => {
    using directory = new TestDirectory();
    symlinkSync(target, join(directory.path, 'current'));
    expect(findImage(directory.path)).toMatchObject({ kind: 'absent' });
  });

  test('a manifest of another format under its right name', () => {
    using directory = new TestDirectory();
    for (const text of ['{}', '[]', 'null', '{"format":2}', '['.repeat(10_000), readFileSync('/etc/passwd', 'utf8')]) {
      const digest = createHash('sha256').update(text).digest('hex');
      mkdirSync(join(directory.path, digest));
      writeFileSync(join(directory.path, digest, 'manifest.json'), text);
      rmSync(join(directory.path, 'current'), { force: true });
      symlinkSync(digest, join(directory.path, 'current'));
      expect(findImage(directory.path)).toMatchObject({ kind: 'absent' });
    }
  });
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('SKIPPED: images that belong to others, because only root can make them');

test.skipIf(!isRoot).each(['vmlinux', 'manifest.json', '.'])('%s of someone else is no part of an image', (name) => {
  using directory = new TestDirectory();
  const { digest } = publishImage(directory.path, image('one'));
  chownSync(join(directory.path, digest, name), 1234, 0);
  for (const find of [findImage, verifyImage]) expect(find(directory.path).kind).toBe('absent');
});

test('a change that keeps size and time is found where every byte is read', () => {
  using directory = new TestDirectory();
  const { kernel } = publishImage(directory.path, image('one'));
  chmodSync(kernel, 0o600);
  writeFileSync(kernel, 'kernel eno');
  utimesSync(kernel, 0, 0);
  expect([findImage, verifyImage].map((find) => find(directory.path).kind)).toEqual(['found', 'absent']);
});

test('a copy with other times counts', () => {
  using directory = new TestDirectory();
  const { kernel } = publishImage(directory.path, image('one'));
  utimesSync(kernel, 1000, 1000);
  expect(findImage(directory.path).kind).toBe('found');
});

test('remove leaves nothing of it', () => {
  using directory = new TestDirectory();
  publishImage(directory.path, image('one'));
  removeImages(directory.path);
  expect(readdirSync(directory.path)).toEqual([]);
  expect(findImage(directory.path).kind).toBe('absent');
});

test('a download is gone afterwards, whatever comes of it, and so are those of processes that ended', async () => {
  using directory = new TestDirectory();
  for (const pid of ['999999999', String(process.pid)]) mkdirSync(join(directory.path, `download-${pid}`));
  const used = await withDownloadDirectory(directory.path, async (download) => {
    writeFileSync(join(download, 'kernel.deb'), 'x');
    return readdirSync(directory.path);
  });
  expect(used).toEqual([`download-${process.pid}`]);
  await expect(
    withDownloadDirectory(directory.path, () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))),
  ).rejects.toMatchObject({ code: 'HF_DISK_FULL' });
  expect(readdirSync(directory.path)).toEqual([]);
  expect(existsSync(directory.path)).toBe(true);
});

test('the link is replaced, never absent', () => {
  using directory = new TestDirectory();
  publishImage(directory.path, image('one'));
  const { digest } = publishImage(directory.path, image('two'));
  expect(readlinkSync(join(directory.path, 'current'))).toBe(digest);
});
