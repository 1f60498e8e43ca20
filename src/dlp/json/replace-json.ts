import type { JsonPath } from '../types.ts';
import { topPlace } from './places.ts';
import { JsonWalk } from './walk.ts';

export interface JsonReplacement {
  readonly path: JsonPath;
  readonly value: string | boolean | null | Readonly<Record<string, boolean>>;
}

/**
 * Replaces a string, a number, a boolean or null. If the path is repeated, replaces each value. Undefined if it is
 * missing.
 */
export function replaceJson(bytes: Buffer, { path, value }: JsonReplacement): Buffer | undefined {
  const walk = new JsonWalk(bytes, topPlace([{ keys: path.map(String), matches: 'exactly', of: 'value' }]));
  const replaced = new ReplacedBytes(bytes);
  const json = JSON.stringify(value);
  for (let token = walk.next(); token !== 'end'; token = walk.next()) {
    if (token === 'unreadable') return undefined;
    if (token === 'close' || !walk.place.ends.includes('value')) continue;
    if (token === 'object' || token === 'array') return undefined;
    replaced.replace(walk.start, walk.end, json);
  }
  return replaced.count === 0 ? undefined : replaced.finish();
}

/** Replaces tokens in bytes, from front to back. */
export class ReplacedBytes {
  readonly #bytes: Buffer;
  #written: Buffer | undefined;
  /** Bytes read so far, and bytes written for them. */
  #read = 0;
  #length = 0;
  count = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** `start` must not be before the previous token's `end`. */
  replace(start: number, end: number, token: string): void {
    const written = this.#withRoom(start - this.#read + Buffer.byteLength(token));
    this.#length += this.#bytes.copy(written, this.#length, this.#read, start);
    this.#length += written.write(token, this.#length);
    this.#read = end;
    this.count += 1;
  }

  /** Returns the input buffer itself if nothing was replaced. */
  finish(): Buffer {
    if (this.#written === undefined) return this.#bytes;
    const written = this.#withRoom(this.#bytes.length - this.#read);
    this.#length += this.#bytes.copy(written, this.#length, this.#read);
    this.#read = this.#bytes.length;
    return written.subarray(0, this.#length);
  }

  /** Also reserves room for the rest of the input, so the buffer grows only if tokens do. */
  #withRoom(more: number): Buffer {
    const needed = this.#length + Math.max(more, this.#bytes.length - this.#read);
    if (this.#written !== undefined && needed <= this.#written.length) return this.#written;
    const grown = Buffer.allocUnsafe(this.#written === undefined ? needed : Math.ceil(needed * growth));
    this.#written?.copy(grown, 0, 0, this.#length);
    this.#written = grown;
    return grown;
  }
}

const growth = 1.25;
