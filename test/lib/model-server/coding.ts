import { once } from 'node:events';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import type { Coding } from './types.ts';

export function encodeWhole(coding: Coding | undefined, bytes: Buffer): Buffer {
  switch (coding) {
    case undefined:
      return bytes;
    case 'gzip':
      return gzipSync(bytes);
    case 'br':
      return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
    case 'zstd':
      return zstdCompressSync(bytes);
  }
}

/** Flushes each event, so that the client can decode it on arrival. The end of the coding is a separate event. */
export async function encodeEvents(coding: Coding | undefined, events: readonly Buffer[]): Promise<readonly Buffer[]> {
  if (coding === undefined) return events;
  const { stream, flush } = encoders[coding]();
  const out: Buffer[] = [];
  stream.on('data', (bytes: Buffer) => void out.push(bytes));
  const encoded: Buffer[] = [];
  for (const event of events) {
    stream.write(event);
    await new Promise<void>((resolve) => stream.flush(flush, () => resolve()));
    encoded.push(Buffer.concat(out.splice(0)));
  }
  const ended = once(stream, 'end');
  stream.end();
  await ended;
  return [...encoded, Buffer.concat(out)];
}

const encoders = {
  gzip: () => ({ stream: createGzip(), flush: constants.Z_SYNC_FLUSH }),
  br: () => ({
    stream: createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    flush: constants.BROTLI_OPERATION_FLUSH,
  }),
  zstd: () => ({ stream: createZstdCompress(), flush: constants.ZSTD_e_flush }),
} as const;
