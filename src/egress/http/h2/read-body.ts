import { constants, type Http2Stream, type IncomingHttpHeaders } from 'node:http2';
import { setImmediate } from 'node:timers/promises';
import { byteSource } from '../byte-source.ts';
import { valueOf } from '../fields.ts';
import { bodyFrom } from '../interceptor.ts';
import type { Body, Fields } from '../message.ts';
import { StreamReset } from '../reset.ts';
import { fieldsOf } from './fields.ts';

/** The content of a stream whose head has been read. nghttp2 holds it to its content-length. */
export function readStream(stream: Http2Stream, head: Fields): Body {
  let trailers: Fields | undefined;
  stream.on('trailers', (headers: IncomingHttpHeaders) => {
    trailers = fieldsOf(headers);
  });
  const stated = valueOf(head, 'content-length');
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
    // A reset looks like an end to who only reads, and is told of a moment later.
    if (!hasTrailers() && !stream.closed) await setImmediate();
    if (stream.rstCode !== undefined && stream.rstCode !== constants.NGHTTP2_NO_ERROR)
      throw new StreamReset(stream.rstCode);
    isWhole = true;
  } finally {
    if (!isWhole && !stream.closed) stream.close(constants.NGHTTP2_CANCEL);
  }
}
