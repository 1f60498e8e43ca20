import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

export type BodyRead =
  | { readonly kind: 'read'; readonly bytes: Buffer; readonly truncated: boolean }
  | { readonly kind: 'unknown coding'; readonly coding: string };

/** Thrown to stop the pipeline once it has read enough. */
const enough = Symbol('enough');

/**
 * Reads and decodes a body, and stops at `maxBytes` of decoded content, so a decompression bomb is not unpacked any
 * further. Input is limited too, because compressed input can go on forever without producing content. Rejects if the
 * stream breaks.
 */
export async function readFetchBody(source: Readable, contentEncoding: string, maxBytes: number): Promise<BodyRead> {
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

/** Small chunks, so that a bomb is noticed before it has grown. */
const options = { chunkSize: 64 * 1024 };

/** Creates a decoder for content with this first byte. */
type MakeDecoder = (firstByte: number) => Transform | undefined;

/** Content codings that a fetch asks for (RFC 9110 §8.4.1). */
const decoders: ReadonlyMap<string, MakeDecoder> = new Map<string, MakeDecoder>([
  ['', () => undefined],
  ['identity', () => undefined],
  ['gzip', () => createGunzip(options)],
  ['x-gzip', () => createGunzip(options)],
  ['br', () => createBrotliDecompress(options)],
  // The standard means zlib, but many servers send raw deflate. The low half of zlib's first byte is 8 (RFC 1950 §2.2).
  // A raw stream with that first byte would be a stored block with nonzero padding.
  ['deflate', (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options))],
]);

/**
 * Undefined for an unknown coding. Two codings at once count as unknown: no honest server encodes twice, but a bomb
 * does.
 */
function decoderFor(contentEncoding: string): MakeDecoder | undefined {
  return decoders.get(contentEncoding.trim().toLowerCase());
}
