import { constants, type Http2Stream, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http2';
import { setImmediate } from 'node:timers/promises';
import { byteSource } from '../byte-source.ts';
import { bodyFrom } from '../interceptor.ts';
import { type Body, type Field, field, type Fields, fieldValue } from '../message.ts';
import { StreamReset } from '../reset.ts';

/** Returns the content of a stream whose head has been read. nghttp2 enforces its content-length. */
export function readHttp2Body(stream: Http2Stream, head: Fields): Body {
  let trailers: Fields | undefined;
  stream.on('trailers', (headers: IncomingHttpHeaders) => {
    trailers = fieldsOf(headers);
  });
  const stated = fieldValue(head, 'content-length');
  const length = stated === undefined ? {} : { length: Number(stated) };
  return bodyFrom(
    chunks(stream, () => trailers !== undefined),
    { ...length, trailers: () => trailers ?? [] },
  );
}

async function* chunks(stream: Http2Stream, hasTrailers: () => boolean): AsyncGenerator<Buffer, void> {
  const source = byteSource(stream);
  let isWhole = false;
  try {
    for (let bytes = await source.read(); bytes !== undefined; bytes = await source.read()) yield bytes;
    // A reader sees a reset as an end. Node reports the reset a moment later.
    if (!hasTrailers() && !stream.closed) await setImmediate();
    if (stream.rstCode !== undefined && stream.rstCode !== constants.NGHTTP2_NO_ERROR)
      throw new StreamReset(stream.rstCode);
    isWhole = true;
  } finally {
    if (!isWhole && !stream.closed) stream.close(constants.NGHTTP2_CANCEL);
  }
}

/** Fields that HTTP/2 does not have. Node throws on them. Source: RFC 9113 §8.2.2. */
const notInHttp2 = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'host',
  'http2-settings',
]);

/**
 * Returns the fields of a header block from Node, without pseudo-fields. Split `cookie` fields are joined, and
 * duplicates of fields that may occur only once are dropped.
 */
export function fieldsOf(headers: IncomingHttpHeaders): Fields {
  return Object.entries(headers).flatMap(([name, value]): readonly Field[] => {
    if (name.startsWith(':') || value === undefined) return [];
    return Array.isArray(value) ? value.map((each) => field(name, each)) : [field(name, value)];
  });
}

/** Returns a header block for Node to send. Several fields of one name stay separate. */
export function headersOf(fields: Fields): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, never>;
  for (const { key, value } of fields) {
    if (notInHttp2.has(key) || key.startsWith(':')) continue;
    const present = headers[key];
    headers[key] = present === undefined ? value : [...(Array.isArray(present) ? present : [present]), value];
  }
  return headers;
}
