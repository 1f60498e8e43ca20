import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { chunkedAnswer, echoOf } from './echo.ts';

const request = Buffer.from('GET /echo/x HTTP/1.1\r\nHost: a.example\r\nAuthorization: Bearer key+EXAMPLE=\r\n\r\n');

function said(way: string): string {
  const echo = echoOf(`/echo/${way}`, request);
  return echo === undefined ? '' : Buffer.concat(chunkedAnswer(echo)).toString('latin1');
}

test.each([
  ['plain', 'Bearer key+EXAMPLE='],
  ['header', '\r\nX-Echo: key+EXAMPLE=\r\n'],
  ['status', 'HTTP/1.1 200 key+EXAMPLE=\r\n'],
  ['trailer', '\r\n0\r\nX-Echo: key+EXAMPLE=\r\n\r\n'],
  ['location', '\r\nLocation: /?key=key+EXAMPLE=\r\n'],
  ['json-equals', String.raw`key+EXAMPLE\u003d`],
  ['json-plus', String.raw`key\u002BEXAMPLE=`],
  ['percent', 'key%2BEXAMPLE%3D'],
  ['percent-all', '%6b%65%79%2b%45'],
  ['hex', Buffer.from('key+EXAMPLE=').toString('hex')],
])('%s says the key', (way, text) => {
  expect(said(way)).toContain(text);
});

test('a coding can be undone', () => {
  const echo = echoOf('/echo/gzip-in-pieces', request);
  expect(gunzipSync(Buffer.concat(echo?.pieces ?? [])).equals(request)).toBe(true);
});

test('a request without a key, for another path or of an unknown kind gets no echo', () => {
  expect(echoOf('/echo/header', Buffer.from('GET / HTTP/1.1\r\n\r\n'))?.fields).toEqual(['X-Echo: none']);
  expect(echoOf('/', request)).toBeUndefined();
  expect(echoOf('/echo/nothing-such', request)).toBeUndefined();
});
