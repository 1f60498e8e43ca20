import {
  brotliCompressSync,
  constants,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyFrom } from '../../egress/http/interceptor.ts';
import { type Body, field } from '../../egress/http/message.ts';
import { type ContentCoding, contentCodings, decodeBody } from './content-codings.ts';
import { maskBody } from '../inject/exchange.ts';
import { createMasker } from './masker.ts';
import { chunksOf } from './testing/chunks.ts';

function bodyOf(chunks: readonly Buffer[], length?: number): Body {
  async function* each(): AsyncGenerator<Buffer, void> {
    yield* chunks;
  }
  return bodyFrom(each(), { ...(length === undefined ? {} : { length }), trailers: () => [field('X-Last', '1')] });
}

async function textOf(body: Body): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const coders: readonly (readonly [ContentCoding, (bytes: Buffer) => Buffer])[] = [
  ['gzip', (bytes) => gzipSync(bytes)],
  ['deflate', (bytes) => deflateSync(bytes)],
  ['deflate', (bytes) => deflateRawSync(bytes)],
  ['br', (bytes) => brotliCompressSync(bytes)],
  ['zstd', (bytes) => zstdCompressSync(bytes)],
];

describe('the name of a coding', () => {
  test.each([
    [undefined, []],
    ['', []],
    ['identity', []],
    ['gzip', ['gzip']],
    ['X-GZIP', ['gzip']],
    [' br ', ['br']],
    ['deflate, gzip', ['deflate', 'gzip']],
    ['identity, zstd,', ['zstd']],
  ])('%j is known', (header, codings) => {
    expect(contentCodings(header)).toEqual({ kind: 'known', codings });
  });

  test.each([
    ['compress', 'compress'],
    ['gzip, dcb', 'dcb'],
    ['gzip;q=1', 'gzip;q=1'],
    ['gzip, gzip, gzip', 'gzip, gzip, gzip'],
    ['g zip', 'g zip'],
  ])('%j is not', (header, coding) => {
    expect(contentCodings(header)).toEqual({ kind: 'unknown', coding });
  });
});

