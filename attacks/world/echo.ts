import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

/** The returned parts: the fields of an answer, and its content in the written pieces. */
export interface Echo {
  readonly fields: readonly string[];
  readonly status?: string;
  readonly pieces: readonly Buffer[];
  readonly trailer?: string;
}

/** Parts of the received request, mainly its head, and of the key in it. */
type Way = (request: Buffer, key: string) => Echo;

const whole = (content: Buffer, fields: readonly string[] = []): Echo => ({ fields, pieces: [content] });
const coded =
  (name: string, code: (bytes: Buffer) => Buffer): Way =>
  (request) =>
    whole(code(request), [`Content-Encoding: ${name}`]);
const inField =
  (field: (key: string) => string): Way =>
  (_, key) =>
    whole(Buffer.alloc(0), [field(key)]);
const percent = (text: string): string => text.replaceAll(/./gu, (character) => `%${codeOf(character)}`);
const inJson = (text: string, which: RegExp): string =>
  text.replaceAll(which, (character) => String.raw`\u00${codeOf(character)}`);
const codeOf = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');

/** A server's ways to return a client's request: as a debugging page, an error page, or a mirror. */
const ways: Readonly<Record<string, Way>> = {
  plain: (request) => whole(request),
  pieces: (request) => ({ fields: [], pieces: piecesOf(request, 5) }),
  'byte-by-byte': (request) => ({ fields: [], pieces: piecesOf(request, 1) }),
  gzip: coded('gzip', gzipSync),
  deflate: coded('deflate', deflateSync),
  br: coded('br', brotliCompressSync),
  zstd: coded('zstd', zstdCompressSync),
  'gzip-twice': coded('gzip, gzip', (bytes) => gzipSync(gzipSync(bytes))),
  'gzip-in-pieces': (request) => ({ fields: ['Content-Encoding: gzip'], pieces: piecesOf(gzipSync(request), 3) }),
  base64: (request) => whole(Buffer.from(request.toString('base64'))),
  'base64-shifted': (request) => whole(Buffer.from(Buffer.concat([Buffer.from('x'), request]).toString('base64'))),
  base64url: (request) => whole(Buffer.from(request.toString('base64url'))),
  hex: (request) => whole(Buffer.from(request.toString('hex'))),
  percent: (_, key) => whole(Buffer.from(encodeURIComponent(key))),
  'percent-all': (_, key) => whole(Buffer.from(percent(key))),
  // As Go, Gson and System.Text.Json write `=` and `+`.
  'json-equals': (_, key) => whole(Buffer.from(inJson(key, /[=&<>']/gu))),
  'json-plus': (_, key) =>
    whole(Buffer.from(inJson(key, /[+&<>'"`]/gu).replaceAll(/u00../gu, (pair) => `u${pair.slice(1).toUpperCase()}`))),
  'basic-json': (_, key) =>
    whole(
      Buffer.from(
        inJson(Buffer.from(`u:${key}`).toString('base64'), /[+]/gu).replaceAll(
          /u00../gu,
          (pair) => `u${pair.slice(1).toUpperCase()}`,
        ),
      ),
    ),
  'basic-percent': (_, key) => whole(Buffer.from(encodeURIComponent(Buffer.from(`u:${key}`).toString('base64')))),
  'utf-16': (_, key) => whole(Buffer.from(key, 'utf16le')),
  header: inField((key) => `X-Echo: ${key}`),
  'header-base64': inField((key) => `X-Echo: ${Buffer.from(key).toString('base64')}`),
  cookie: inField((key) => `Set-Cookie: key=${key}; Path=/`),
  location: (_, key) => ({ ...whole(Buffer.alloc(0), [`Location: /?key=${key}`]), status: '302 Found' }),
  challenge: (_, key) => ({
    ...whole(Buffer.alloc(0), [`WWW-Authenticate: Bearer error="invalid", key="${key}"`]),
    status: '401 Unauthorized',
  }),
  status: (_, key) => ({ ...whole(Buffer.alloc(0)), status: `200 ${key}` }),
  part: (request, key) => partOf(Buffer.from(`the key is ${key}, it said`), request.toString('latin1')),
  trailer: (_, key) => ({ fields: ['Trailer: X-Echo'], pieces: [Buffer.from('content')], trailer: `X-Echo: ${key}` }),
};

/** As a server that serves parts of everything, such as Apache. */
function partOf(content: Buffer, request: string): Echo {
  const [, first = '0', last = ''] = /^range: bytes=(\d+)-(\d+)/imu.exec(request) ?? [];
  const pieces = [content.subarray(Number(first), Number(last) + 1)];
  return {
    fields: [`Content-Range: bytes ${first}-${last}/${content.length}`],
    status: '206 Partial Content',
    pieces,
  };
}

/** Undefined if the path requests no echo: `/echo/WAY`. */
export function echoOf(path: string, request: Buffer): Echo | undefined {
  const name = /^\/echo\/([\w-]+)/u.exec(path)?.[1];
  const key = /^authorization: bearer (\S+)/imu.exec(request.toString('latin1'))?.[1] ?? 'none';
  return name === undefined ? undefined : ways[name]?.(request, key);
}

/** In HTTP/1.1: chunks, so that each piece and the trailer are separate. */
export function chunkedAnswer({ fields, status = '200 OK', pieces, trailer }: Echo): readonly Buffer[] {
  const head = [`HTTP/1.1 ${status}`, 'Content-Type: text/plain', 'Transfer-Encoding: chunked', ...fields].join('\r\n');
  const chunks = pieces
    .filter((piece) => piece.length > 0)
    .map((piece) => Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]));
  return [
    Buffer.from(`${head}\r\n\r\n`),
    ...chunks,
    Buffer.from(`0\r\n${trailer === undefined ? '' : `${trailer}\r\n`}\r\n`),
  ];
}

function piecesOf(bytes: Buffer, size: number): readonly Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
