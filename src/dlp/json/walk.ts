import type { JsonPath } from '../types.ts';
import type { JsonPlace } from './places.ts';
import { JsonReader, type JsonToken, type Unreadable } from './reader.ts';
import { decodeString, longestJsonString } from './tokens.ts';

/** Keys that `path` gives at most: a leaf 100,000 deep must not cost 100,000 steps. */
const longestPath = 64;

/** A container that is open. */
interface Frame<Of> {
  readonly kind: 'object' | 'array';
  readonly place: JsonPlace<Of>;
  /** Of the value that was come to last; of an object, only when someone asked for it. */
  key: string | number | undefined;
  keyStart: number;
  keyEnd: number;
  /** Of the container, when someone asked for it. */
  path: JsonPath | undefined;
}

/** Goes over the values of a document, and knows at which place each one is. Keys come as part of the values. */
export class JsonWalk<Of> {
  /** Of the value, or of the container that closes. */
  place: JsonPlace<Of>;
  readonly #bytes: Buffer;
  readonly #reader: JsonReader;
  readonly #frames: Frame<Of>[] = [];

  constructor(bytes: Buffer, top: JsonPlace<Of>) {
    this.#bytes = bytes;
    this.#reader = new JsonReader(bytes);
    this.place = top;
  }

  get start(): number {
    return this.#reader.start;
  }

  get end(): number {
    return this.#reader.end;
  }

  get why(): Unreadable {
    return this.#reader.why;
  }

  /** The containers that are open. */
  get depth(): number {
    return this.#frames.length;
  }

  next(): Exclude<JsonToken, 'key'> {
    let token = this.#reader.next();
    if (token === 'key') {
      this.#takeKey();
      token = this.#reader.next();
    } else if (token !== 'close') this.#takeIndex();
    switch (token) {
      case 'object':
      case 'array':
        this.#frames.push({ kind: token, place: this.place, key: undefined, keyStart: 0, keyEnd: 0, path: undefined });
        return token;
      case 'close':
        this.place = this.#frames.pop()?.place ?? this.place;
        return token;
      case 'key':
        return 'unreadable';
      default:
        return token;
    }
  }

  /** Passes over the container that was come to last, without looking whether it is JSON. Its `close` does not come. */
  skip(): void {
    this.#frames.pop();
    this.#reader.skip();
  }

  /** Of the leaf that was come to last. A path of more than 64 keys is cut there. */
  path(): JsonPath {
    const last = this.#frames.length - 1;
    const frame = this.#frames[last];
    if (frame === undefined) return [];
    return last < longestPath ? [...this.#pathOf(last), this.#keyOf(frame)] : this.#pathOf(longestPath);
  }

  /** Of a container that is not deeper than `longestPath`. Made once, however many leaves are in it. */
  #pathOf(depth: number): JsonPath {
    const frame = this.#frames[depth];
    const above = this.#frames[depth - 1];
    if (frame === undefined || above === undefined) return [];
    return (frame.path ??= [...this.#pathOf(depth - 1), this.#keyOf(above)]);
  }

  #takeKey(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    frame.keyStart = this.#reader.start;
    frame.keyEnd = this.#reader.end;
    frame.key = undefined;
    this.place = frame.place.under(frame.place.namesKeys ? String(this.#keyOf(frame)) : undefined);
  }

  #takeIndex(): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    frame.key = typeof frame.key === 'number' ? frame.key + 1 : 0;
    this.place = frame.place.under(frame.place.namesIndexes ? String(frame.key) : undefined);
  }

  /** Decoded once, however many leaves are below it. */
  #keyOf(frame: Frame<Of>): string | number {
    if (frame.key === undefined)
      frame.key =
        frame.keyEnd - frame.keyStart > longestJsonString
          ? ''
          : decodeString(this.#bytes, frame.keyStart, frame.keyEnd);
    return frame.key;
  }
}