describe('content', () => {
  test.each(coders)('in %s is decoded however it comes', async (coding, code) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 2000 }), fc.integer({ min: 1, max: 50 }), async (text, length) => {
        expect(await textOf(decodeBody(bodyOf(chunksOf(code(Buffer.from(text)), [length])), [coding]))).toBe(text);
      }),
      { numRuns: 20 },
    );
  });

  test('in two codings is decoded from the last to the first', async () => {
    expect(await textOf(decodeBody(bodyOf([brotliCompressSync(gzipSync('twice'))]), ['gzip', 'br']))).toBe('twice');
  });

  test.each(coders)('in %s of no bytes is empty', async (coding) => {
    expect(await textOf(decodeBody(bodyOf([]), [coding]))).toBe('');
    expect(await textOf(decodeBody(bodyOf([Buffer.alloc(0)]), [coding]))).toBe('');
  });

  test.each(coders)('in %s that is cut short or malformed breaks off', async (coding, code) => {
    const whole = code(Buffer.from('EXAMPLE '.repeat(1000)));
    await expect(textOf(decodeBody(bodyOf([whole.subarray(0, -3)]), [coding]))).rejects.toThrow();
    await expect(textOf(decodeBody(bodyOf([Buffer.from('no such thing as this coding')]), [coding]))).rejects.toThrow();
  });

  test.each(coders)(
    'in %s that goes on behind its end breaks off, and is not taken for the part before',
    async (coding, code) => {
      const behind =
        coding === 'gzip' ? Buffer.concat([Buffer.alloc(1), code(Buffer.from('more'))]) : code(Buffer.from('more'));
      for (const text of ['', 'first'])
        await expect(
          textOf(decodeBody(bodyOf([Buffer.concat([code(Buffer.from(text)), behind])]), [coding])),
        ).rejects.toThrow(`behind the end of its ${coding}`);
    },
  );

  test('that was not coded is the very same', () => {
    const body = bodyOf([], 5);
    expect(decodeBody(body, [])).toBe(body);
  });

  test('has no length any more, and the trailers that it had', async () => {
    const decoded = decodeBody(bodyOf([gzipSync('x')], 21), ['gzip']);
    await textOf(decoded);
    expect([decoded.length, decoded.trailers()]).toEqual([undefined, [field('X-Last', '1')]]);
  });

  test('that breaks off in its source breaks off', async () => {
    async function* broken(): AsyncGenerator<Buffer, void> {
      yield gzipSync('x').subarray(0, 12);
      throw new Error('The connection was closed.');
    }
    await expect(textOf(decodeBody(bodyFrom(broken()), ['gzip']))).rejects.toThrow('The connection was closed.');
  });

  test('that nobody reads to its end is released', async () => {
    const gone = Promise.withResolvers<string>();
    async function* endless(): AsyncGenerator<Buffer, void> {
      try {
        for (;;) yield gzipSync(Buffer.alloc(1 << 20));
      } finally {
        gone.resolve('gone');
      }
    }
    for await (const _ of decodeBody(bodyFrom(endless()), ['gzip'])) break;
    expect(await gone.promise).toBe('gone');
  });

  test('that grows a thousandfold comes in small pieces, of which no more is made than is read', async () => {
    let given = 0;
    async function* bomb(): AsyncGenerator<Buffer, void> {
      for (; given < 1000; given += 1) yield gzipSync(Buffer.alloc(4 << 20));
    }
    let read = 0;
    for await (const chunk of decodeBody(bodyFrom(bomb()), ['gzip'])) {
      expect(chunk.length).toBeLessThanOrEqual(1 << 20);
      read += chunk.length;
      if (read > 32 << 20) break;
    }
    expect(given).toBeLessThan(100);
  });

  test('in zstd that asks for a window of more than 8 MiB breaks off', async () => {
    const compress = createZstdCompress({
      params: { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_compressionLevel]: 3 },
    });
    const bytes = Buffer.alloc(16 << 20, 'EXAMPLE');
    const chunks: Buffer[] = [];
    compress.on('data', (chunk: Buffer) => chunks.push(chunk));
    compress.write(bytes);
    compress.end(bytes);
    await new Promise((resolve) => compress.once('end', resolve));
    await expect(textOf(decodeBody(bodyOf(chunks), ['zstd']))).rejects.toThrow();
  });
});

describe('a body that is masked', () => {
  const masker = createMasker({ known: () => [{ credential: 'c', text: 'EXAMPLE-secret' }] });

  test('keeps its length and trailers, and comes as it came', async () => {
    const told: string[] = [];
    const body = maskBody(
      bodyOf([Buffer.from('data: 1\n\n'), Buffer.from('data: EXAMPLE-'), Buffer.from('secret\n\n')], 31),
      masker,
      (credential) => told.push(credential),
    );
    const chunks: string[] = [];
    for await (const chunk of body) chunks.push(String(chunk));
    expect(chunks).toEqual(['data: 1\n\n', 'data: ', '**************\n\n']);
    expect([body.length, body.trailers(), told]).toEqual([31, [field('X-Last', '1')], ['c']]);
  });

  test('shows its withheld bytes at its end', async () => {
    expect(await textOf(maskBody(bodyOf([Buffer.from('EXAMPLE-secre')]), masker, () => undefined))).toBe(
      'EXAMPLE-secre',
    );
  });

  test.each(coders)('after it was decoded from %s shows no secret, however it was cut', async (coding, code) => {
    const coded = code(Buffer.from(`${'x'.repeat(5000)}EXAMPLE-secret${'y'.repeat(5000)}`));
    for (const length of [1, 7, 1000]) {
      const text = await textOf(
        maskBody(decodeBody(bodyOf(chunksOf(coded, [length])), [coding]), masker, () => undefined),
      );
      expect([text.length, text.slice(4998, 5000), text.slice(5003, 5016)]).toEqual([10_014, 'xx', '***********yy']);
    }
  });

  test('ends its source when its reader stops', async () => {
    let isGone = false;
    async function* endless(): AsyncGenerator<Buffer, void> {
      try {
        for (;;) yield Buffer.from('more ');
      } finally {
        isGone = true;
      }
    }
    for await (const _ of maskBody(bodyFrom(endless()), masker, () => undefined)) break;
    expect(isGone).toBe(true);
  });
});
