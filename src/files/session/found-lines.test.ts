import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FoundLines } from './search-files.ts';

function found(limit: number, ...chunks: readonly string[]) {
  const lines = new FoundLines(limit);
  const asked = chunks.map((chunk) => lines.push(Buffer.from(chunk)));
  return {
    asked,
    isFull: lines.isFull,
    lines: lines.lines.map(({ path, line, text }) => `${path.toString()}|${line}|${text.toString()}`),
  };
}

describe('the output of a search', () => {
  test('is taken apart', () => {
    expect(found(9, './a:b.ts\u00007:x: y\nc\u000012:\n').lines).toEqual(['a:b.ts|7|x: y', 'c|12|']);
  });

  test('in any pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 })), (sizes) => {
        const text = 'a\u00001:é\nb\u000022:y\n\nno record\nc\u00003:z\n';
        const bytes = Buffer.from(text);
        const lines = new FoundLines(9);
        let at = 0;
        for (const size of [...sizes, bytes.length]) {
          lines.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(lines.lines.map(({ line, text: each }) => `${line}${each.toString()}`)).toEqual(['1é', '22y', '3z']);
      }),
    );
  });

  test('up to the limit, and then no more is wanted', () => {
    expect(found(1, 'a\u00001:x\n')).toMatchObject({ asked: [true], isFull: false });
    expect(found(1, 'a\u00001:x\n', 'a\u00002:y\n')).toMatchObject({
      asked: [true, false],
      isFull: true,
      lines: ['a|1|x'],
    });
  });

  test('keeps only the start of an endless line', () => {
    const lines = new FoundLines(9);
    lines.push(Buffer.from('a\u00001:'));
    for (let round = 0; round < 200; round += 1) lines.push(Buffer.alloc(65_536, 'x'));
    lines.push(Buffer.from('\nb\u00002:y\n'));
    expect(lines.lines.map(({ text }) => text.length)).toEqual([500, 1]);
  });
});
