import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { noPoint, pointAt, pointBefore, pointName, unitsOf } from './points.ts';

test.each([
  ['', 0, noPoint],
  ['a', 0, noPoint],
  ['ab', 1, 0x61],
  ['a😀', 3, 0x1f600],
  ['\ude00', 1, 0xde00],
  ['a\ude00', 2, 0xde00],
  ['\ud83d\ud83d', 2, 0xd83d],
])('before %j at %i is %i', (text, at, point) => {
  expect(pointBefore(text, at)).toBe(point);
});

test('a walk back meets the same code points as a walk forward', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const back: number[] = [];
      for (let at = text.length; at > 0; at -= unitsOf(pointBefore(text, at))) back.unshift(pointBefore(text, at));
      return back.join() === Array.from(text, (char) => char.codePointAt(0)).join();
    }),
  );
});

test('the end of a text has none', () => {
  expect(pointAt('a', 1)).toBe(noPoint);
});

test.each([
  [0x9, 'U+0009'],
  [0x200b, 'U+200B'],
  [0xe0041, 'U+E0041'],
])('%i is written %s', (point, name) => {
  expect(pointName(point)).toBe(name);
});
