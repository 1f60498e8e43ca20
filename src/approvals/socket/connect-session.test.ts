import { array, assert as holds, nat, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineReader } from './connect-session.ts';

describe('lines', () => {
  test('come out whole, however they are cut', () => {
    holds(
      property(array(string().map((text) => text.replaceAll('\n', ' '))), array(nat(40)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const reader = lineReader(10_000);
        const out: string[] = [];
        let from = 0;
        for (const cut of [...cuts, bytes.length]) {
          const pushed = reader.push(bytes.subarray(from, from + cut));
          if (pushed === 'too-long') throw new Error('too long');
          out.push(...pushed);
          from += cut;
        }
        expect(out).toEqual(lines.map((line) => Buffer.from(line).toString()));
      }),
    );
  });

  test.each([
    ['one that is exactly as long as may be', ['x'.repeat(10), '\n'], [[], ['x'.repeat(10)]]],
    ['one byte more, with its end', ['x'.repeat(11).concat('\n')], ['too-long']],
    ['one byte more, before its end', ['x'.repeat(6), 'x'.repeat(5)], [[], 'too-long']],
    ['a long one after a short one', ['a\n', 'x'.repeat(9), 'xx\n'], [['a'], [], 'too-long']],
    ['half a line', ['{"kind"'], [[]]],
    ['empty ones', ['\n\n'], [['', '']]],
  ])('%s', (_, pieces, expected) => {
    const reader = lineReader(10);
    expect(pieces.map((piece) => reader.push(Buffer.from(piece)))).toEqual(expected);
  });
});
