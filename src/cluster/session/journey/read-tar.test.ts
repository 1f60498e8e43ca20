import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rounds } from '../../../../scripts/testing/extent.ts';
import { isHoldfastError } from '../../../errors/index.ts';
import { receiveWorkspace } from './receive-workspace.ts';
import { readTar } from './read-tar.ts';
import { differenceOf } from './stage-return.ts';

interface Made {
  readonly name: string;
  readonly flag?: string;
  readonly content?: string;
  readonly target?: string;
}

function archive(...entries: readonly Made[]): Buffer {
  return Buffer.concat([...entries.map(member), Buffer.alloc(1024)]);
}

function member({ name, flag = '0', content = '', target = '' }: Made): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0, 'latin1');
  head.write('0000644\0', 100);
  head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  head.write('00000000001\0', 136);
  head.write(flag, 156);
  head.write(target, 157, 'latin1');
  head.write('ustar\x0000', 257, 'latin1');
  head.fill(' ', 148, 156);
  head.write(
    `${head
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return Buffer.concat([head, Buffer.from(content.padEnd(Math.ceil(content.length / 512) * 512, '\0'))]);
}

async function* inPieces(bytes: Buffer, size = bytes.length || 1): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const sent = { workspace: '/w', taken: 0, entries: new Map(), leftOut: ['stayed'] };

async function receive(bytes: Buffer, mostBytes = 1 << 20) {
  const spool = mkdtempSync(join(tmpdir(), 'holdfast-spool-'));
  try {
    return await receiveWorkspace(inPieces(bytes), { sent, spool, mostBytes });
  } finally {
    rmSync(spool, { recursive: true, force: true });
  }
}

test.each<[string, readonly Made[], RegExp]>([
  ['a way out', [{ name: '../x' }], /no path in the workspace/u],
  ['a way out in the middle', [{ name: 'a/../../x' }], /no path in the workspace/u],
  ['an absolute path', [{ name: '/etc/passwd' }], /no path in the workspace/u],
  [
    'a file through a symlink',
    [{ name: 'a', flag: '2', target: '/etc' }, { name: 'a/passwd' }],
    /below something that is no directory/u,
  ],
  ['a file below a file', [{ name: 'a' }, { name: 'a/b' }], /below something that is no directory/u],
  ['a file below nothing', [{ name: 'a/b' }], /below something that is no directory/u],
  ['the same name twice', [{ name: 'a' }, { name: './a' }], /comes twice/u],
  [
    'a symlink that becomes a directory',
    [
      { name: 'a', flag: '2', target: '/' },
      { name: 'a', flag: '5' },
    ],
    /comes twice/u,
  ],
  ['a hard link out', [{ name: 'a', flag: '1', target: '../../etc/shadow' }], /no path in the workspace/u],
  ['a hard link to nothing', [{ name: 'a', flag: '1', target: 'b' }], /link to nothing/u],
  [
    'a long name that leads out',
    [{ name: 'L', flag: 'L', content: '../x\0' }, { name: 'y' }],
    /no path in the workspace/u,
  ],
  [
    'a pax name that leads out',
    [{ name: 'x', flag: 'x', content: '13 path=../x\n' }, { name: 'y' }],
    /no path in the workspace/u,
  ],
  ['a broken pax header', [{ name: 'x', flag: 'x', content: '99999 path=a\n' }, { name: 'y' }], /refused|back whole/u],
  [
    'an entry of headers alone',
    Array.from({ length: 9 }, () => ({ name: 'L', flag: 'L', content: 'a\0' })),
    /too many headers/u,
  ],
  ['a device of any size', [{ name: 'a', flag: '3', content: 'x'.repeat(2 << 20) }], /more than 1048576 bytes/u],
  ['too much content', [{ name: 'a', content: 'x'.repeat(2 << 20) }], /more than 1048576 bytes/u],
])('%s is refused', async (_, entries, message) => {
  await expect(receive(archive(...entries))).rejects.toThrow(message);
});

test('an archive that ends early is refused, at any place', async () => {
  const whole = archive({ name: 'a', content: 'abc' }, { name: 'b' });
  for (const length of [0, 100, 512, 600, 1024, 1536])
    await expect(receive(whole.subarray(0, length))).rejects.toThrow('ends too early');
});

test('paths that were not sent, and files that no layer can hold, are left out', async () => {
  const { entries, leftOut } = await receive(
    archive({ name: 'stayed', flag: '5' }, { name: 'stayed/x' }, { name: 'fifo', flag: '6' }, { name: 'a' }),
  );
  expect([...entries.keys()]).toEqual(['a']);
  expect(leftOut).toEqual(['stayed', 'stayed/x', 'fifo']);
});

test('the absence of an unsent entry is no deletion', () => {
  const entries = new Map([['a', { type: 'symlink', target: 'x' } as const]]);
  expect(differenceOf({ ...sent, entries }, { entries: new Map(), leftOut: [] }).deleted).toEqual(['a']);
  expect(differenceOf(sent, { entries: new Map(), leftOut: [] }).deleted).toEqual([]);
});

test('pieces of any size give the same entries', async () => {
  const whole = archive(
    { name: 'd', flag: '5' },
    { name: 'd/a', content: 'x'.repeat(700) },
    { name: 'l', flag: '2', target: 'd/a' },
  );
  for (const size of [1, 7, 511, 512, 513, 5000]) {
    const seen: string[] = [];
    for await (const { path, type, size: length } of readTar(inPieces(whole, size)))
      seen.push(`${type} ${path} ${length}`);
    expect(seen).toEqual(['directory d 0', 'file d/a 700', 'symlink l 0']);
  }
});

test('any bytes end in a list or in an error of Holdfast', async () => {
  const whole = archive(
    { name: 'd', flag: '5' },
    { name: 'd/a', content: 'abc' },
    { name: 'x', flag: 'x', content: '12 path=d/b\n' },
    { name: 'y' },
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.uint8Array({ maxLength: 20 }), async (at, bytes) => {
      const broken = Buffer.from(whole);
      broken.set(bytes.subarray(0, whole.length - at), at);
      try {
        const { entries } = await receive(broken);
        for (const path of entries.keys()) expect(path).not.toMatch(/^\/|(?:^|\/)\.\.(?:\/|$)/u);
      } catch (error) {
        expect(isHoldfastError(error)).toBe(true);
      }
    }),
    { numRuns: rounds(100) },
  );
});
