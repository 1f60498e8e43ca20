import { describe, expect, test } from 'vitest';
import { sizeText, howMany, lastItems, listedName } from './listing.ts';

describe('oneLine', () => {
  test.each([
    ['plain', 'plain'],
    ['two\nlines', String.raw`two\u{a}lines`],
    ['a\tcolumn', String.raw`a\u{9}column`],
    ['\u001B[2J', String.raw`\u{1b}[2J`],
    ['\u202Eright', String.raw`\u{202e}right`],
  ])('%j', (name, expected) => {
    expect(listedName(name)).toBe(expected);
  });
});

describe('lastOf', () => {
  test('takes the end', () => {
    expect(lastItems([1, 2, 3], '2')).toEqual([2, 3]);
    expect(lastItems(Array.from({ length: 60 }), undefined)).toHaveLength(50);
  });

  test.each(['0', '-1', '1.5', 'x', 'Infinity'])('refuses %j', (value) => {
    expect(() => lastItems([], value)).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
  });
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [2_500_000_000, '2.5 GB'],
  [1e16, '10000.0 TB'],
])('bytesText(%j)', (bytes, expected) => {
  expect(sizeText(bytes)).toBe(expected);
});

test.each([
  [1, 1, '1 entry'],
  [2, 2, '2 entries'],
  [2, 5, 'the last 2 of 5'],
])('howMany(%j, %j)', (shown, all, expected) => {
  expect(howMany(shown, all)).toBe(expected);
});
