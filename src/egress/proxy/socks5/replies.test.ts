import { expect, test } from 'vitest';
import { reply, replyCodeOf, replyCodes } from './replies.ts';

test.each([
  ['policy', 2],
  ['special-address', 2],
  ['special-name', 2],
  ['authority-mismatch', 2],
  ['name-not-found', 4],
  ['resolver-failed', 4],
  ['unreachable', 5],
  ['upstream-timeout', 6],
  ['malformed-host', 1],
  ['overloaded', 1],
] as const)('%s is told as %i', (code, expected) => {
  expect(replyCodeOf(code)).toBe(expected);
});

test('a reply says nothing of our own end', () => {
  expect([...reply(replyCodes.succeeded)]).toEqual([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
  expect([...reply(replyCodes.commandNotSupported)]).toEqual([5, 7, 0, 1, 0, 0, 0, 0, 0, 0]);
});
