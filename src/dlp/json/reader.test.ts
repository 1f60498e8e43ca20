import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { greatestDepth, jsonKeys, JsonReader } from './reader.ts';
import { bytesOf, documents } from './testing/documents.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/** Every token with its text; of an unreadable document, also why. */
function tokensOf(bytes: Buffer): readonly (readonly [kind: string, text: string])[] {
  const reader = new JsonReader(bytes);
  const tokens: (readonly [string, string])[] = [];
  for (;;) {
    const kind = reader.next();
    if (kind === 'end') return tokens;
    if (kind === 'unreadable') return [...tokens, [kind, reader.why]];
    tokens.push([kind, bytes.toString('utf8', reader.start, reader.end)]);
  }
}

const tokens = (text: string): readonly (readonly [string, string])[] => tokensOf(Buffer.from(text));

describe('a reader', () => {
  test('gives each token verbatim', () => {
    expect(tokens(' {"a" : [1.0,true ,false, null,"x\\n" ], "\\u0062":{} } ')).toEqual([
      ['object', '{'],
      ['key', '"a"'],
      ['array', '['],
      ['number', '1.0'],
      ['true', 'true'],
      ['false', 'false'],
      ['null', 'null'],
      ['string', '"x\\n"'],
      ['close', ']'],
      ['key', '"\\u0062"'],
      ['object', '{'],
      ['close', '}'],
      ['close', '}'],
    ]);
  });

  test('skips one byte order mark, and no other', () => {
    expect(tokens('\ufeff 1')).toEqual([['number', '1']]);
    expect(tokens('\ufeff\ufeff1')).toEqual([['unreadable', 'not-json']]);
    expect(tokens('[\ufeff1]')).toEqual([
      ['array', '['],
      ['unreadable', 'not-json'],
    ]);
    expect(tokensOf(Buffer.from([0xef, 0xbb]))).toEqual([['unreadable', 'not-utf8']]);
  });

  test('has nothing between the tokens but white space, commas and colons', () => {
    fc.assert(
      fc.property(documents('any'), (document) => {
        const bytes = bytesOf(document);
        const reader = new JsonReader(bytes);
        let between = '';
        let before = 0;
        for (let token = reader.next(); token !== 'end'; token = reader.next()) {
          if (token === 'unreadable') throw new Error(reader.why);
          between += bytes.toString('latin1', before, reader.start);
          before = reader.end;
        }
        expect(between + bytes.toString('latin1', before)).toMatch(/^[\s,:]*$/u);
      }),
      { numRuns: rounds(300) },
    );
  });

  test('opens as many containers as it closes', () => {
    fc.assert(
      fc.property(documents('any'), (document) => {
        const kinds = tokensOf(bytesOf(document)).map(([kind]) => kind);
        expect(kinds.filter((kind) => kind === 'close').length).toBe(
          kinds.filter((kind) => kind === 'object' || kind === 'array').length,
        );
      }),
      { numRuns: rounds(300) },
    );
  });

  test.each([
    ['[1,]', 'not-json'],
    ['{"a":1,}', 'not-json'],
    ['[1}', 'not-json'],
    ['{]', 'not-json'],
    ['[1', 'not-json'],
    ['{"a"é', 'not-json'],
    ['é', 'not-json'],
    ['', 'not-json'],
    ['['.repeat(greatestDepth + 1), 'too-deep'],
    [`${'['.repeat(greatestDepth)}x`, 'not-json'],
  ])('%#: says why it stopped', (text, why) => {
    expect(tokens(text).at(-1)).toEqual(['unreadable', why]);
  });

  test('the first reason counts', () => {
    expect(tokensOf(Buffer.concat([Buffer.from('[,"'), Buffer.from([0xff])])).at(-1)).toEqual([
      'unreadable',
      'not-json',
    ]);
    expect(tokensOf(Buffer.concat([Buffer.from('["'), Buffer.from([0xff]), Buffer.from('",]')])).at(-1)).toEqual([
      'unreadable',
      'not-utf8',
    ]);
    expect(tokensOf(Buffer.from([0x5b, 0xff])).at(-1)).toEqual(['unreadable', 'not-utf8']);
  });

  test('siblings are not depth', () => {
    expect(tokens(`[${'[],'.repeat(greatestDepth * 2)}{}]`).length).toBe(greatestDepth * 4 + 4);
  });
});

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
