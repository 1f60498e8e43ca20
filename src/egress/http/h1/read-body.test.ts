import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkedDecoder, type ChunkedPiece } from './read-body.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

interface Decoded {
  readonly content: string;
  readonly end: 'open' | 'malformed' | 'whole';
  readonly trailers: readonly string[];
  readonly rest: string;
}

function decode(parts: readonly Buffer[]): Decoded {
  const decoder = chunkedDecoder();
  let result: Decoded = { content: '', end: 'open', trailers: [], rest: '' };
  for (const part of parts) {
    if (result.end === 'whole') result = { ...result, rest: result.rest + part.toString('latin1') };
    else if (result.end === 'open') for (const piece of decoder.push(part)) result = add(result, piece);
  }
  return result;
}

function add(result: Decoded, piece: ChunkedPiece): Decoded {
  switch (piece.kind) {
    case 'data':
      return { ...result, content: result.content + piece.bytes.toString('latin1') };
    case 'malformed':
      return { ...result, end: 'malformed' };
    case 'end':
      return {
        ...result,
        end: 'whole',
        trailers: piece.trailers.map(({ name, value }) => `${name}: ${value}`),
        rest: piece.rest.toString('latin1'),
      };
  }
}

const decodeText = (text: string): Decoded => decode([Buffer.from(text, 'latin1')]);

describe('well-formed', () => {
  test.each([
    ['0\r\n\r\n', '', [], ''],
    ['3\r\nabc\r\n0\r\n\r\n', 'abc', [], ''],
    ['3\r\nabc\r\n00a\r\n0123456789\r\n000\r\n\r\nnext', 'abc0123456789', [], 'next'],
    ['A\r\n0123456789\r\n0\r\n\r\n', '0123456789', [], ''],
    ['3;name=value;x="y z"\r\nabc\r\n0;last\r\n\r\n', 'abc', [], ''],
    ['3 ; a\r\nabc\r\n0\r\n\r\n', 'abc', [], ''],
    ['3\r\n\r\n\r\r\n0\r\n\r\n', '\r\n\r', [], ''],
    ['0\r\nA: b\r\nC:\r\n\r\nrest', '', ['A: b', 'C: '], 'rest'],
  ])('%j', (text, ...expected) => {
    const [content, trailers, rest] = expected;
    expect(decodeText(text)).toEqual({ content, end: 'whole', trailers, rest });
  });
});

describe('malformed', () => {
  test.each([
    'g\r\n',
    '\r\n',
    ' 3\r\nabc\r\n',
    '3 \r\nabc\r\n',
    '-3\r\n',
    '0x3\r\n',
    '3\nabc\r\n',
    '3\r\nabcd\r\n',
    '3\r\nabc\n0\r\n\r\n',
    '3\r\nabc0\r\n',
    'ffffffffffffff\r\n',
    '3;\u0001\r\nabc\r\n',
    '3;a\rb\r\nabc\r\n',
    '3\r\nabc\r\n0\r\n bad\r\n\r\n',
    '0\r\nno colon\r\n\r\n',
    `0\r\n${'a: b\r\n'.repeat(300)}\r\n`,
    `${'1'.repeat(2000)}`,
    `3;${'x'.repeat(2000)}\r\nabc\r\n`,
    `0\r\n${'a: b'.repeat(6000)}`,
  ])('%#', (text) => {
    expect(decodeText(text).end).toBe('malformed');
  });
});

test('unfinished content is not a whole one', () => {
  for (const text of [
    '',
    '3',
    '3\r',
    '3\r\n',
    '3\r\nab',
    '3\r\nabc',
    '3\r\nabc\r',
    '3\r\nabc\r\n',
    '0\r\n',
    '0\r\n\r',
    '0\r\nA: b\r\n',
  ])
    expect(decodeText(text).end).toBe('open');
});

/** Text of a chunked message, often a little wrong. */
const message = fc
  .array(
    fc.constantFrom(
      '0',
      '1',
      '2',
      'a',
      '\r\n',
      '\r',
      '\n',
      ';',
      'x',
      ' ',
      ':',
      'A: b\r\n',
      '1\r\nx\r\n',
      '0\r\n\r\n',
      '\0',
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));

test('any cuts give the same result', () => {
  fc.assert(
    fc.property(message, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }), (text, sizes) => {
      const bytes = Buffer.from(text, 'latin1');
      const parts: Buffer[] = [];
      for (let at = 0, index = 0; at < bytes.length; index += 1) {
        const size = sizes[index % sizes.length] ?? 1;
        parts.push(bytes.subarray(at, at + size));
        at += size;
      }
      const [whole, cut] = [decode([bytes]), decode(parts)];
      expect(cut.end).toBe(whole.end);
      expect(cut.trailers).toEqual(whole.trailers);
      if (whole.end !== 'malformed') expect([cut.content, cut.rest]).toEqual([whole.content, whole.rest]);
    }),
    { numRuns: rounds(2000) },
  );
});

test('decoding restores the encoded content', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 6 }),
      fc.string({ maxLength: 10 }),
      (chunks, after) => {
        const encoded = chunks.map((chunk) =>
          Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
        );
        const decoded = decode([Buffer.concat([...encoded, Buffer.from('0\r\n\r\n'), Buffer.from(after)])]);
        expect(decoded).toEqual({
          content: Buffer.concat(chunks).toString('latin1'),
          end: 'whole',
          trailers: [],
          rest: Buffer.from(after).toString('latin1'),
        });
      },
    ),
  );
});
