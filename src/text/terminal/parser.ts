import type { Introducer, TextSpan, TerminalReader, StringEnd } from './describe.ts';

/** Most characters. Terminals give up earlier, so longer sequences only serve to hide the text after them. */
export const longestSequence = 65_536;
/** Most characters of a payload to keep. No reader is shown more. */
const keptPayload = 4096;
const longestCsi = 256;
const longestEscape = 8;

type Mode = 'ground' | 'escape' | 'csi' | 'string' | 'string-escape';

const introducers: Readonly<Record<string, Introducer>> = { ']': 'OSC', P: 'DCS', _: 'APC', '^': 'PM', X: 'SOS' };
const [bel, tab, lf, cr, can, sub, esc, del, st] = [0x07, 0x09, 0x0a, 0x0d, 0x18, 0x1a, 0x1b, 0x7f, 0x9c];

/**
 * The state machine of ECMA-48 for text in chunks. The reader gets the same result however a text is split.
 *
 * As in xterm, C0 controls inside a control sequence take effect and do not end it. CAN, SUB and ESC end any open
 * sequence.
 */
export class TerminalParser {
  readonly #reader: TerminalReader;
  #mode: Mode = 'ground';
  /** Offsets of the chunk's first character, and of the open sequence. */
  #base = 0;
  #begin = 0;
  /**
   * Content of the open sequence: intermediates of an escape, the body of a control sequence, or the kept part of a
   * payload.
   */
  #body = '';
  #length = 0;
  #introducer: Introducer = 'OSC';
  /* oxlint-disable no-control-regex -- looks for controls */
  readonly #control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/gu;
  readonly #dcsStop = /[\x18\x1a\x1b\x9c]/gu;
  /**
   * A line feed ends a string, although DCS may contain one. Otherwise a stray introducer in a file name would hide all
   * lines after it.
   */
  readonly #stringStop = /[\x07\x0a\x0d\x18\x1a\x1b\x9c]/gu;
  /* oxlint-enable no-control-regex */

  constructor(reader: TerminalReader) {
    this.#reader = reader;
  }

  push(chunk: string): void {
    for (let at = 0; at < chunk.length; ) at = this.#step(chunk, at);
    this.#base += chunk.length;
  }

  /** Reports an incomplete sequence. After that, the parser is like new, but its offsets continue. */
  end(): void {
    if (this.#mode === 'string' || this.#mode === 'string-escape') this.#closeString('cut', this.#base);
    else if (this.#mode !== 'ground') this.#broken(this.#base);
  }

  /** Whether no sequence is open. Plain text may then pass without being read, if `skip` is called. */
  get idle(): boolean {
    return this.#mode === 'ground';
  }

  skip(length: number): void {
    this.#base += length;
  }

  #step(chunk: string, at: number): number {
    switch (this.#mode) {
      case 'ground':
        return this.#ground(chunk, at);
      case 'escape':
        return this.#escape(chunk, at);
      case 'csi':
        return this.#csi(chunk, at);
      case 'string':
        return this.#string(chunk, at);
      case 'string-escape':
        return this.#stringEscape(chunk, at);
    }
  }

  #ground(chunk: string, at: number): number {
    const stop = indexOf(this.#control, chunk, at);
    if (stop > at) this.#reader.text(chunk.slice(at, stop));
    if (stop === chunk.length) return stop;
    const code = chunk.charCodeAt(stop);
    const start = this.#base + stop;
    // A carriage return before a line feed overwrites nothing.
    if (code === cr && chunk.charCodeAt(stop + 1) === lf) return stop + 1;
    const after = code === esc ? afterColours(chunk, stop + 1) : 0;
    if (after > 0) {
      this.#reader.colours?.(chunk.slice(stop + 2, after - 1), { start, end: this.#base + after });
      return after;
    }
    if (code < 0x80 && code !== esc) this.#reader.sequence({ kind: 'control', code }, { start, end: start + 1 });
    else this.#open(start);
    // A C1 character is equivalent to ESC and the character 64 positions below it.
    if (code >= 0x80) this.#escapeFinal(String.fromCharCode(code - 0x40), start + 1);
    return stop + 1;
  }

  #escape(chunk: string, at: number): number {
    const code = chunk.charCodeAt(at);
    const end = this.#base + at + 1;
    if (this.#inner(code, end)) return at + 1;
    if (code > 0x7e || this.#body.length >= longestEscape) {
      this.#broken(end - 1);
      return at;
    }
    if (code < 0x30) this.#body += chunk.charAt(at);
    else this.#escapeFinal(chunk.charAt(at), end);
    return at + 1;
  }

  #escapeFinal(character: string, end: number): void {
    const introducer = introducers[character];
    if (this.#body === '' && character === '[') this.#mode = 'csi';
    else if (this.#body === '' && introducer !== undefined) {
      this.#introducer = introducer;
      this.#mode = 'string';
    } else this.#reader.sequence({ kind: 'escape', what: this.#body + character }, this.#close(end));
  }

  #csi(chunk: string, at: number): number {
    let stop = at;
    while (stop < chunk.length && isBody(chunk.charCodeAt(stop))) stop += 1;
    const room = longestCsi - this.#body.length;
    if (stop - at > room) {
      this.#broken(this.#base + at + room);
      return at + room;
    }
    this.#body += chunk.slice(at, stop);
    if (stop === chunk.length) return stop;
    const code = chunk.charCodeAt(stop);
    if (this.#inner(code, this.#base + stop + 1)) return stop + 1;
    if (code > 0x7e) {
      this.#broken(this.#base + stop);
      return stop;
    }
    this.#closeCsi(chunk.charAt(stop), this.#base + stop + 1);
    return stop + 1;
  }

  #closeCsi(final: string, end: number): void {
    const split = this.#body.search(/[ -/]/u);
    const [parameters, intermediates] =
      split < 0 ? [this.#body, ''] : [this.#body.slice(0, split), this.#body.slice(split)];
    this.#reader.sequence({ kind: 'csi', parameters, intermediates, final }, this.#close(end));
  }

  /** Handles a control character inside an escape or control sequence. Returns whether it was one. */
  #inner(code: number, end: number): boolean {
    if (code >= 0x20 && code !== del) return false;
    if (code === esc) {
      this.#broken(end - 1);
      this.#open(end - 1);
    } else if (code === can || code === sub) this.#broken(end);
    else if (code === lf || code === tab) this.#reader.text(String.fromCharCode(code));
    else if (code !== del) this.#reader.sequence({ kind: 'control', code }, { start: end - 1, end });
    return true;
  }

