import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { parseJson } from './json.ts';
import { plain } from './testing/plain.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

describe('parseJson', () => {
  test.each([
    ['{"a": [1, -2.5e3, true, null, "x"]}', { a: ['1', '-2.5e3', 'true', 'null', 'x'] }],
    ['// c\n{ /* d */ "a": 1, // e\n "b": [2,],\n}\n', { a: '1', b: ['2'] }],
    ['"\\u0041\\n\\"\\\\\\/\\ud83d\\ude00"', 'A\n"\\/😀'],
    ['{"__proto__": {"x": 1}, "constructor": 2}', { ['__proto__']: { x: '1' }, constructor: '2' }],
    ['', {}],
    [' \r\n\t', {}],
    ['{"a//b": "/* no */"}', { 'a//b': '/* no */' }],
    ['{"a": "line\nbreak"}', { a: 'line\nbreak' }],
  ])('%j', (text, expected) => {
    expect(parseJson(text).problem).toBeUndefined();
    expect(plain(parseJson(text).value)).toEqual(plain(expected));
  });

  test.each([
    '{',
    '[1',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    "{'a':1}",
    '{"a":1 "b":2}',
    '[1,,2]',
    '"\\x"',
    '"\\u12"',
    '"',
    '/',
    '/*',
    '{}{}',
    'undefined',
    'NaN',
    '[1 2]',
    '{"a":1}}',
    '{,}',
    'True',
    '<a/>',
  ])('%j is reported as broken', (text) => {
    expect(parseJson(text).problem).toMatch(/not JSON/u);
  });

  test('a duplicate key keeps both values, and is a problem', () => {
    const { value, problem } = parseJson(
      '{"mcpServers":{"a":{"command":"good"}},"mcpServers":{"a":{"command":"evil"}}}',
    );
    expect(JSON.stringify(value)).toContain('good');
    expect(JSON.stringify(value)).toContain('evil');
    expect(problem).toMatch(/twice/u);
  });

  test.each(['{"x": 1, // \r "command": "evil"\n}', '{"x": 1 // \u2028 , "command": "evil"\n}'])(
    'a comment that ends only for some readers is a problem: %j',
    (text) => {
      expect(parseJson(text).problem).toMatch(/line break/u);
    },
  );

  test('a comment with Windows line ends is no problem', () => {
    expect(parseJson('{ // one\r\n "a": 1 // two\r\n}\r\n').problem).toBeUndefined();
  });

  test('nesting is bounded', () => {
    expect(parseJson('['.repeat(100) + ']'.repeat(100)).problem).toBeUndefined();
    for (const open of ['[', '{"a":']) expect(parseJson(open.repeat(1_000_000)).problem).toMatch(/nested/u);
  });

  test('reads all that JSON.parse accepts with the same result', () => {
    fc.assert(
      fc.property(fc.json(), (text) => void expect(plain(parseJson(text).value)).toEqual(plain(JSON.parse(text)))),
      { numRuns: rounds(300) },
    );
  });

  test.each(['[', '{"a":', '"', '\\', '//', '/*', '/**/', '"\\', '[1,', '{"a":1,', ' ', '1', '\r', '//\n', '\\u'])(
    '%j repeated is read in linear time',
    async (part) => {
      expect(await growth((size) => parseJson(`[${part.repeat(size / part.length)}`), 1 << 20)).toBeLessThan(linear);
    },
  );

  test('reads any text', () => {
    fc.assert(
      fc.property(
        fc
          .array(
            fc.constantFrom(
              '{',
              '}',
              '[',
              ']',
              '"',
              ':',
              ',',
              '//',
              '/*',
              '*/',
              '\n',
              '\r',
              '\\',
              'u00',
              'a',
              '1',
              ' ',
              '\0',
            ),
          )
          .map((parts) => parts.join('')),
        (text) => parseJson(text).value !== undefined,
      ),
      { numRuns: rounds(2000) },
    );
  });
});
