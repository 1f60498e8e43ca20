import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonKeys } from './keys.ts';

function slowKeys(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [...(Array.isArray(value) ? [] : [key]), ...slowKeys(each)]);
}

test('keys are those that JSON.parse has', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      expect(jsonKeys(Buffer.from(text)).toSorted()).toEqual(slowKeys(JSON.parse(text)).toSorted());
    }),
  );
});

test.each([
  ['{"\\u0061\\n": {"b": "c"}, "a\\n": 1}', ['a\n', 'b', 'a\n']],
  ['["a", "b"]', []],
  ['"a"', []],
  ['{"a": 1, b', ['a']],
  ['', []],
])('of %s are %j', (text, keys) => {
  expect(jsonKeys(Buffer.from(text))).toEqual(keys);
});

test('any bytes go in, however deep', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void jsonKeys(Buffer.from(bytes))));
  expect(jsonKeys(Buffer.from(`${'{"k":'.repeat(10_000)}1${'}'.repeat(10_000)}`))).toHaveLength(10_000);
});