  #string(chunk: string, at: number): number {
    const stops = this.#introducer === 'DCS' ? this.#dcsStop : this.#stringStop;
    const stop = Math.min(indexOf(stops, chunk, at), at + longestSequence - this.#length);
    this.#body += chunk.slice(at, Math.min(stop, at + keptPayload - this.#body.length));
    this.#length += stop - at;
    if (this.#length === longestSequence) {
      this.#closeString('cut', this.#base + stop);
      return stop;
    }
    return stop === chunk.length ? stop : this.#stringEnd(chunk.charCodeAt(stop), stop);
  }

  #stringEnd(code: number, at: number): number {
    const end = this.#base + at + 1;
    if (code === lf || code === cr) {
      this.#closeString('cut', end - 1);
      return at;
    }
    if (code === esc) this.#mode = 'string-escape';
    else if (code === st || (code === bel && this.#introducer === 'OSC')) this.#closeString('terminated', end);
    else if (code === bel) this.#length += 1;
    else this.#closeString('cut', end);
    return at + 1;
  }

  #stringEscape(chunk: string, at: number): number {
    const end = this.#base + at;
    if (chunk.charAt(at) === '\\') {
      this.#closeString('terminated', end + 1);
      return at + 1;
    }
    this.#closeString('cut', end - 1);
    this.#open(end - 1);
    return at;
  }

  #open(at: number): void {
    this.#mode = 'escape';
    this.#begin = at;
    this.#body = '';
    this.#length = 0;
  }

  #close(end: number): TextSpan {
    this.#mode = 'ground';
    return { start: this.#begin, end };
  }

  #closeString(how: StringEnd, end: number): void {
    this.#reader.sequence(
      { kind: 'string', introducer: this.#introducer, payload: this.#body, length: this.#length, end: how },
      this.#close(end),
    );
  }

  #broken(end: number): void {
    this.#reader.sequence({ kind: 'broken', what: this.#mode === 'csi' ? 'CSI' : 'ESC' }, this.#close(end));
  }
}

/** `test` allocates no match object. Every pattern passed here matches one character. */
function indexOf(pattern: RegExp, chunk: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(chunk) ? pattern.lastIndex - 1 : chunk.length;
}

/** Returns the end of `[`, digits, semicolons and `m`. Returns 0 for anything else, or if it is incomplete. */
function afterColours(chunk: string, at: number): number {
  if (chunk.charCodeAt(at) !== 0x5b) return 0;
  const end = Math.min(chunk.length, at + longestCsi);
  let stop = at + 1;
  while (stop < end && isColour(chunk.charCodeAt(stop))) stop += 1;
  return stop < end && chunk.charCodeAt(stop) === 0x6d ? stop + 1 : 0;
}

function isColour(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x3b;
}

/** Whether a code is a parameter or an intermediate. */
function isBody(code: number): boolean {
  return code >= 0x20 && code < 0x40;
}
