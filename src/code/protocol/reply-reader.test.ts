import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../scripts/testing/extent.ts';
import {
  largestReply,
  MarkFinder,
  mostResults,
  type ReadSome,
  type CodeReply,
  CodeReplyReader,
} from './reply-reader.ts';

const nonce = '0123456789abcdef0123456789abcdef';
const piece = (bytes: string | Buffer, kind: '+' | '.' = '.'): Buffer =>
  Buffer.concat([Buffer.from(`\0${nonce}${kind}${Buffer.byteLength(bytes)}\n`), Buffer.from(bytes as string)]);

/** As the drivers write it. */
function written(reply: CodeReply): Buffer {
  const body = Buffer.from(JSON.stringify(reply));
  const parts = Array.from({ length: Math.ceil(body.length / 3900) }, (_, index) =>
    body.subarray(index * 3900, (index + 1) * 3900),
  );
  return Buffer.concat(parts.map((part, index) => piece(part, index === parts.length - 1 ? '.' : '+')));
}

const format = fc.record({
  type: fc.constantFrom('text/plain', 'application/json'),
  text: fc.string({ unit: 'binary', maxLength: 6000 }).map((text) => text.toWellFormed()),
});
const result = fc.record({
  kind: fc.constantFrom('value' as const, 'display' as const),
  formats: fc.array(format, { minLength: 1, maxLength: 3 }),
});
const noise = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));

/** In pieces of any size. */
function cut(bytes: Buffer, sizes: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

const sizes = fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 8 });

test('replies survive any splitting, and other output between them stays', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(noise, result), { maxLength: 4 }),
      fc.tuple(noise, noise),
      sizes,
      (results, [before, after], lengths) => {
        const end: CodeReply = { kind: 'end', exitCode: 3 };
        const stream = Buffer.concat([
          ...results.flatMap(([bytes, reply]) => [bytes, written(reply)]),
          before,
          written(end),
          after,
        ]);
        const reader = new CodeReplyReader(nonce);
        const got: ReadSome[] = [];
        const rests: Buffer[] = [];
        for (const chunk of cut(stream, lengths)) {
          if (got.at(-1)?.rest === undefined) got.push(reader.push(chunk));
          else rests.push(chunk);
        }
        expect(got.flatMap(({ replies }) => replies)).toEqual([...results.map(([, reply]) => reply), end]);
        expect(Buffer.concat(got.flatMap(({ output }) => output))).toEqual(
          Buffer.concat([...results.map(([bytes]) => bytes), before]),
        );
        expect(Buffer.concat([got.at(-1)?.rest ?? Buffer.alloc(0), ...rests])).toEqual(after);
      },
    ),
    { numRuns: rounds(150) },
  );
});

describe('invalid replies', () => {
  test.each([
    ['not JSON', piece('{')],
    ['nothing', piece('')],
    ['another kind', piece('{"kind":"exec"}')],
    ['one key more', piece('{"kind":"end","results":[]}')],
    ['a prototype', piece('{"kind":"end","__proto__":{"exitCode":0}}')],
    ['a status that is none', piece('{"kind":"end","exitCode":-1}')],
    ['a type that is none', piece('{"kind":"value","formats":[{"type":"text/html\\n","text":""}]}')],
    ['bytes that are no base64', piece('{"kind":"value","formats":[{"type":"image/png","base64":"<svg>"}]}')],
    ['both', piece('{"kind":"value","formats":[{"type":"image/png","base64":"","text":""}]}')],
    ['no formats', piece('{"kind":"value","formats":[]}')],
    [
      'an error that is too long',
      piece(JSON.stringify({ kind: 'end', error: { name: 'x'.repeat(1001), message: '', traceback: '' } })),
    ],
    ['a piece that is too long', Buffer.from(`\0${nonce}.9999\n`)],
    ['a piece with half a length', Buffer.from(`\0${nonce}.12x4\n`)],
    ['a length without an end', Buffer.from(`\0${nonce}.000000001`)],
    ['parts of nothing', piece('', '+')],
    [
      'too many results',
      Buffer.concat(
        Array.from({ length: mostResults + 2 }, () =>
          piece('{"kind":"value","formats":[{"type":"text/plain","text":""}]}'),
        ),
      ),
    ],
  ])('%s', (_, bytes) => {
    expect(() => new CodeReplyReader(nonce).push(bytes)).toThrow(RangeError);
  });

  test('too many bytes, before they are kept', () => {
    const reader = new CodeReplyReader(nonce);
    const part = piece(Buffer.alloc(4096, 0x20), '+');
    expect(() => {
      for (let sent = 0; sent <= largestReply; sent += 4096) reader.push(part);
    }).toThrow(/bytes/u);
  });

  test('any text after the mark is a reply or a RangeError', () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => piece(text.slice(0, 4000))),
      fc.string({ maxLength: 20 }).map((text) => Buffer.from(`\0${nonce}${text}`)),
    );
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 5 }), (parts) => {
        const reader = new CodeReplyReader(nonce);
        try {
          for (const part of parts) if (reader.push(part).rest !== undefined) break;
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
        }
      }),
      { numRuns: rounds(900) },
    );
  });
});

test('a mark is found in whatever pieces, and nothing else is taken for it', () => {
  const mark = `\0${nonce}.`;
  const text = fc.oneof(
    noise,
    fc.integer({ min: 0, max: mark.length - 1 }).map((length) => Buffer.from(mark.slice(0, length))),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), noise, sizes, (parts, after, lengths) => {
      const before = Buffer.concat(parts);
      const finder = new MarkFinder(mark);
      const heard: Buffer[] = [];
      const rest: Buffer[] = [];
      let state: 'before' | 'after' = 'before';
      for (const chunk of cut(
        Buffer.concat([before, Buffer.from(mark), after]),
        lengths.map((length) => (length % 40) + 1),
      )) {
        const got: ReturnType<MarkFinder['push']> =
          state === 'before' ? finder.push(chunk) : { before: Buffer.alloc(0), after: chunk };
        heard.push(got.before);
        if (got.after === undefined) continue;
        state = 'after';
        rest.push(got.after);
      }
      expect([Buffer.concat(heard), Buffer.concat(rest), finder.end().length]).toEqual([before, after, 0]);
    }),
    { numRuns: rounds(300) },
  );
});
