import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeJson } from './escape-hidden.ts';

test.each([
  ['plain', '"plain"'],
  ['naïve 漢字', '"naïve 漢字"'],
  ['a\u202eb', String.raw`"a\u202eb"`],
  ['a\u{e0041}b', String.raw`"a\udb40\udc41b"`],
  ['a\u009b2Jb', String.raw`"a\u009b2Jb"`],
  ['\ud800', String.raw`"\ud800"`],
])('%j is written %s', (text, json) => {
  expect(escapeJson(JSON.stringify(text))).toBe(json);
});

test('any value parses to itself again', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const json = JSON.stringify(value);
      expect(JSON.parse(escapeJson(json))).toEqual(JSON.parse(json));
    }),
  );
});
