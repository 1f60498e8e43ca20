import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replaceTokens } from './capture-answer.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const names: ReadonlySet<string> = new Set(['access_token', 'refresh_token', 'id_token']);
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

function replaced(
  text: string,
  type = json,
  phantomOf = (name: string, token: string): string | undefined => `<${name}:${token}>`,
): string {
  const answer = replaceTokens({ text, type }, names, phantomOf);
  return answer.kind === 'replaced' ? answer.text : answer.kind;
}

describe('the tokens of an answer are replaced, and nothing else', () => {
  test.each([
    ['{"access_token":"a"}', '{"access_token":"<access_token:a>"}'],
    [
      '{ "access_token" :\n "a",  "expires_in": 3600.0, "é": "\\u00e9"}\n',
      '{ "access_token" :\n "<access_token:a>",  "expires_in": 3600.0, "é": "\\u00e9"}\n',
    ],
    ['{"access_token":"1\\/\\/a\\u002bb"}', '{"access_token":"<access_token:1//a+b>"}'],
    ['{"access\\u005ftoken":"a"}', '{"access\\u005ftoken":"<access_token:a>"}'],
    [
      '{"access_token":"a","access_token":"b"}',
      '{"access_token":"<access_token:a>","access_token":"<access_token:b>"}',
    ],
    [
      '{"ok":true,"authed_user":{"access_token":"a"},"list":[{"refresh_token":"b"}]}',
      '{"ok":true,"authed_user":{"access_token":"<access_token:a>"},"list":[{"refresh_token":"<refresh_token:b>"}]}',
    ],
    [
      '{"access_token":"a","refresh_token":null,"id_token":""}',
      '{"access_token":"<access_token:a>","refresh_token":null,"id_token":""}',
    ],
    [
      '{"error":"access_token","scope":"access_token:\\"x\\""}',
      '{"error":"access_token","scope":"access_token:\\"x\\""}',
    ],
    ['["access_token","a",":","access_token"]', '["access_token","a",":","access_token"]'],
    ['{"a":"\\\\","access_token":"b"}', '{"a":"\\\\","access_token":"<access_token:b>"}'],
    [
      '{"accessToken":"a","RefreshToken":"b","ID_TOKEN":"c","tokens":"d"}',
      '{"accessToken":"<access_token:a>","RefreshToken":"<refresh_token:b>","ID_TOKEN":"<id_token:c>","tokens":"d"}',
    ],
    ['"access_token"', '"access_token"'],
  ])('%s', (text, wanted) => {
    expect(replaced(text)).toBe(wanted);
    for (const type of ['text/plain', form, '']) expect(replaced(text, type)).toBe(wanted);
  });

  test.each([
    [
      'access_token=a&scope=repo%2Cuser&token_type=bearer',
      'access_token=%3Caccess_token%3Aa%3E&scope=repo%2Cuser&token_type=bearer',
    ],
    ['scope=&access%5Ftoken=a%2Bb', 'scope=&access_token=%3Caccess_token%3Aa%2Bb%3E'],
    ['access_token=a&access_token=b', 'access_token=%3Caccess_token%3Aa%3E&access_token=%3Caccess_token%3Ab%3E'],
    ['error=bad+code&&x', 'error=bad+code&&x'],
  ])('a form: %s', (text, wanted) => {
    expect(replaced(text, form)).toBe(wanted);
  });

  test('a form that is called something else is one', () => {
    expect(replaced('access_token=a&b=c', 'text/html')).toBe('access_token=%3Caccess_token%3Aa%3E&b=c');
  });
});

describe('an unintelligible answer is reported', () => {
  test.each([
    '{"access_token":{"value":"a"}}',
    '{"access_token":["a"]}',
    '{"access_token":12345678}',
    '{"access_token":"a b"}',
    '{"access_token":"ä"}',
    '{"access_token":"a\\u0000b"}',
  ])('%s', (text) => {
    expect(replaced(text)).toBe('unreadable');
  });

  test.each([
    '',
    'hello',
    '<html>',
    '{"access_token":"a"',
    '{"access_token":"a"} x',
    '\u00ef\u00bb\u00bf{"access_token":"a"}',
    "{'access_token':'a'}",
    '{\0"access_token":"a"}',
  ])('%j is neither JSON nor a form', (text) => {
    expect(replaced(text)).toBe('other');
  });

  test.each(['{"access_token":"a"', '{"access_token":"a"} &x=y', ' \0{"access_token":"a"}'])(
    '%j is no form either, whatever it is called',
    (text) => {
      expect(replaced(text, form)).toBe('other');
    },
  );

  test('one token too many cannot be kept', () => {
    expect(replaced('{"access_token":"a"}', json, () => undefined)).toBe('unreadable');
  });
});

describe('laws', () => {
  const key = fc.oneof(fc.constantFrom('access_token', 'refresh_token', 'id_token', 'scope'), fc.string());
  const token = fc.stringMatching(/^[!-~]{1,30}$/u);
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      token,
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.array(tie('any')),
      fc.dictionary(key, tie('any')),
    ),
  })).any;
  const parse = (text: string): unknown => JSON.parse(Buffer.from(text, 'latin1').toString());
  const withPhantoms = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(withPhantoms);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, each]) => [
        name,
        names.has(name) && typeof each === 'string' && each !== '' ? 'PHANTOM' : withPhantoms(each),
      ]),
    );
  };

  test('any document parses the same, except for the tokens', () =>
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1, '\t'), (document, indent) => {
        const text = replaced(
          Buffer.from(JSON.stringify(document, undefined, indent)).toString('latin1'),
          json,
          () => 'PHANTOM',
        );
        if (text !== 'unreadable') expect(parse(text)).toEqual(withPhantoms(JSON.parse(JSON.stringify(document))));
      }),
      { numRuns: rounds(500) },
    ));

  test('any JSON or form leaves no token for its parser', () =>
    fc.assert(
      fc.property(
        token,
        fc.constantFrom(json, form, 'text/plain', ''),
        fc.tuple(
          fc.integer({ min: 0, max: 60 }),
          fc.constantFrom('"', '\\', '{', '}', ':', ',', '&', '=', '\u0000', ' ', '%', '\\u0022'),
        ),
        (secret, type, [at, noise]) => {
          const whole = JSON.stringify({ a: 'b', access_token: `SECRET${secret}`, c: [1, 'd'] });
          const text = whole.slice(0, at) + noise + whole.slice(at);
          const answer = replaced(text, type, () => 'PHANTOM');
          const tokens: unknown[] = [];
          const collect = (name: string, each: unknown): unknown => (names.has(name) && tokens.push(each), each);
          try {
            JSON.parse(answer, collect);
          } catch {
            for (const [name, each] of new URLSearchParams(answer)) collect(name, each);
          }
          expect(tokens.filter((each) => typeof each === 'string' && each.startsWith('SECRET'))).toEqual([]);
        },
      ),
      { numRuns: rounds(500) },
    ));
});
