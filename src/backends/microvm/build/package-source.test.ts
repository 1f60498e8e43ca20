import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tarReader } from './package-source.ts';
import { TestDirectory } from './testing/directory.ts';

const long = `${'d'.repeat(90)}/${'e'.repeat(90)}/f`;

function archive(format: string): Buffer {
  using directory = new TestDirectory();
  const write = (path: string, text: string): void => {
    mkdirSync(join(directory.path, path, '..'), { recursive: true });
    writeFileSync(join(directory.path, path), text);
  };
  write('boot/kernel', 'k'.repeat(1500));
  write('boot/empty', '');
  write(long, 'long');
  symlinkSync('/etc/passwd', join(directory.path, 'boot/link'));
  return execFileSync('tar', [`--format=${format}`, '--sort=name', '-cf', '-', '.'], { cwd: directory.path });
}

const archives = ['gnu', 'ustar', 'pax'].map(archive);
const expected = [
  ['boot/empty', 0],
  ['boot/kernel', 1500],
  [long, 4],
];

function read(bytes: Buffer, sizes: readonly number[]): { readonly files: unknown; readonly state: string } {
  const reader = tarReader(() => true);
  const files: unknown[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) {
    files.push(
      ...reader
        .push(Buffer.from(bytes.subarray(at, at + size)))
        .map(({ path, bytes: content }) => [path, content.length]),
    );
    at += size;
  }
  return { files, state: reader.state() };
}

test('regular files come whole, in whatever pieces the archive comes, and links do not', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...archives),
      fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 30 }),
      (bytes, sizes) => {
        expect(read(bytes, sizes)).toEqual({ files: expected, state: 'complete' });
      },
    ),
  );
});

test('a truncated archive is incomplete, and a damaged one never throws', () => {
  for (const bytes of archives) expect(read(bytes.subarray(0, 2000), []).state).toBe('reading');
  fc.assert(
    fc.property(
      fc.constantFrom(...archives),
      fc.nat(),
      fc.uint8Array({ minLength: 1, maxLength: 600 }),
      (bytes, at, rubbish) => {
        const damaged = Buffer.from(bytes);
        damaged.set(rubbish.subarray(0, Math.max(0, damaged.length - (at % damaged.length))), at % damaged.length);
        expect(['reading', 'complete', 'invalid']).toContain(read(damaged, []).state);
      },
    ),
  );
  expect(read(Buffer.alloc(1024, 'x'), []).state).toBe('invalid');
});

test('unwanted entries are not kept', () => {
  const reader = tarReader((path, size) => path === 'boot/kernel' && size < 1000);
  expect(reader.push(archives[0] ?? Buffer.alloc(0))).toEqual([]);
});
