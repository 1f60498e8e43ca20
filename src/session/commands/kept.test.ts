import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeptEnds } from './kept.ts';

function kept(most: number, ...chunks: readonly string[]): { readonly text: string; readonly leftOut: number } {
  const ends = new KeptEnds(most);
  for (const chunk of chunks) ends.push(Buffer.from(chunk));
  return { text: ends.bytes().toString(), leftOut: ends.leftOut };
}

describe('the ends of a stream', () => {
  test('short output is kept unchanged', () => {
    expect(kept(6, 'abc', 'def')).toEqual({ text: 'abcdef', leftOut: 0 });
    expect(kept(Number.POSITIVE_INFINITY, 'abc')).toEqual({ text: 'abc', leftOut: 0 });
    expect(kept(6)).toEqual({ text: '', leftOut: 0 });
  });

  test('long output keeps its start and its end', () => {
    expect(kept(6, 'abc123456', 'xyz')).toEqual({ text: 'abc\n[… 6 bytes left out …]\nxyz', leftOut: 6 });
    expect(kept(6, ...'abc123456xyz')).toEqual({ text: 'abc\n[… 6 bytes left out …]\nxyz', leftOut: 6 });
    expect(kept(4, 'ab123456yz')).toEqual({ text: 'ab\n[… 6 bytes left out …]\nyz', leftOut: 6 });
  });

  test('no character is cut in two', () => {
    expect(kept(6, 'aé€é€é€é€za')).toEqual({ text: 'aé\n[… 18 bytes left out …]\nza', leftOut: 18 });
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 0, max: 40 }), (chunks, most) => {
        const { text, leftOut } = kept(most, ...chunks);
        const whole = chunks.join('');
        const size = Buffer.byteLength(whole);
        if (leftOut === 0) return text === whole;
        const [head = '', tail = ''] = text.split(`\n[… ${leftOut} bytes left out …]\n`);
        return (
          whole.startsWith(head) &&
          whole.endsWith(tail) &&
          Buffer.byteLength(head) + Buffer.byteLength(tail) + leftOut === size &&
          size - leftOut <= most
        );
      }),
    );
  });

  test('bytes that are no text go where they look like parts of a character', () => {
    const ends = new KeptEnds(4);
    ends.push(Buffer.from([0xff, 0xfe, 1, 2, 3, 0x80, 0x80]));
    expect(ends.leftOut).toBe(6);
  });
});
