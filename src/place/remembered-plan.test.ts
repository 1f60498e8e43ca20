import { expect, test } from 'vitest';
import { recently } from './remembered-plan.ts';

test('makes a value once for each key, and forgets the oldest key', () => {
  const made: string[] = [];
  const valueOf = recently<string>(2);
  const ask = (key: string): string => valueOf(key, () => (made.push(key), key.toUpperCase()));
  expect(['a', 'b', 'a', 'c', 'b', 'a'].map(ask)).toEqual(['A', 'B', 'A', 'C', 'B', 'A']);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});

test('a value that could not be made is made again', () => {
  const valueOf = recently<string>(2);
  expect(() =>
    valueOf('a', () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(valueOf('a', () => 'yes')).toBe('yes');
});
