import { Readable } from 'node:stream';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeOf } from '../../../../scripts/testing/work-time.ts';
import { readFetchBody } from './read-body.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const text = Buffer.from('hello '.repeat(1000));

function stream(bytes: Buffer, size = 100): Readable {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return Readable.from(pieces, { objectMode: false });
}

describe('codings', () => {
  test.each([
    ['', text],
    ['identity', text],
    ['gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
  ])('%s', async (coding, encoded) => {
    for (const size of [1, 7, 100_000])
      expect(await readFetchBody(stream(encoded, size), coding, 10_000)).toEqual({
        kind: 'read',
        bytes: text,
        truncated: false,
      });
  });

  test.each(['zstd', 'compress', 'gzip, gzip', 'gzip,br', 'x', 'a'.repeat(1000)])('%s is not known', async (coding) => {
    const read = await readFetchBody(stream(text), coding, 10_000);
    expect(read.kind).toBe('unknown coding');
    expect(read.kind === 'unknown coding' ? read.coding.length : 0).toBeLessThanOrEqual(100);
  });

  test.each([
    ['gzip', Buffer.from('not gzip')],
    ['gzip', gzipSync(text).subarray(0, 30)],
    ['br', Buffer.from('not brotli at all, certainly')],
    ['deflate', Buffer.from([0x78, 0x9c, 1, 2, 3])],
  ])('broken %s rejects', async (coding, encoded) => {
    await expect(readFetchBody(stream(encoded), coding, 10_000)).rejects.toThrow();
  });

  test('an empty body is empty in every coding', async () => {
    for (const coding of ['', 'gzip', 'br', 'deflate'])
      expect(await readFetchBody(stream(Buffer.alloc(0)), coding, 10)).toEqual({
        kind: 'read',
        bytes: Buffer.alloc(0),
        truncated: false,
      });
  });
});

describe('limits', () => {
  test.each([
    [5999, true],
    [6000, false],
    [6001, false],
    [1, true],
    [0, true],
  ])('of %i bytes of 6,000: truncated is %s', async (maxBytes, truncated) => {
    for (const [coding, encoded] of [
      ['', text],
      ['gzip', gzipSync(text)],
    ] as const) {
      const read = await readFetchBody(stream(encoded), coding, maxBytes);
      expect(read).toMatchObject({ truncated });
      expect(read.kind === 'read' ? read.bytes.length : -1).toBe(Math.min(maxBytes, 6000));
    }
  });

  test.each([
    ['gzip', gzipSync(Buffer.alloc(200_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(200_000_000))],
    ['deflate', deflateSync(Buffer.alloc(200_000_000))],
  ])('a %s bomb of 200 MB is not unpacked', async (coding, bomb) => {
    const before = process.memoryUsage().rss;
    const read = await readFetchBody(stream(bomb, 10_000), coding, 1_000_000);
    expect(read).toMatchObject({ truncated: true });
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    // Its beginning alone is unpacked: a hundred times as much as may be taken costs several times as much.
    const costOf = (most: number): Promise<number> => timeOf(() => readFetchBody(stream(bomb, 10_000), coding, most));
    const [beginning, much] = [await costOf(1_000_000), await costOf(100_000_000)];
    expect(much / beginning).toBeGreaterThan(4);
  });

  test('an endless archive without content ends', async () => {
    const nothing = gzipSync(Buffer.alloc(0));
    let sent = 0;
    const endless = Readable.from(
      (async function* () {
        for (;;) {
          sent += nothing.length;
          yield nothing;
        }
      })(),
      { objectMode: false },
    );
    expect(await readFetchBody(endless, 'gzip', 1000)).toMatchObject({ bytes: Buffer.alloc(0), truncated: true });
    expect(sent).toBeLessThan(500_000);
  });

  test('an endless body is stopped and its source closed', async () => {
    const endless = Readable.from(
      (async function* () {
        for (;;) yield Buffer.alloc(1000);
      })(),
      { objectMode: false },
    );
    expect(await readFetchBody(endless, '', 10_000)).toMatchObject({ truncated: true });
  });
});

test('a source that breaks rejects', async () => {
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('a');
      throw new Error('reset');
    })(),
    { objectMode: false },
  );
  await expect(readFetchBody(broken, '', 1000)).rejects.toThrow('reset');
});

test('any bytes in any coding are read or rejected, within the limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom('', 'gzip', 'br', 'deflate'),
      fc.nat({ max: 200 }),
      async (bytes, coding, maxBytes) => {
        const read = await readFetchBody(stream(Buffer.from(bytes), 50), coding, maxBytes).catch(() => undefined);
        if (read?.kind === 'read') expect(read.bytes.length).toBeLessThanOrEqual(maxBytes);
      },
    ),
    { numRuns: rounds(200) },
  );
});
