import { expect, test } from 'vitest';
import { Identifiers } from './pending-approval.ts';

test('hashes that begin alike have longer names while both wait', () => {
  const identifiers = new Identifiers();
  const [one, other, third] = ['1', '2', '22'].map((end) => `${'a'.repeat(12)}${end}`.padEnd(64, '0'));
  expect(identifiers.take(one ?? '')).toBe('a'.repeat(12));
  expect(identifiers.take(other ?? '')).toBe(`${'a'.repeat(12)}2`);
  expect(identifiers.take(third ?? '')).toBe(`${'a'.repeat(12)}22`);
  identifiers.release('a'.repeat(12));
  expect(identifiers.take(one ?? '')).toBe('a'.repeat(12));
});
