import type { ByteSource } from '../byte-source.ts';
import { bodyFrom } from '../interceptor.ts';
import { httpLimits } from '../limits.ts';
import type { Body, Fields } from '../message.ts';
import { parseFieldLines } from './field-lines.ts';
import type { BodyFraming } from './framing.ts';

/** Result of reading a body. `complete` leaves the source at the first byte after it. */
export type BodyOutcome = 'complete' | 'broken' | 'abandoned';

export interface BodyOptions {
  /** Called once. */
  readonly onDone: (outcome: BodyOutcome) => void;
}

/**
 * Returns the content after a head, or undefined without content. Iterating rejects if the content breaks off or is
 * malformed.
 */
export function readHttp1Body(source: ByteSource, framing: BodyFraming, { onDone }: BodyOptions): Body | undefined {
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

/** Returns the next bytes of a body, or undefined after the last. */
type Pull = () => Promise<Buffer | undefined>;

const over = { done: true, value: undefined } as const;

/**
 * Written by hand: nested generators create several promises for each chunk, and a download has thousands of chunks.
 */
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

/** Output of the chunked decoder, in order. */
export type ChunkedPiece =
  | { readonly kind: 'data'; readonly bytes: Buffer }
  /** The content has ended. `rest` follows it on the connection. */
  | { readonly kind: 'end'; readonly trailers: Fields; readonly rest: Buffer }
  | { readonly kind: 'malformed'; readonly message: string };

interface ChunkedDecoder {
  /** Takes the next bytes of the connection. Must not be called after `end` or `malformed`. */
  push(bytes: Buffer): Iterable<ChunkedPiece>;
}

type Expecting = 'size' | 'data' | 'data-end' | 'trailers';

/**
 * At most 13 digits, so that every size is an exact number. Extensions may not have control characters, CR and LF
 * included.
 */
const sizeLine = /^([\da-f]{1,13})(?:[\t ]*;[\t\u0020-\u007e\u0080-\u00ff]*)?$/iu;

/** Decodes the chunked coding. Enforces limits, CRLF line ends and hexadecimal sizes. Source: RFC 9112 §7.1. */
export function chunkedDecoder(): ChunkedDecoder {
  let expecting: Expecting = 'size';
  let left = 0;
  let held: Buffer = Buffer.alloc(0);

  /** Takes one line off the front of `held`. Undefined while the line is incomplete. */
  const line = (): string | undefined => {
    const at = held.indexOf('\r\n');
    if (at === -1) return undefined;
    const text = held.toString('latin1', 0, at);
    held = held.subarray(at + 2);
    return text;
  };

  function* sizes(): Generator<ChunkedPiece, boolean> {
    if (held.length > httpLimits.chunkLine && held.indexOf('\r\n') === -1)
      return yield* broken('A chunk-size line is too long.');
    const text = line();
    if (text === undefined)
      return held.includes('\n') ? yield* broken('A chunk-size line ends with a bare LF.') : false;
    const size = text.length > httpLimits.chunkLine ? null : sizeLine.exec(text);
    if (size === null) return yield* broken('A chunk size is malformed.');
    left = Number.parseInt(size[1] ?? '', 16);
    expecting = left === 0 ? 'trailers' : 'data';
    return true;
  }

  function* data(): Generator<ChunkedPiece, boolean> {
    const bytes = held.subarray(0, left);
    held = held.subarray(bytes.length);
    left -= bytes.length;
    if (left === 0) expecting = 'data-end';
    if (bytes.length > 0) yield { kind: 'data', bytes };
    return held.length > 0;
  }

  function* dataEnd(): Generator<ChunkedPiece, boolean> {
    if (held[0] !== 0x0d || (held.length > 1 && held[1] !== 0x0a))
      return yield* broken('A chunk is longer than its size.');
    if (held.length < 2) return false;
    held = held.subarray(2);
    expecting = 'size';
    return true;
  }

  function* trailers(): Generator<ChunkedPiece, boolean> {
    const empty = held[0] === 0x0d && held[1] === 0x0a;
    const at = empty ? 0 : held.indexOf('\r\n\r\n');
    if (at === -1) return held.length > httpLimits.trailers ? yield* broken('The trailers are too long.') : false;
    const parsed = parseFieldLines(empty ? [] : held.toString('latin1', 0, at).split('\r\n'));
    if (parsed.kind === 'problem') return yield* broken(parsed.message);
    yield { kind: 'end', trailers: parsed.fields, rest: held.subarray(empty ? 2 : at + 4) };
    return false;
  }

  const states: Readonly<Record<Expecting, () => Generator<ChunkedPiece, boolean>>> = {
    size: sizes,
    data,
    'data-end': dataEnd,
    trailers,
  };
  return {
    *push(bytes) {
      held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      while (held.length > 0 && (yield* states[expecting]()));
    },
  };
}

function* broken(message: string): Generator<ChunkedPiece, false> {
  yield { kind: 'malformed', message };
  return false;
}
