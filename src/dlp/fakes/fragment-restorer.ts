import type { FakeAutomaton, FakeMap, Restorer, RestorerOptions } from '../types.ts';
import { skipString } from './skip.ts';

const longest = 256;

/** The beginning of a text. It answers questions about later positions. */
export class TextBeginning {
  #text = '';
  #length = 0;

  begin(): void {
    [this.#text, this.#length] = ['', 0];
  }

  /** Adds the part of a text between two offsets. */
  add(text: string, from: number, to: number): void {
    if (this.#length < longest) this.#text += text.slice(from, Math.min(to, from + longest - this.#length));
    this.#length += to - from;
  }

  /** Returns the text before the last `units` code units. */
  before(units: number): string {
    return this.#text.slice(0, Math.max(0, this.#length - units));
  }
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Restores real values in JSON text that is split into chunks anywhere, even inside an escape. Finds fakes in strings,
 * both values and keys, even if some of their characters are escaped. Writes the real value as a JSON string requires.
 * Every other character stays unchanged, also in text that is not JSON.
 *
 * It holds back the longest suffix that begins a fake, and an incomplete escape. A fake that is written as a number, or
 * in another form, stays. So does a fake in JSON text inside a string if one of its characters is escaped twice.
 */
export function createFragmentRestorer(map: FakeMap, options: RestorerOptions = {}): Restorer {
  return new FragmentRestorer(map, options);
}

class FragmentRestorer implements Restorer {
  readonly #map: FakeMap;
  #automaton: FakeAutomaton;
  #isInString = false;
  #state = 0;
  /** Raw text of the code units that the state covers. */
  #held = '';
  /** Beginning of an escape after the held text. */
  #tail = '';
  /** Offset of the held text in the whole text. */
  #origin = 0;
  /** Offsets in the whole text at which units begin. The last ones belong to the state. */
  #starts: number[] = [];
  readonly #keeps: NonNullable<RestorerOptions['keeps']>;
  /** Raw form of the open string. */
  readonly #lead = new TextBeginning();

  constructor(map: FakeMap, { keeps = () => false }: RestorerOptions) {
    this.#map = map;
    this.#keeps = keeps;
    this.#automaton = map.automaton();
  }

  push(pushed: string): string {
    this.#automaton = this.#map.automaton();
    const before = this.#held.length;
    const text = this.#tail + pushed;
    // Never joined into one string while it only grows.
    const raw = this.#held + text;
    let shown = '';
    let passed = 0;
    let at = 0;
    while (at < text.length) {
      if (this.#isInString && this.#state === 0) at = this.#skip(text, at);
      if (at === text.length) break;
      const next = this.#isInString ? this.#readUnit(text, at, before) : this.#readToString(text, at);
      if (next === undefined) break;
      at = next;
      const fake = this.#automaton.matched(this.#state);
      if (fake === undefined) continue;
      const start = this.#startOf(fake.length);
      const end = before + at;
      shown +=
        raw.slice(passed, start) +
        (this.#isKept(end - start) ? raw.slice(start, end) : escaped(this.#map.realOf(fake) ?? fake));
      passed = end;
      this.#forget();
    }
    const depth = this.#automaton.depth(this.#state);
    const decided = depth === 0 ? before + at : this.#startOf(depth);
    this.#held = raw.slice(decided, before + at);
    this.#tail = text.slice(at);
    this.#origin += decided;
    return shown + raw.slice(passed, decided);
  }

  end(): string {
    const rest = this.#held + this.#tail;
    [this.#held, this.#tail, this.#isInString] = ['', '', false];
    this.#forget();
    return rest;
  }

  /** `written`: length of the fake that ends here, as written. */
  #isKept(written: number): boolean {
    return this.#keeps(unescaped(this.#lead.before(written)));
  }

  #skip(text: string, from: number): number {
    const at = skipString(text, from, this.#automaton.begins);
    this.#lead.add(text, from, at);
    return at;
  }

  #readToString(text: string, at: number): number {
    const opening = text.indexOf('"', at);
    this.#isInString = opening >= 0;
    this.#lead.begin();
    return opening < 0 ? text.length : opening + 1;
  }

  /** Reads the unit at `at`. Undefined if it is incomplete. */
  #readUnit(text: string, at: number, before: number): number | undefined {
    const code = text.charCodeAt(at);
    if (code === quote) {
      this.#isInString = false;
      this.#forget();
      return at + 1;
    }
    const unit = code === backslash ? readEscape(text, at) : undefined;
    if (code === backslash && unit === undefined) return undefined;
    this.#state = this.#automaton.next(this.#state, unit?.code ?? code);
    if (this.#state === 0) this.#starts.length = 0;
    else this.#remember(this.#origin + before + at);
    const next = at + (unit?.width ?? 1);
    this.#lead.add(text, at, next);
    return next;
  }

  #remember(start: number): void {
    this.#starts.push(start);
    const depth = this.#automaton.depth(this.#state);
    if (this.#starts.length > 2 * depth + 64) this.#starts = this.#starts.slice(-depth);
  }

  #forget(): void {
    this.#state = 0;
    this.#starts.length = 0;
  }

  /** Returns where the last `units` units begin, from the start of the held text. */
  #startOf(units: number): number {
    return (this.#starts.at(-units) ?? this.#origin) - this.#origin;
  }
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** One code unit of a JSON string, as it is written. `code` is -1 for an escape that RFC 8259 §7 does not allow. */
interface StringUnit {
  readonly code: number;
  /** Characters of the raw text. */
  readonly width: number;
}

const short: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Reads the escape whose backslash is at `at`. Undefined if the text ends inside it. */
export function readEscape(text: string, at: number): StringUnit | undefined {
  if (at + 1 >= text.length) return undefined;
  const kind = text.charAt(at + 1);
  if (kind !== 'u') return { code: short[kind]?.charCodeAt(0) ?? -1, width: 2 };
  const digits = text.slice(at + 2, at + 6);
  if (!/^[\dA-Fa-f]*$/u.test(digits)) return { code: -1, width: 2 };
  return digits.length < 4 ? undefined : { code: Number.parseInt(digits, 16), width: 6 };
}

/** Returns the content of a raw JSON string. Leaves out incomplete and invalid escapes. */
export function unescaped(written: string): string {
  let text = '';
  for (let at = 0; at < written.length; ) {
    const isEscape = written[at] === '\\';
    const unit = isEscape ? readEscape(written, at) : { code: written.charCodeAt(at), width: 1 };
    if (unit === undefined) break;
    if (unit.code >= 0) text += String.fromCharCode(unit.code);
    at += unit.width;
  }
  return text;
}
