import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLines, type LineRange } from './read-lines.ts';

async function read(chunks: readonly (string | Buffer)[], range?: LineRange) {
  const files = { readStream: () => Readable.from(chunks.map((chunk) => Buffer.from(chunk as string))) };
  const { bytes, ...rest } = await readLines(files, 'a', range);
  return { text: bytes.toString(), ...rest };
}

describe('lines of a file', () => {
  test.each([
    ['all', ['a\nb\n'], {}, { text: 'a\nb\n', from: 1, count: 2, stopped: 'end' }],
    ['none', [], {}, { text: '', from: 1, count: 0, stopped: 'end' }],
    ['a last one without an end', ['a\nb'], {}, { text: 'a\nb', count: 2, stopped: 'end' }],
    ['the first ones', ['a\nb\nc\n'], { count: 2 }, { text: 'a\nb\n', count: 2, stopped: 'lines' }],
    ['exactly those that are there', ['a\nb\n'], { count: 2 }, { text: 'a\nb\n', count: 2, stopped: 'end' }],
    [
      'later ones',
      ['a\n', 'b', 'b\nc', '\nd\n'],
      { from: 2, count: 2 },
      { text: 'bb\nc\n', from: 2, count: 2, stopped: 'lines' },
    ],
    ['beyond the end', ['a\nb\n'], { from: 9 }, { text: '', from: 9, count: 0, stopped: 'end' }],
    ['too long ones', ['a\nbcdef\n'], { maxBytes: 4 }, { text: 'a\nbc', count: 2, stopped: 'bytes' }],
    ['bytes that are no text', [Buffer.from([0x7f, 0x45, 0])], {}, { text: '', count: 0, form: 'binary' }],
  ] as const)('%s', async (...row) => {
    const [, chunks, range, expected] = row;
    expect(await read(chunks, range)).toMatchObject(expected);
  });

  test('in any pieces they are the same as in one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n') })),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 5 }),
        async (chunks, from, count) => {
          const whole = chunks
            .join('')
            .split(/(?<=\n)/u)
            .filter((line) => line !== '');
          const { text, stopped } = await read(chunks, { from, count });
          expect(text).toBe(whole.slice(from - 1, from - 1 + count).join(''));
          expect(stopped).toBe(whole.length > from - 1 + count ? 'lines' : 'end');
        },
      ),
    );
  });

  test('no more is read than is wanted', async () => {
    let given = 0;
    const endless = function* () {
      for (;;) yield Buffer.from(`${(given += 1)}\n`);
    };
    const { bytes } = await readLines({ readStream: () => Readable.from(endless()) }, 'a', { from: 5, count: 2 });
    expect(bytes.toString()).toBe('5\n6\n');
    expect(given).toBeLessThan(100);
  });
});
