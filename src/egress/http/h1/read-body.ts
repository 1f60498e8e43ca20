import type { ByteSource } from '../byte-source.ts';
import { bodyFrom } from '../interceptor.ts';
import type { Body, Fields } from '../message.ts';
import { chunkedDecoder } from './chunked-decoder.ts';
import type { Framing } from './framing.ts';

/** How reading a body came out. `complete` leaves the source at the first byte after it. */
export type BodyOutcome = 'complete' | 'broken' | 'abandoned';

export interface BodyOptions {
  /** Called once. */
  readonly onDone: (outcome: BodyOutcome) => void;
}

/** The content that follows a head, or undefined where there is none. Iterating rejects when it breaks off or is malformed. */
export function readBody(source: ByteSource, framing: Framing, { onDone }: BodyOptions): Body | undefined {
  switch (framing.kind) {
    case 'none':
      return undefined;
    case 'length':
      return bodyFrom(watched(exactly(source, framing.length), onDone), { length: framing.length });
    case 'chunked': {
      const trailers: { fields: Fields } = { fields: [] };
      return bodyFrom(watched(chunked(source, trailers), onDone), { trailers: () => trailers.fields });
    }
    case 'until-close':
      return bodyFrom(watched(toTheEnd(source), onDone));
  }
}

async function* watched(chunks: AsyncGenerator<Buffer, void>, onDone: (outcome: BodyOutcome) => void): AsyncGenerator<Buffer, void> {
  let outcome: BodyOutcome = 'abandoned';
  try {
    yield* chunks;
    outcome = 'complete';
  } catch (error) {
    outcome = 'broken';
    throw error;
  } finally {
    onDone(outcome);
  }
}

async function* exactly(source: ByteSource, length: number): AsyncGenerator<Buffer, void> {
  for (let left = length; left > 0; ) {
    const bytes = await source.read();
    if (bytes === undefined) throw new Error('The content broke off.');
    if (bytes.length > left) source.unread(bytes.subarray(left));
    const own = bytes.length > left ? bytes.subarray(0, left) : bytes;
    left -= own.length;
    yield own;
  }
}

async function* chunked(source: ByteSource, trailers: { fields: Fields }): AsyncGenerator<Buffer, void> {
  const decoder = chunkedDecoder();
  for (;;) {
    const bytes = await source.read();
    if (bytes === undefined) throw new Error('The content broke off.');
    for (const piece of decoder.push(bytes)) {
      if (piece.kind === 'data') yield piece.bytes;
      else if (piece.kind === 'malformed') throw new Error(piece.message);
      else {
        source.unread(piece.rest);
        trailers.fields = piece.trailers;
        return;
      }
    }
  }
}

async function* toTheEnd(source: ByteSource): AsyncGenerator<Buffer, void> {
  for (let bytes = await source.read(); bytes !== undefined; bytes = await source.read()) yield bytes;
}
