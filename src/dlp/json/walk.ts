import type { JsonPath } from '../types.ts';
import type { JsonPlace } from './places.ts';
import { JsonReader, type JsonToken, type Unreadable } from './reader.ts';
import { decodeString, longestJsonString } from './tokens.ts';

/** Most keys of `path`. A leaf at depth 100,000 must not cost 100,000 steps. */
const longestPath = 64;

/** An open container. */
interface Frame<Of> {
  readonly kind: 'object' | 'array';
  readonly place: JsonPlace<Of>;
  /** Key of the current value. For an object, set only on request. */
  key: string | number | undefined;
  keyStart: number;
  keyEnd: number;
  /** Path of the container. Set only on request. */
  path: JsonPath | undefined;
}

/** Visits the values of a document, each with its position. A key is not visited separately. */
export class JsonWalk<Of> {
  /** Position of the value, or of the container that closes. */
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

  /** Number of open containers. */
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

  /** Skips the current container without validation. Its `close` is not visited. */
  skip(): void {
    this.#frames.pop();
    this.#reader.skip();
  }

  /** Returns the path of the current leaf, with at most 64 keys. */
  path(): JsonPath {
    const last = this.#frames.length - 1;
    const frame = this.#frames[last];
    if (frame === undefined) return [];
    return last < longestPath ? [...this.#pathOf(last), this.#keyOf(frame)] : this.#pathOf(longestPath);
  }

  /**
   * Returns the path of a container, with at most `longestPath` keys. It is created once for all leaves of the
   * container.
   */
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

  /** The key is decoded once for all leaves below it. */
  #keyOf(frame: Frame<Of>): string | number {
    if (frame.key === undefined)
      frame.key =
        frame.keyEnd - frame.keyStart > longestJsonString
          ? ''
          : decodeString(this.#bytes, frame.keyStart, frame.keyEnd);
    return frame.key;
  }
}
