import type { StreamEditor } from '../types.ts';
import type { EditorOptions } from './types.ts';

/**
 * Finds the units of a stream (events, lines, messages) in its chunks. Keeps only the state that it needs of earlier
 * chunks.
 */
export interface Splitter {
  /** Takes the next chunk. All positions refer to this chunk from now on. */
  open(chunk: Buffer): void;
  /**
   * Called after a unit. Returns where the rest of its ending, which arrives only now, stops. Otherwise returns `at`.
   */
  tail(at: number): number;
  /** Called between units. Returns where the next unit begins, or the length of the chunk. */
  skip(at: number): number;
  /** Called within a unit. Returns its end, or -1 if the end is not in this chunk. */
  findEnd(at: number): number;
}

/** Replacement of a unit. `lost`: the unit and everything after it pass unchanged. */
export type EditedUnit = 'same' | 'lost' | Buffer;

export interface UnitRules {
  readonly splitter: Splitter;
  /** Settles the unit at these positions of `bytes`. */
  readonly settle: (bytes: Buffer, start: number, end: number) => EditedUnit;
  /** `settle`: the end of the stream also ends a unit. */
  readonly atEnd: 'settle' | 'unfinished';
  /**
   * Returns bytes to write before a lost unit, before an unfinished unit, and at the end of the stream. Default: none.
   */
  readonly rest?: () => Buffer;
  readonly options: Required<EditorOptions>;
}

const nothing = Buffer.alloc(0);

/**
 * Passes units to `settle` as soon as they are complete, however the stream is split into chunks. Holds back at most
 * one unit, up to the limit.
 */
export class UnitEditor implements StreamEditor {
  readonly #rules: UnitRules;
  readonly #held = createByteHold();
  /** State of the stream. `passing`: inside a unit that is too long. */
  #state: 'between' | 'within' | 'passing' | 'lost' = 'between';
  #isDropped = false;

  constructor(rules: UnitRules) {
    this.#rules = rules;
  }

  push(chunk: Buffer): Buffer {
    this.#rules.splitter.open(chunk);
    const out = createOutput(chunk);
    for (let at = 0; at < chunk.length && this.#state !== 'lost'; )
      at = this.#state === 'between' ? this.#skip(out, at) : this.#goOn(out, at);
    return out.bytes();
  }

  end(): Buffer {
    const { atEnd, options } = this.#rules;
    if (this.#held.length === 0) return this.#rest();
    const unit = this.#held.take();
    if (atEnd === 'unfinished') options.onUnread('unfinished');
    const settled = atEnd === 'settle' ? this.#settle(unit, 0, unit.length) : 'same';
    return behind(this.#rest(), Buffer.isBuffer(settled) ? settled : unit);
  }

  #skip(out: Output, at: number): number {
    const { splitter } = this.#rules;
    const tail = splitter.tail(at);
    if (this.#isDropped) out.replace(at, tail, nothing);
    this.#isDropped = false;
    const next = splitter.skip(tail);
    if (next < out.chunk.length) this.#state = 'within';
    return next;
  }

  #goOn(out: Output, at: number): number {
    const found = this.#rules.splitter.findEnd(at);
    const end = found < 0 ? out.chunk.length : found;
    if (this.#state === 'within' && this.#held.length + end - at > this.#rules.options.limit) this.#letGo(out, at);
    if (this.#state === 'within') return found < 0 ? this.#hold(out, at) : this.#finish(out, at, end);
    if (found >= 0) this.#state = 'between';
    return end;
  }

  #letGo(out: Output, at: number): void {
    this.#state = 'passing';
    out.replace(at, at, this.#held.take());
    this.#rules.options.onUnread('too-long');
  }

  #hold(out: Output, at: number): number {
    const { chunk } = out;
    this.#held.add(chunk.subarray(at));
    out.replace(at, chunk.length, nothing);
    return chunk.length;
  }

  #finish(out: Output, at: number, end: number): number {
    const isHere = this.#held.length === 0;
    if (!isHere) this.#held.add(out.chunk.subarray(at, end));
    const unit = isHere ? out.chunk : this.#held.take();
    const settled = isHere ? this.#settle(unit, at, end) : this.#settle(unit, 0, unit.length);
    if (settled === 'lost') out.replace(at, at, this.#rest());
    if (Buffer.isBuffer(settled)) out.replace(at, end, settled);
    else if (!isHere) out.replace(at, end, unit);
    return end;
  }

  #rest(): Buffer {
    return this.#rules.rest?.() ?? nothing;
  }

  #settle(unit: Buffer, start: number, end: number): EditedUnit {
    const settled = this.#rules.settle(unit, start, end);
    this.#state = settled === 'lost' ? 'lost' : 'between';
    this.#isDropped = Buffer.isBuffer(settled) && settled.length === 0;
    return settled;
  }
}

function behind(rest: Buffer, unit: Buffer): Buffer {
  return rest.length === 0 ? unit : Buffer.concat([rest, unit]);
}

/** Output for a chunk. */
interface Output {
  readonly chunk: Buffer;
  /** Replaces the bytes from `start` to `end`. Positions must only go forward. */
  replace(start: number, end: number, bytes: Buffer): void;
  /** Returns the chunk itself if nothing was replaced. */
  bytes(): Buffer;
}

/** Copies nothing if nothing is replaced. Otherwise copies each byte once. */
function createOutput(chunk: Buffer): Output {
  const parts: Buffer[] = [];
  let copied = 0;

  const add = (bytes: Buffer): void => {
    if (bytes.length > 0) parts.push(bytes);
  };

  return {
    chunk,
    replace(start, end, bytes) {
      add(chunk.subarray(copied, start));
      add(bytes);
      copied = end;
    },
    bytes() {
      if (copied === 0 && parts.length === 0) return chunk;
      add(chunk.subarray(copied));
      copied = chunk.length;
      return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    },
  };
}

/** Bytes of an incomplete unit. */
interface ByteHold {
  readonly length: number;
  add(bytes: Buffer): void;
  /** Returns all bytes, and then holds nothing. */
  take(): Buffer;
}

const smallest = 256;

/**
 * Copies its input, so that chunks of one octet do not cost an object each. Never allocates more than twice its
 * content, or 256 octets if that is more.
 */
export function createByteHold(): ByteHold {
  let room = Buffer.alloc(0);
  let length = 0;

  const grow = (needed: number): void => {
    const larger = Buffer.allocUnsafe(Math.max(smallest, needed, room.length * 2));
    room.copy(larger, 0, 0, length);
    room = larger;
  };

  return {
    get length() {
      return length;
    },
    add(bytes) {
      if (length + bytes.length > room.length) grow(length + bytes.length);
      bytes.copy(room, length);
      length += bytes.length;
    },
    take() {
      const all = room.subarray(0, length);
      room = Buffer.alloc(0);
      length = 0;
      return all;
    },
  };
}
