import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bodyFrom } from '../../egress/http/interceptor.ts';
import { readCallContent, withContent } from './carry-call.ts';
import { requestOf } from './testing/gateway.ts';

const text = Buffer.from('{"model":"example"}');

async function carried(body: Buffer, coding: string, change: (bytes: Buffer) => Buffer = (bytes) => bytes) {
  const request = requestOf({
    body,
    headers: { 'content-encoding': coding, 'content-length': String(body.length), digest: 'x' },
  });
  const content = await readCallContent(request);
  const outgoing = withContent(request, content, content.kind === 'bytes' ? change(content.bytes) : undefined);
  const sent: Buffer[] = [];
  for await (const bytes of outgoing.body ?? []) sent.push(bytes);
  return {
    kind: content.kind,
    sent: Buffer.concat(sent),
    fields: Object.fromEntries(outgoing.fields.map(({ key, value }) => [key, value])),
  };
}

describe('compressed content', () => {
  test.each([
    ['gzip', gzipSync(text)],
    ['gzip', Buffer.concat([gzipSync(text.subarray(0, 5)), gzipSync(text.subarray(5))])],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['br, gzip', gzipSync(brotliCompressSync(text))],
  ])(
    'as %s goes on as it was looked into, without that, whether or not something was changed',
    async (coding, body) => {
      const same = await carried(body, coding);
      expect([same.sent.toString(), same.fields]).toEqual([text.toString(), { 'content-length': String(text.length) }]);
      const changed = await carried(body, coding, (bytes) => Buffer.concat([bytes, Buffer.from(' ')]));
      expect([changed.sent.toString(), changed.fields]).toEqual([
        `${text.toString()} `,
        { 'content-length': String(text.length + 1) },
      ]);
    },
  );

  test('goes on as it came where it only says that it is compressed in no way', async () => {
    const same = await carried(text, 'identity');
    expect([same.sent.toString(), same.fields]).toEqual([
      text.toString(),
      { 'content-encoding': 'identity', 'content-length': String(text.length), digest: 'x' },
    ]);
  });

  test.each([
    ['zstd', Buffer.concat([zstdCompressSync(''), zstdCompressSync(text)])],
    ['br', Buffer.concat([brotliCompressSync(''), brotliCompressSync(text)])],
    ['deflate', Buffer.concat([deflateRawSync(''), deflateRawSync(text)])],
    ['gzip', Buffer.concat([gzipSync(''), Buffer.alloc(1), gzipSync(text)])],
    ['zstd, gzip', gzipSync(Buffer.concat([zstdCompressSync(''), zstdCompressSync(text)]))],
  ])('as %s with an empty first part, and a second that only some decoders see, is stopped', async (coding, body) => {
    expect(await readCallContent(requestOf({ body, headers: { 'content-encoding': coding } }))).toMatchObject({
      kind: 'unreadable',
      status: 400,
    });
  });

  test('of empty parts is stopped, and read up to the limit only', async () => {
    const nothing = Buffer.concat(Array.from({ length: 50_000 }, () => gzipSync('')));
    let given = 0;
    const body = bodyFrom(
      (async function* () {
        for (;;) yield ((given += nothing.length), nothing);
      })(),
    );
    expect(await readCallContent(requestOf({ body, headers: { 'content-encoding': 'gzip' } }))).toMatchObject({
      kind: 'unreadable',
      status: 413,
    });
    expect(given).toBeLessThan(70 * 2 ** 20);
  });
});
