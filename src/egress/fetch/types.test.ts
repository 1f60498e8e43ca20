import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { acrossOrigins, checkedHeaders } from './types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

test('names become lower case', () => {
  expect(checkedHeaders({ Accept: 'text/html', 'X-Api-Key': 'k' })).toEqual({
    kind: 'headers',
    headers: { accept: 'text/html', 'x-api-key': 'k' },
  });
});

test.each([
  'host',
  'Host',
  'Connection',
  'content-length',
  'Transfer-Encoding',
  'TE',
  'Trailer',
  'Upgrade',
  'Keep-Alive',
  'Expect',
  'Accept-Encoding',
  'Proxy-Authorization',
  'proxy-connection',
  'HTTP2-Settings',
  '',
  'a b',
  'a:b',
  'a\r\nb',
  'a\0',
  'a'.repeat(101),
  '\u00e4',
])('the name %j is refused', (name) => {
  expect(checkedHeaders({ [name]: 'x' })).toMatchObject({ kind: 'refused', refusal: { code: 'malformed-request' } });
});

test.each(['a\r\nHost: b', 'a\nb', 'a\rb', 'a\0b', '\u007f', '\u00e4', 'x'.repeat(8193)])(
  'the value %j is refused, and not repeated',
  (value) => {
    const checked = checkedHeaders({ authorization: `hunter2${value}` });
    expect(checked).toMatchObject({ kind: 'refused', refusal: { code: 'malformed-request' } });
    expect(JSON.stringify(checked)).not.toContain('hunter2');
  },
);

test('one name in two cases is refused', () => {
  expect(checkedHeaders({ Accept: 'a', accept: 'b' }).kind).toBe('refused');
});

test('65 headers are refused', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, '']));
  expect(checkedHeaders(many(64)).kind).toBe('headers');
  expect(checkedHeaders(many(65)).kind).toBe('refused');
});

test('no possible credential crosses origins', () => {
  const headers = {
    accept: 'a',
    'accept-language': 'de',
    'user-agent': 'u',
    'content-type': 't',
    authorization: 'Bearer x',
    cookie: 'c',
    'x-api-key': 'k',
    'x-goog-api-key': 'k',
    'private-token': 'p',
    referer: 'r',
  };
  expect(acrossOrigins(headers)).toEqual({
    accept: 'a',
    'accept-language': 'de',
    'user-agent': 'u',
    'content-type': 't',
  });
});

test('an accepted value cannot end a line', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ maxLength: 10 }), fc.string({ unit: 'binary', maxLength: 10 }), { maxKeys: 4 }),
      (headers) => {
        const checked = checkedHeaders(headers);
        if (checked.kind === 'headers')
          for (const entry of Object.entries(checked.headers)) expect(entry.join('')).not.toMatch(/[\r\n\0]/);
      },
    ),
    { numRuns: rounds(500) },
  );
});
