import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { byteSource } from '../byte-source.ts';
import { httpLimits } from '../limits.ts';
import { readHttp1Head, requestBeginning, responseBeginning } from './read-head.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const options = { beginning: requestBeginning, onSlow: () => undefined };

async function headOf(
  parts: readonly string[],
  beginning = requestBeginning,
): Promise<readonly [Awaited<ReturnType<typeof readHttp1Head>>, string]> {
  const stream = new PassThrough();
  const source = byteSource(stream);
  for (const part of parts) stream.write(Buffer.from(part, 'latin1'));
  stream.end();
  const head = await readHttp1Head(source, { ...options, beginning });
  let rest = '';
  for (let bytes = await source.read(); bytes !== undefined; bytes = await source.read())
    rest += bytes.toString('latin1');
  return [head, rest];
}

describe('a head', () => {
  test.each([
    [['GET / HTTP/1.1\r\n\r\nrest'], 'GET / HTTP/1.1', 'rest'],
    [['GET / HTTP/1.1\r\nA: b\r', '\n\r', '\nrest', ' more'], 'GET / HTTP/1.1\r\nA: b', 'rest more'],
    [['\r\nGET / HTTP/1.1\r\n\r\n'], 'GET / HTTP/1.1', ''],
    [['\r\n', 'GET / HTTP/1.1\r\n\r\n'], 'GET / HTTP/1.1', ''],
  ])('of %j', async (parts, text, rest) => {
    expect(await headOf(parts)).toEqual([{ kind: 'text', text }, rest]);
  });

  test('any cuts give the same result', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }), async (sizes) => {
        const text = 'POST /abc HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\nthe content';
        const parts: string[] = [];
        for (let at = 0, index = 0; at < text.length; index += 1) {
          parts.push(text.slice(at, at + (sizes[index % sizes.length] ?? 1)));
          at += sizes[index % sizes.length] ?? 1;
        }
        expect(await headOf(parts)).toEqual([
          { kind: 'text', text: 'POST /abc HTTP/1.1\r\nHost: a\r\nX: y' },
          'the content',
        ]);
      }),
      { numRuns: rounds(50) },
    );
  });

  test.each([[[]], [['GET / HT']], [['\r\n']], [['GET / HTTP/1.1\r\nA: b\r\n']]])(
    'that never ends is no head: %j',
    async (parts) => {
      expect((await headOf(parts))[0]).toBeUndefined();
    },
  );

  test.each([
    [['\u0016\u0003\u0001'], 400],
    [['GET / HTTP/1.1\n'], 400],
    [['GET / HTTP/1.1\r\nA: b\nC'], 400],
    [['EHLO mail.test\r\n'], 400],
    [['x'.repeat(100)], 400],
    [[`GET /${'a'.repeat(httpLimits.head)}`], 431],
    [[`GET / HTTP/1.1\r\nA: ${'a'.repeat(httpLimits.head)}\r\n\r\n`], 431],
  ])('that is malformed is refused before its end: %#', async (parts, status) => {
    const stream = new PassThrough();
    const source = byteSource(stream);
    for (const part of parts) stream.write(Buffer.from(part, 'latin1'));
    expect(await readHttp1Head(source, options)).toMatchObject({ kind: 'problem', status });
  });

  test.each([['HTTP/1.1 200 OK\r\n\r\n'], ['H', 'TTP/1.1 200\r\n\r\n'], ['HTTP/1.1 200 OK\r\nA: b\r\n\r\n']])(
    'of an answer: %j',
    async (...parts) => {
      expect((await headOf(parts, responseBeginning))[0]).toMatchObject({ kind: 'text' });
    },
  );

  test.each(['SSH-2.0', 'HTTX', '+OK', 'HTTP/1.1 OK\r\n'])('of a malformed answer: %j', async (text) => {
    const stream = new PassThrough();
    stream.write(text);
    expect(await readHttp1Head(byteSource(stream), { ...options, beginning: responseBeginning })).toMatchObject({
      kind: 'problem',
    });
  });
});

test('a slow head is reported once, and the wait before it does not count', async () => {
  vi.useFakeTimers();
  try {
    const stream = new PassThrough();
    const onSlow = vi.fn(() => void stream.destroy());
    const reading = readHttp1Head(byteSource(stream), { ...options, onSlow });
    await vi.advanceTimersByTimeAsync(httpLimits.slowHead * 2);
    expect(onSlow).not.toHaveBeenCalled();
    stream.write('GET / ');
    await vi.advanceTimersByTimeAsync(httpLimits.slowHead - 10);
    stream.write('HTTP');
    await vi.advanceTimersByTimeAsync(9);
    expect(onSlow).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10);
    expect(onSlow).toHaveBeenCalledOnce();
    expect(await reading).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
