import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bodyFrom, textBody } from '../../egress/http/interceptor.ts';
import { type IncomingResponse, field } from '../../egress/http/message.ts';
import { decodedAnswer, readableCodings } from './codings.ts';
import { requestOf } from './testing/requests.ts';

type Headers = readonly (readonly [string, string])[];
const fields = (headers: Headers): ReturnType<typeof field>[] => headers.map(([name, value]) => field(name, value));
const shown = (all: readonly { readonly name: string; readonly value: string }[]): Headers =>
  all.map(({ name, value }) => [name, value] as const);

// Attack: servers in Go compress their messages as the client's were, whatever it says that it takes.
test.each([
  ['Grpc-Encoding', 'gzip', 'refused'],
  ['Connect-Content-Encoding', 'zstd', 'refused'],
  ['Grpc-Encoding', 'identity', 'response'],
])('messages with %s: %s are %s', (name, coding, kind) => {
  const answer: IncomingResponse = {
    kind: 'response',
    status: 200,
    reason: '',
    fields: [field(name, coding)],
    body: textBody('messages'),
  };
  expect(decodedAnswer(answer, requestOf()).kind).toBe(kind);
});

describe('a part of an answer', () => {
  const part = (range: string | undefined): IncomingResponse => ({
    kind: 'response',
    status: 206,
    reason: '',
    fields: range === undefined ? [] : [field('Content-Range', range)],
    body: textBody('part'),
  });

  test.each(['bytes 0-0/100', 'bytes 99-99/100', 'bytes 7-10/100', 'bytes 7-10/*', 'bytes 0-99/100'])(
    '%s is passed on unchanged',
    (range) => {
      const answer = part(range);
      expect(decodedAnswer(answer, requestOf())).toBe(answer);
    },
  );

  test.each([
    ['bytes 7-9/100', 'fewer than 4 bytes'],
    ['bytes 98-98/100', 'fewer than 4 bytes'],
    ['bytes 7-9/*', 'fewer than 4 bytes'],
    ['items 1-5/9', 'several parts'],
    [undefined, 'several parts'],
  ])('%s is refused', (range, message) => {
    expect(decodedAnswer(part(range), requestOf())).toMatchObject({
      kind: 'refused',
      refusal: { code: 'upstream-protocol', message: expect.stringContaining(message) },
    });
  });
});

describe('the request', () => {
  test.each([
    [[['Accept-Encoding', 'gzip, deflate, br, zstd']], [['Accept-Encoding', 'gzip, deflate, br, zstd']]],
    [[['accept-encoding', 'gzip;q=0.5, dcb, compress, *']], [['accept-encoding', 'gzip;q=0.5']]],
    [[['Accept-Encoding', 'dcz']], [['Accept-Encoding', 'identity']]],
    [[['Accept-Encoding', '']], [['Accept-Encoding', 'identity']]],
    [
      [
        ['Accept-Encoding', 'br'],
        ['X', '1'],
        ['Accept-Encoding', 'GZIP , sdch'],
      ],
      [
        ['Accept-Encoding', 'br, GZIP'],
        ['X', '1'],
      ],
    ],
    [
      [
        ['Accept-Encoding', 'gzip'],
        ['Range', 'bytes=0-9'],
      ],
      [
        ['Accept-Encoding', 'identity'],
        ['Range', 'bytes=0-9'],
      ],
    ],
    [[['Accept', '*/*']], [['Accept', '*/*']]],
    [
      [
        ['Grpc-Accept-Encoding', 'gzip'],
        ['TE', 'trailers'],
      ],
      [['TE', 'trailers']],
    ],
  ] satisfies readonly (readonly [Headers, Headers])[])('%j → %j', (before, after) => {
    expect(shown(readableCodings(fields(before)))).toEqual(after);
  });
});

describe('the answer', () => {
  const packed = {
    gzip: gzipSync('content'),
    'x-gzip': gzipSync('content'),
    deflate: deflateSync('content'),
    br: brotliCompressSync('content'),
    zstd: zstdCompressSync('content'),
  } as const;
  const answerOf = (headers: Headers, bytes: Buffer, status = 200): IncomingResponse => ({
    kind: 'response',
    status,
    reason: 'OK',
    fields: fields(headers),
    body: { ...textBody(''), [Symbol.asyncIterator]: () => once(bytes) },
  });
  async function* once(bytes: Buffer): AsyncGenerator<Buffer, void> {
    yield bytes;
  }
  const read = async ({ body }: IncomingResponse): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of body ?? textBody('none')) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };

  test.each(Object.entries(packed))(
    'in %s is decoded, and its length, coding and digests are told no more',
    async (coding, bytes) => {
      const headers: Headers = [
        ['ETag', '"1"'],
        ['Content-Encoding', coding],
        ['Content-Length', String(bytes.length)],
        ['Repr-Digest', 'sha-256=:x:'],
        ['Digest', 'x'],
        ['Content-MD5', 'x'],
        ['Content-Type', 'text/plain'],
      ];
      const answer = decodedAnswer(answerOf(headers, bytes), requestOf()) as IncomingResponse;
      expect(shown(answer.fields)).toEqual([
        ['ETag', '"1"'],
        ['Content-Type', 'text/plain'],
      ]);
      expect(answer.body?.length).toBeUndefined();
      expect(await read(answer)).toBe('content');
    },
  );

  test('in several codings is decoded as well', async () => {
    const headers: Headers = [
      ['Content-Encoding', 'gzip'],
      ['content-encoding', 'br'],
    ];
    expect(
      await read(decodedAnswer(answerOf(headers, brotliCompressSync(packed.gzip)), requestOf()) as IncomingResponse),
    ).toBe('content');
  });

  test.each([
    ['without a coding', [['Content-Length', '7']]],
    [
      'in the coding that is none',
      [
        ['Content-Encoding', 'identity'],
        ['Content-Length', '7'],
      ],
    ],
  ] satisfies readonly (readonly [string, Headers])[])('%s stays as it is', (_, headers) => {
    const answer = answerOf(headers, Buffer.from('content'));
    expect(decodedAnswer(answer, requestOf())).toBe(answer);
  });

  test.each([
    ['to HEAD', requestOf({ method: 'HEAD' }), 200],
    ['without content', requestOf(), 204],
    ['of what is known', requestOf(), 304],
  ])('%s is passed on unchanged', (_, request, status) => {
    const answer = answerOf([['Content-Encoding', 'dcz']], Buffer.alloc(0), status);
    expect(decodedAnswer(answer, request)).toBe(answer);
  });

  test.each([
    ['dcz', 200, 'cannot|nothing here can undo \\(dcz\\)'],
    ['gzip, compress', 200, '\\(compress\\)'],
    ['x\u001b[2Jy', 200, '\\(x\\?\\?2jy\\)'],
    ['gzip', 206, 'a part of something compressed'],
  ])('in %j with %i is refused, and the exchange ends', async (coding, status, message) => {
    let isEnded = false;
    async function* endless(): AsyncGenerator<Buffer, void> {
      try {
        for (;;) yield Buffer.from('x');
      } finally {
        isEnded = true;
      }
    }
    const answer = decodedAnswer(
      {
        kind: 'response',
        status,
        reason: '',
        fields: fields([['Content-Encoding', coding]]),
        body: bodyFrom(endless()),
      },
      requestOf(),
    );
    expect(answer).toMatchObject({
      kind: 'refused',
      refusal: { code: 'upstream-protocol', message: expect.stringMatching(new RegExp(message, 'u')) },
    });
    await expect.poll(() => isEnded).toBe(true);
  });
});
