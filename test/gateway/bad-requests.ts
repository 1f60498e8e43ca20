import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { BadExchange } from './bad-exchanges.ts';

const message = (text: string, more = ''): string =>
  `{"model":"example","max_tokens":9,"messages":[{"role":"user","content":"${text}"}]${more}}`;
const nested = (depth: number): string => `${'['.repeat(depth)}"deep"${']'.repeat(depth)}`;
const brotli = (body: Buffer): Buffer => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const plain = Buffer.from(message('hello'));
const large = 100 * 1024 * 1024;

/** A POST to Anthropic's Messages. The connection ends after it. */
function post(body: Buffer | string, fields: Readonly<Record<string, string>> = {}): Buffer {
  const bytes = Buffer.from(body);
  const given = { 'content-type': 'application/json', 'content-length': String(bytes.length), ...fields };
  return Buffer.concat([head(given), bytes]);
}

function head(fields: Readonly<Record<string, string>>): Buffer {
  const lines = Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return Buffer.from(
    `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nanthropic-version: 2023-06-01\r\nx-api-key: EXAMPLE\r\nConnection: close\r\n${lines}\r\n`,
  );
}

function chunked(body: Buffer, size: number): Buffer {
  const count = Math.ceil(body.length / size);
  const chunks = Array.from({ length: count }, (_, index) => body.subarray(index * size, (index + 1) * size));
  const coded = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([
    head({ 'content-type': 'application/json', 'transfer-encoding': 'chunked' }),
    ...coded,
    Buffer.from('0\r\n\r\n'),
  ]);
}

const of = (name: string, request: () => Buffer, direct: BadExchange['direct']): BadExchange => ({
  name: `Request: ${name}`,
  dialect: 'anthropic',
  request: () => [request()],
  direct,
});

/** Requests that a provider refuses, and valid requests that look bad. */
export const badRequests: readonly BadExchange[] = [
  of('JSON cut off', () => post(message('hello').slice(0, -3)), 400),
  of('JSON and more behind it', () => post(`${message('hello')}{"model":"other"}`), 400),
  of('JSON with a comma too many', () => post(message('hello', ',')), 400),
  of('an array where an object is asked for', () => post('[]'), 200),
  of('a string where an object is asked for', () => post('"hello"'), 400),
  of('an empty body', () => post(''), 400),
  of('spaces alone', () => post(' \n\t'), 400),
  of('a member twice', () => post(message('hello', ',"model":"other","messages":[]')), 200),
  of('a member twice, once with an escape', () => post(message('hello', ',"m\\u006fdel":"other"')), 200),
  of(
    'numbers that JavaScript does not keep',
    () => post(message('hello', ',"seed":12345678901234567890,"temperature":1.0,"top_p":1E-1,"big":1e400')),
    200,
  ),
  of(
    'spaces between everything',
    () => post(message('hello').replaceAll(',', ' ,\r\n\t ').replaceAll(':', ' : ')),
    200,
  ),
  of('escapes that need not be', () => post(message('\\u0068\\u0065llo\\/ \\ud83d\\ude00')), 200),
  of('half of a pair of escapes', () => post(message('\\ud83d')), 200),
  of('NUL in a string', () => post(message('\\u0000')), 200),
  of('a raw line break in a string', () => post(message('a\nb')), 400),
  of('a member named __proto__', () => post(message('hello', ',"__proto__":{"stream":true}')), 200),
  of(
    'a body that is not UTF-8',
    () => post(Buffer.concat([Buffer.from(message('').slice(0, -4)), Buffer.of(0xff, 0xfe), Buffer.from('"}]}')])),
    400,
  ),
  of(
    'UTF-8 written too long',
    () =>
      post(Buffer.from(Buffer.from(message('XY')).map((byte) => (byte === 0x58 ? 0xc1 : byte === 0x59 ? 0xa1 : byte)))),
    400,
  ),
  of(
    'a surrogate as UTF-8',
    () =>
      post(Buffer.concat([Buffer.from(message('').slice(0, -4)), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}]}')])),
    400,
  ),
  of('a byte order mark', () => post(`\ufeff${message('hello')}`), 200),
  of(
    'UTF-16',
    () => post(Buffer.from(message('hello'), 'utf16le'), { 'content-type': 'application/json; charset=utf-16le' }),
    400,
  ),
  of('JSON as text/plain', () => post(plain, { 'content-type': 'text/plain' }), 200),
  of('no content type', () => post(plain, { 'content-type': '' }), 200),
  of('10,000 arrays deep', () => post(message('hello', `,"metadata":${nested(10_000)}`)), 200),
  of('200,000 arrays deep and cut off', () => post('['.repeat(200_000)), 400),
  of(
    '10,000 objects deep',
    () => post(message('hello', `,"metadata":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)),
    200,
  ),
  of(
    '100,000 members',
    () =>
      post(
        message(
          'hello',
          `,"metadata":{${Array.from({ length: 100_000 }, (_, index) => `"m${index}":${index}`).join(',')}}`,
        ),
      ),
    200,
  ),
  of('100 MB in one string', () => post(message('x'.repeat(large))), 200),
  of(
    '100 MB of spaces',
    () => post(Buffer.concat([plain.subarray(0, 1), Buffer.alloc(large, ' '), plain.subarray(1)])),
    200,
  ),
  of('gzip', () => post(gzipSync(plain), { 'content-encoding': 'gzip' }), 200),
  of('br', () => post(brotli(plain), { 'content-encoding': 'br' }), 200),
  of('zstd', () => post(zstdCompressSync(plain), { 'content-encoding': 'zstd' }), 200),
  of(
    'gzip of two members',
    () =>
      post(Buffer.concat([gzipSync(plain.subarray(0, 20)), gzipSync(plain.subarray(20))]), {
        'content-encoding': 'gzip',
      }),
    200,
  ),
  of(
    'gzip with rubbish behind it',
    () => post(Buffer.concat([gzipSync(plain), Buffer.from('rubbish')]), { 'content-encoding': 'gzip' }),
    400,
  ),
  of('gzip cut off', () => post(gzipSync(plain).subarray(0, -6), { 'content-encoding': 'gzip' }), 400),
  of('what says gzip and is none', () => post(plain, { 'content-encoding': 'gzip' }), 400),
  of('gzip that says nothing', () => post(gzipSync(plain)), 400),
  of('gzip twice', () => post(gzipSync(gzipSync(plain)), { 'content-encoding': 'gzip, gzip' }), 400),
  of('a coding that nobody knows', () => post(plain, { 'content-encoding': 'x-example' }), 200),
  of(
    'gzip of 100 MB',
    () => post(gzipSync(message('x'.repeat(large)), { level: 1 }), { 'content-encoding': 'gzip' }),
    200,
  ),
  of('br of 100 MB', () => post(brotli(Buffer.from(message('x'.repeat(large)))), { 'content-encoding': 'br' }), 200),
  of('zstd of 100 MB', () => post(zstdCompressSync(message('x'.repeat(large))), { 'content-encoding': 'zstd' }), 200),
  of('chunks of one byte', () => chunked(plain, 1), 200),
  of('a body shorter than it says', () => post(plain, { 'content-length': String(plain.length + 1) }), 'nothing'),
  of(
    'an unknown path',
    () => Buffer.from(post(plain).toString('latin1').replace('/v1/messages', '/v1/nothing'), 'latin1'),
    404,
  ),
];
