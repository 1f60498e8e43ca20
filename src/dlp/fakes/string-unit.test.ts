import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEscape, unescaped } from './string-unit.ts';

describe('an escape', () => {
  test.each(['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u0000', '\\u0067', '\\uD83d', '\\uFFFF'])('%s is what a parser reads', (raw) => {
    const text = JSON.parse(`"${raw}"`) as string;
    expect(readEscape(`xy${raw}0`, 2)).toEqual({ code: text.charCodeAt(0), width: raw.length });
    for (let length = 1; length < raw.length; length += 1) expect(readEscape(raw.slice(0, length), 0)).toBeUndefined();
  });

  test.each(['\\x', '\\U0041', '\\u00g0', '\\u"', '\\u0"', '\\u-123', '\\u 041', '\\u123\n', '\\é', '\\\n', '\\1', '\\constructor', '\\__proto__'])('%j is none', (raw) => {
    expect(readEscape(raw, 0)).toEqual({ code: -1, width: 2 });
  });

  test('is what a parser reads, whatever stands there', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 6 }), fc.stringMatching(/^[u"\\/bn][\da-gA-G"]{0,5}$/u)), (rest) => {
        const unit = readEscape(`\\${rest}`, 0);
        if (unit === undefined) return;
        const raw = `\\${rest}`.slice(0, unit.width);
        if (unit.code >= 0) expect((JSON.parse(`"${raw}"`) as string).charCodeAt(0)).toBe(unit.code);
        else expect(() => JSON.parse(`"${raw}${rest.slice(unit.width - 1)}aaaa"`) as unknown).toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

test('a text is what a parser reads, without what is no escape or not all there', () => {
  expect(['a\\u0062c', 'a\\/b\\n', 'a\\xb', 'a\\', 'a\\u00', '\\u00g0a'].map(unescaped)).toEqual(['abc', 'a/b\n', 'ab', 'a', 'a', '00g0a']);
});
