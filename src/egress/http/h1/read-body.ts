import type { ByteSource } from '../byte-source.ts';
import { bodyFrom } from '../interceptor.ts';
import type { Body, Fields } from '../message.ts';
import { chunkedDecoder, type ChunkedPiece } from './chunked-decoder.ts';
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
      return bodyFrom(pulled(exactly(source, framing.length), onDone), { length: framing.length });
    case 'chunked': {
      const trailers: { fields: Fields } = { fields: [] };
      return bodyFrom(pulled(chunked(source, trailers), onDone), { trailers: () => trailers.fields });
    }
    case 'until-close':
      return bodyFrom(pulled(() => source.read(), onDone));
  }
}

/** The next bytes of a body, or undefined after the last. */
type Pull = () => Promise<Buffer | undefined>;

const over = { done: true, value: undefined } as const;

/** By hand: generators that delegate to each other make several promises for each chunk, and a download has thousands. */
function pulled(pull: Pull, onDone: (outcome: BodyOutcome) => void): AsyncIterableIterator<Buffer, void> {
  let state: 'open' | 'over' = 'open';
  const end = (outcome: BodyOutcome): typeof over => {
    if (state === 'open') {
      state = 'over';
      onDone(outcome);
    }
    return over;
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (state === 'over') return over;
      try {
        const value = await pull();
        return value === undefined ? end('complete') : { done: false, value };
      } catch (error) {
        end('broken');
        throw error;
      }
    },
    async return() {
      return end('abandoned');
    },
  };
}

function exactly(source: ByteSource, length: number): Pull {
  let left = length;
  return async () => {
    if (left === 0) return undefined;
    const bytes = await source.read();
    if (bytes === undefined) throw new Error('The content broke off.');
    if (bytes.length > left) source.unread(bytes.subarray(left));
    const own = bytes.length > left ? bytes.subarray(0, left) : bytes;
    left -= own.length;
    return own;
  };
}

function chunked(source: ByteSource, trailers: { fields: Fields }): Pull {
  const decoder = chunkedDecoder();
  let pieces: Iterator<ChunkedPiece> = [][Symbol.iterator]();
  return async () => {
    for (;;) {
      const { done, value: piece } = pieces.next();
      if (done === true) {
        const bytes = await source.read();
        if (bytes === undefined) throw new Error('The content broke off.');
        pieces = decoder.push(bytes)[Symbol.iterator]();
      } else if (piece.kind === 'data') {
        return piece.bytes;
      } else if (piece.kind === 'malformed') {
        throw new Error(piece.message);
      } else {
        source.unread(piece.rest);
        trailers.fields = piece.trailers;
        return undefined;
      }
    }
  };
}
