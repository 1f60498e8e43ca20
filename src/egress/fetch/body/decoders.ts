import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** Small pieces, so that a bomb is noticed before it has grown. */
const options = { chunkSize: 64 * 1024 };

/** Makes a decoder for content that begins with a byte. */
export type MakeDecoder = (firstByte: number) => Transform | undefined;

/** Content codings that a fetch asks for (RFC 9110 §8.4.1). */
const decoders: ReadonlyMap<string, MakeDecoder> = new Map<string, MakeDecoder>([
  ['', () => undefined],
  ['identity', () => undefined],
  ['gzip', () => createGunzip(options)],
  ['x-gzip', () => createGunzip(options)],
  ['br', () => createBrotliDecompress(options)],
  // zlib by the standard, raw deflate by many servers. The low half of zlib's first byte is 8 (RFC 1950 §2.2); a raw stream that begins so would be a stored block with padding set.
  ['deflate', (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate(options) : createInflateRaw(options))],
]);

/** Undefined for a coding that is not known, two at once among them: no honest server encodes twice, a bomb does. */
export function decoderFor(contentEncoding: string): MakeDecoder | undefined {
  return decoders.get(contentEncoding.trim().toLowerCase());
}
