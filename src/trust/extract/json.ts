import { deepest, type MapEntry, Malformed, map, emptyMap, type ParsedValue, scalar, type Value } from './value.ts';

/**
 * Parses JSON like its most lenient reader, with comments and trailing commas. If readers disagree (a repeated key, a
 * comment with a lone carriage return), both meanings are kept, and a problem is reported. Linear time, never throws.
 */
export function parseJson(text: string): ParsedValue {
  const reader = new JsonReader(text);
  try {
    const value = reader.document();
    return reader.ambiguity === undefined ? { value } : { value, problem: reader.ambiguity };
  } catch (error) {
    if (error instanceof Malformed) return { value: emptyMap, problem: error.message };
    throw error;
  }
}

const word = /[^\s,:[\]{}"/]+/uy;
const plainCharacters = /[^"\\]*/uy;
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

class JsonReader {
  ambiguity: string | undefined;
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): Value {
    this.#skip();
    if (this.#at === this.#text.length) return emptyMap;
    const value = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#malformed();
    return value;
  }

  #value(depth: number): Value {
    if (depth > deepest) throw new Malformed(`it is nested more than ${deepest} deep`);
    const next = this.#text[this.#at];
    if (next === '{') return this.#map(depth);
    if (next === '[') return this.#list(depth);
    return scalar(next === '"' ? this.#string() : this.#word());
  }

  #map(depth: number): Value {
    const entries: MapEntry[] = [];
    const keys = new Set<string>();
    this.#at++;
    while (!this.#ends('}')) {
      const key = this.#string();
      if (keys.has(key)) this.ambiguity = 'a key appears twice, and readers take different ones';
      keys.add(key);
      this.#skip();
      this.#expect(':');
      this.#skip();
      entries.push([key, this.#value(depth + 1)]);
      this.#separator('}');
    }
    return map(entries);
  }

  #list(depth: number): Value {
    const items: Value[] = [];
    this.#at++;
    while (!this.#ends(']')) {
      items.push(this.#value(depth + 1));
      this.#separator(']');
    }
    return { kind: 'list', items };
  }

  /** Returns whether the collection ends here, and consumes its end. */
  #ends(end: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== end) return false;
    this.#at++;
    return true;
  }

  #separator(end: string): void {
    this.#skip();
    if (this.#text[this.#at] !== end) this.#expect(',');
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) throw this.#malformed();
    this.#at++;
  }

  #string(): string {
    this.#expect('"');
    const parts: string[] = [];
    for (;;) {
      plainCharacters.lastIndex = this.#at;
      const plain = plainCharacters.exec(this.#text)?.[0] ?? '';
      parts.push(plain);
      this.#at += plain.length;
      const end = this.#text[this.#at++];
      if (end === '"') return parts.join('');
      if (end === undefined) throw this.#malformed();
      parts.push(this.#escaped());
    }
  }

  #escaped(): string {
    const character = this.#text[this.#at++] ?? '';
    if (character !== 'u') {
      const meant = escapes.get(character);
      if (meant === undefined) throw this.#malformed();
      return meant;
    }
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (!/^[\da-f]{4}$/iu.test(digits)) throw this.#malformed();
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  /** A number, `true`, `false` or `null`. */
  #word(): string {
    word.lastIndex = this.#at;
    const found = word.exec(this.#text)?.[0];
    if (found === undefined || !/^(?:true|false|null|-?\d[\d.eE+-]*)$/u.test(found)) throw this.#malformed();
    this.#at += found.length;
    return found;
  }

  /** White space and comments. */
  #skip(): void {
    for (;;) {
      const character = this.#text[this.#at];
      if (character === ' ' || character === '\n' || character === '\r' || character === '\t') this.#at++;
      else if (character === '/') this.#comment();
      else return;
    }
  }

  #comment(): void {
    const kind = this.#text[this.#at + 1];
    if (kind !== '/' && kind !== '*') throw this.#malformed();
    const end = this.#text.indexOf(kind === '/' ? '\n' : '*/', this.#at + 2);
    if (end === -1 && kind === '*') throw this.#malformed();
    const stop = end === -1 ? this.#text.length : end;
    if (kind === '/' && /[\r\u2028\u2029](?!$)/u.test(this.#text.slice(this.#at, stop)))
      this.ambiguity = 'a comment ends at a line break that not every reader recognises';
    this.#at = kind === '/' ? stop : stop + 2;
  }

  #malformed(): Malformed {
    return new Malformed(`it is not JSON from character ${Math.min(this.#at, this.#text.length) + 1} on`);
  }
}
