import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLinesEditor } from './lines-editor.ts';
import { bytesOneByOne, cutAt, pass, places } from './testing/cut.ts';
import type { LineEdit, Unread } from './types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const piece = fc.constantFrom('\n', '\r\n', '\r', '{}', 'a', ' ', 'é', '\ufeff', '\u2028');
const stream = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const anyBytes = fc.oneof(
  stream.map((text) => Buffer.from(text)),
  fc
    .array(fc.constantFrom(0x0a, 0x0d, 0x61, 0xc3, 0xa9, 0xef, 0xbb, 0xbf, 0xff), { maxLength: 30 })
    .map((octets) => Buffer.from(octets)),
);

/** Without the mark at its beginning, and without lines that are empty. */
function slowLines(text: string): readonly string[] {
  return text
    .replace(/^\ufeff/u, '')
    .split('\n')
    .map((line, n, all) => (n < all.length - 1 && line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((line) => line !== '');
}

function edited(text: string, edit: (line: string) => LineEdit): string {
  const out = pass(createLinesEditor(edit), [Buffer.from(text)]).toString();
  expect(pass(createLinesEditor(edit), bytesOneByOne(Buffer.from(text))).toString()).toBe(out);
  return out;
}

describe('lines of JSON', () => {
  test('are reported verbatim, cut anywhere', () => {
    fc.assert(
      fc.property(stream, places, (text, at) => {
        const lines: string[] = [];
        const out = pass(
          createLinesEditor((line) => (lines.push(line), 'same')),
          cutAt(Buffer.from(text), at),
        );
        expect(lines).toEqual(slowLines(text));
        expect(out.toString()).toBe(text);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('that are not changed are the same bytes, and wait for nothing but their end', () => {
    fc.assert(
      fc.property(anyBytes, places, (bytes, at) => {
        const editor = createLinesEditor(() => 'same');
        let came = 0;
        let left = 0;
        for (const chunk of cutAt(bytes, at)) {
          came += chunk.length;
          left += editor.push(chunk).length;
          const begun = bytes.subarray(0, came);
          const mark = begun.subarray(0, 3).equals(Buffer.from('\ufeff')) ? 3 : 0;
          expect(left).toBe(Math.max(begun.lastIndexOf(0x0a) + 1, mark));
        }
        expect(left + editor.end().length).toBe(bytes.length);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('that are changed keep their ends, and the others their bytes', () => {
    const text = '\ufeff{"a":1}\r\n\r\n{"b":2}\n\n{"c":3}';
    expect(edited(text, (line) => (line.includes('b') ? 'same' : { data: `[${line}]` }))).toBe(
      '\ufeff[{"a":1}]\r\n\r\n{"b":2}\n\n[{"c":3}]',
    );
  });

  test('that are dropped leave with their ends', () => {
    expect(edited('1\r\n2\n3', (line) => (line === '2' ? 'same' : 'drop'))).toBe('2\n');
  });

  test('may have others before them', () => {
    expect(edited('1\r\n2', (line) => ({ before: ['a', 'b'], data: `${line}${line}` }))).toBe(
      'a\r\nb\r\n11\r\na\nb\n22',
    );
    expect(edited('1\n', () => ({ before: ['a'] }))).toBe('a\n1\n');
  });

  test('stay one line each, whatever is put in', () => {
    expect(edited('1\n', () => ({ before: ['{\r\n}'], data: '[\n\n1,\r2]' }))).toBe('{ }\n[ 1, 2]\n');
  });

  test('with nothing new are not copied', () => {
    const editor = createLinesEditor((line) => ({ data: line }));
    editor.push(Buffer.from('1\r\n'));
    const chunk = Buffer.from('1\r\n2\n');
    expect(editor.push(chunk)).toBe(chunk);
  });

  test('come out the same wherever they were cut', () => {
    const edit = (line: string): LineEdit => (line === 'a' ? 'drop' : { before: ['ahead'], data: `${line}!` });
    fc.assert(
      fc.property(anyBytes, places, fc.integer({ min: 1, max: 12 }), (bytes, at, limit) => {
        expect(pass(createLinesEditor(edit, { limit }), cutAt(bytes, at))).toEqual(
          pass(createLinesEditor(edit, { limit }), [bytes]),
        );
      }),
      { numRuns: rounds(1000) },
    );
  });
});

describe('lines that are not read', () => {
  test.each<readonly [string, string, { readonly why: readonly Unread[]; readonly out: string }]>([
    ['no UTF-8', 'a\xff\nb\n', { why: ['not-utf8'], out: 'a\xff\nB\n' }],
    ['no UTF-8 at the end', 'b\n\xc3', { why: ['not-utf8'], out: 'B\n\xc3' }],
    ['too long', 'bbbbbbbbb\nb\n', { why: ['too-long'], out: 'bbbbbbbbb\nB\n' }],
    ['too long at the end', 'b\nbbbbbbbbb', { why: ['too-long'], out: 'B\nbbbbbbbbb' }],
    ['as long as a line may be', 'bbbbbbb\n', { why: [], out: 'BBBBBBB\n' }],
  ])('%s', (_, text, { why, out }) => {
    const bytes = Buffer.from(text, 'latin1');
    for (const chunks of [[bytes], bytesOneByOne(bytes)]) {
      const told: Unread[] = [];
      const editor = createLinesEditor((line) => ({ data: line.toUpperCase() }), {
        limit: 8,
        onUnread: (each) => told.push(each),
      });
      expect(pass(editor, chunks).toString('latin1')).toBe(out);
      expect(told).toEqual(why);
    }
  });

  test('a line without an end is not held beyond the limit', () => {
    const editor = createLinesEditor(() => 'same', { limit: 100_000 });
    const chunk = Buffer.alloc(1024, 'x');
    let held = 0;
    for (let n = 0; n < 10_000; n += 1) {
      held += chunk.length - editor.push(chunk).length;
      expect(held).toBeLessThanOrEqual(100_000);
    }
    expect(held).toBe(0);
  });
});
