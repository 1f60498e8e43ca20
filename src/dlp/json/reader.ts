import {
  afterSpace,
  decodeString,
  endOfCharacter,
  endOfContainer,
  endOfNumber,
  endOfString,
  endOfWord,
  longestJsonString,
  notJson,
  notUtf8,
} from './tokens.ts';

/** A token of a document, from the reader's `start` to its `end`. The token `end` comes once, after the document. */
export type JsonToken = JsonScalar | 'object' | 'array' | 'close' | 'key' | 'end' | 'unreadable';
export type JsonScalar = 'string' | 'number' | 'true' | 'false' | 'null';

export type Unreadable = 'not-utf8' | 'not-json' | 'too-deep';

type Expected = 'value' | 'key-or-close' | 'value-or-close' | 'separator';

/** Most nested containers. */
export const greatestDepth = 100_000;

const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/**
 * Reads JSON token by token, in one pass, without recursion. Accepts RFC 8259 without the extensions that only some
 * parsers support. Skips an initial byte order mark. Reports the first reason if the text is unreadable.
 */
export class JsonReader {
  start = 0;
  end = 0;
  why: Unreadable = 'not-json';
  readonly #bytes: Uint8Array;
  /** Where the next token begins, or white space before it. */
  #at = 0;
  /** Whether each open container is an object. */
  readonly #open: boolean[] = [];
  #expects: Expected = 'value';

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    if (byteOrderMark.every((byte, index) => bytes[index] === byte)) this.#at = byteOrderMark.length;
  }

  /** Must not be called again after `end` or `unreadable`. */
  next(): JsonToken {
    this.#skipSpace();
    const byte = this.#bytes[this.start];
    switch (this.#expects) {
      case 'value':
        return this.#value(byte);
      case 'key-or-close':
        return byte === 0x7d ? this.#close() : this.#key(byte);
      case 'value-or-close':
        return byte === 0x5d ? this.#close() : this.#value(byte);
      case 'separator':
        return this.#separator(byte);
    }
  }

  /**
   * Skips the rest of the container that has just been opened, without validation. If the container does not end,
   * `unreadable` comes next.
   */
  skip(): void {
    const end = endOfContainer(this.#bytes, this.#at);
    if (end !== notJson) this.#open.pop();
    this.#take(end === notJson ? this.#bytes.length : end, 'separator');
  }

  #separator(byte: number | undefined): JsonToken {
    const inObject = this.#open.at(-1);
    if (inObject === undefined) return this.start === this.#bytes.length ? 'end' : this.#fail();
    if (byte === (inObject ? 0x7d : 0x5d)) return this.#close();
    if (byte !== 0x2c) return this.#fail();
    this.#at = this.start + 1;
    this.#skipSpace();
    const next = this.#bytes[this.start];
    return inObject ? this.#key(next) : this.#value(next);
  }

  #value(byte: number | undefined): JsonToken {
    switch (byte) {
      case 0x7b:
        return this.#enter('object');
      case 0x5b:
        return this.#enter('array');
      case 0x22:
        return this.#scalar('string', endOfString(this.#bytes, this.start));
      case 0x74:
        return this.#scalar('true', endOfWord(this.#bytes, this.start, 'true'));
      case 0x66:
        return this.#scalar('false', endOfWord(this.#bytes, this.start, 'false'));
      case 0x6e:
        return this.#scalar('null', endOfWord(this.#bytes, this.start, 'null'));
      default:
        return this.#scalar('number', endOfNumber(this.#bytes, this.start));
    }
  }

  #scalar(kind: JsonScalar, end: number): JsonToken {
    if (end < 0) return this.#fail(end);
    this.#take(end, 'separator');
    return kind;
  }

  #enter(kind: 'object' | 'array'): JsonToken {
    if (this.#open.length === greatestDepth) {
      this.why = 'too-deep';
      return 'unreadable';
    }
    this.#open.push(kind === 'object');
    this.#take(this.start + 1, kind === 'object' ? 'key-or-close' : 'value-or-close');
    return kind;
  }

  #close(): JsonToken {
    this.#open.pop();
    this.#take(this.start + 1, 'separator');
    return 'close';
  }

  /** A key and its colon. `end` is after the key. */
  #key(byte: number | undefined): JsonToken {
    const end = byte === 0x22 ? endOfString(this.#bytes, this.start) : notJson;
    if (end < 0) return this.#fail(end);
    const colon = afterSpace(this.#bytes, end);
    if (this.#bytes[colon] !== 0x3a) {
      this.start = colon;
      return this.#fail();
    }
    this.#take(end, 'value');
    this.#at = colon + 1;
    return 'key';
  }

  #take(end: number, expects: Expected): void {
    this.end = end;
    this.#at = end;
    this.#expects = expects;
  }

  #skipSpace(): void {
    this.start = afterSpace(this.#bytes, this.#at);
  }

  #fail(code = notJson): JsonToken {
    const begins = this.#bytes[this.start] ?? 0;
    this.why =
      code === notUtf8 || (begins >= 0x80 && endOfCharacter(this.#bytes, this.start) === notUtf8)
        ? 'not-utf8'
        : 'not-json';
    return 'unreadable';
  }
}

/** Returns the keys of all objects of a document, in order, up to the first position that is not JSON. */
export function jsonKeys(bytes: Buffer): readonly string[] {
  const reader = new JsonReader(bytes);
  const keys: string[] = [];
  for (let token = reader.next(); token !== 'end' && token !== 'unreadable'; token = reader.next()) {
    if (token === 'key' && reader.end - reader.start <= longestJsonString)
      keys.push(decodeString(bytes, reader.start, reader.end));
  }
  return keys;
}
