import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { decoderFor } from './decoders.ts';

export type BodyRead = { readonly kind: 'read'; readonly bytes: Buffer; readonly truncated: boolean } | { readonly kind: 'unknown coding'; readonly coding: string };

/** Thrown to stop a pipeline that has enough. */
const enough = Symbol('enough');

/**
 * Reads a body, decodes it, and stops at `maxBytes` of decoded content: a bomb is never unpacked further than that. What
 * comes in is bounded as well, because an archive may go on for ever and hold nothing. Rejects when the stream breaks.
 */
export async function readBody(source: Readable, contentEncoding: string, maxBytes: number): Promise<BodyRead> {
  const make = decoderFor(contentEncoding);
  if (make === undefined) return { kind: 'unknown coding', coding: contentEncoding.slice(0, 100) };
  const pieces = (source as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done === true) return { kind: 'read', bytes: Buffer.alloc(0), truncated: false };
  const chunks: Buffer[] = [];
  const input = Readable.from(bounded(first.value, pieces, 2 * maxBytes + 65_536), { objectMode: false });
  const decoder = make(first.value[0] ?? 0);
  const collect = collector(chunks, maxBytes);
  try {
    await (decoder === undefined ? pipeline(input, collect) : pipeline(input, decoder, collect));
    return { kind: 'read', bytes: Buffer.concat(chunks), truncated: false };
  } catch (error) {
    if (error !== enough) throw error;
    return { kind: 'read', bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated: true };
  }
}

async function* bounded(first: Buffer, rest: AsyncIterator<Buffer>, most: number): AsyncGenerator<Buffer> {
  let length = 0;
  for (let next: IteratorResult<Buffer> = { value: first }; next.done !== true; next = await rest.next()) {
    length += next.value.length;
    if (length > most) throw enough;
    yield next.value;
  }
}

function collector(chunks: Buffer[], maxBytes: number): (decoded: AsyncIterable<Buffer>) => Promise<void> {
  return async (decoded) => {
    let length = 0;
    for await (const chunk of decoded) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) throw enough;
    }
  };
}
