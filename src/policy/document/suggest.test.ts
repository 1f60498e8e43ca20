import { expect, test } from 'vitest';
import { nearest } from './suggest.ts';

const known = ['files', 'network', 'sockets', 'commands', 'environment', 'limits', 'read', 'write', 'deny'];

test.each([
  ['file', 'files'],
  ['fiels', 'files'],
  ['Files', 'files'],
  ['netwrok', 'network'],
  ['raed', 'read'],
  ['wirte', 'write'],
  ['enviroment', 'environment'],
  ['socket', 'sockets'],
  ['denny', 'deny'],
])('%s means %s', (word, expected) => {
  expect(nearest(word, known)).toBe(expected);
});

test.each(['', 'zzz', 'completely', 'xy', 'x'.repeat(1_000_000)])('no known word is near %.20s', (word) => {
  expect(nearest(word, known)).toBeUndefined();
});
