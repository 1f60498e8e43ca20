import { expect, test } from 'vitest';
import { at, indexAt, isRecord, listAt, textAt } from './hostile-json.ts';

test('own members only', () => {
  expect(at({ a: [{ b: 1 }] }, 'a', 0, 'b')).toBe(1);
  expect(at(JSON.parse('{"__proto__":{"a":1}}'), '__proto__', 'a')).toBe(1);
  for (const key of ['__proto__', 'constructor', 'toString']) expect(at({}, key)).toBeUndefined();
  expect(at('text', 'length')).toBeUndefined();
  expect(at(null, 'a')).toBeUndefined();
});

test('values of another kind are ignored', () => {
  expect(textAt({ a: 1 }, 'a')).toBeUndefined();
  expect(listAt({ a: { 0: 'x' } }, 'a')).toEqual([]);
  expect([{}, [], null, 'x'].map(isRecord)).toEqual([true, false, false, false]);
});

test.each([
  [3, 3],
  [-1, 9],
  [1.5, 9],
  [1e6, 9],
  ['3', 9],
  [Number.NaN, 9],
  [undefined, 9],
])('the index %s is %d', (written, index) => expect(indexAt({ i: written }, 'i', 9)).toBe(index));
