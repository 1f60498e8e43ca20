import { array, assert, constantFrom, property } from 'fast-check';
import { expect, test } from 'vitest';
import { DetachKeys } from './look-on.ts';

const wishes = (pieces: readonly string[]) => {
  const keys = new DetachKeys();
  const seen = pieces.map((piece) => keys.push(Buffer.from(piece)));
  return { typed: Buffer.concat(seen.map(({ typed }) => typed)).toString(), wish: seen.at(-1)?.wish };
};

test.each([
  { pieces: ['ls\r'], typed: 'ls\r', wish: 'stay' },
  { pieces: ['ls\x1c\x1cmore'], typed: 'ls', wish: 'leave' },
  { pieces: ['a\x1c', '\x1c'], typed: 'a', wish: 'leave' },
  { pieces: ['\x1c', 'x'], typed: '\x1cx', wish: 'stay' },
  { pieces: ['\x1cx\x1c'], typed: '\x1cx', wish: 'stay' },
])('$pieces', ({ pieces, typed, wish }) => {
  expect(wishes(pieces)).toEqual({ typed, wish });
});

test('text without two of them in a row passes, in any pieces', () => {
  const piece = array(constantFrom('a', '\x1cb'), { maxLength: 5 }).map((words) => words.join(''));
  assert(
    property(
      array(piece, { maxLength: 8 }),
      (pieces) => void expect(wishes([...pieces, '']).typed).toBe(pieces.join('')),
    ),
  );
});
