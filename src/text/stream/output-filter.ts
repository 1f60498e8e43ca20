import { type TerminalAudience, TerminalFilter } from '../terminal/filter.ts';
import type { TextFinding, TextForm } from '../types.ts';
import { LineFilter } from './line-filter.ts';
import { isPlainBytes } from './plain.ts';

export interface OutputFilterOptions {
  /** Reader of the output: see `TerminalAudience`. Default: `model`. */
  readonly for?: TerminalAudience;
  /** Default: `prose`. */
  readonly form?: TextForm;
  /**
   * Treatment of hidden characters. Default: `reveal`. `reject` is impossible, because a stream cannot be refused as a
   * whole.
   */
  readonly mode?: 'reveal' | 'strip' | 'report';
}

export interface OutputReport {
  /**
   * The first thousand of each kind. Offsets of escape sequences refer to the decoded text, and those of other findings
   * to the text without escape sequences.
   */
  readonly findings: readonly TextFinding[];
  /** Number of further findings. */
  readonly omitted: number;
  /** Number of U+FFFD in the input. Most of them replace bytes that are not UTF-8. */
  readonly replaced: number;
}

const empty = new Uint8Array(0);
const lineFeed = 0x0a;

/**
 * Filters a command's output for any reader. It takes bytes and returns UTF-8. Terminal escapes are removed, hidden
 * characters become visible, and bytes that are not UTF-8 become U+FFFD. The result is the same however the output is
 * split into chunks, unless `flush` is called. If nothing is pending, a chunk of printable ASCII is returned as the
 * same bytes, without a copy.
 */
export class OutputFilter {
  readonly #terminal: TerminalFilter;
  readonly #lines: LineFilter;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #encoder = new TextEncoder();
  /** The start of an incomplete character. */
  #carry: Uint8Array = empty;
  #replaced = 0;

  constructor({ for: audience = 'model', form = 'prose', mode = 'reveal' }: OutputFilterOptions = {}) {
    this.#terminal = new TerminalFilter({ for: audience });
    this.#lines = new LineFilter({ form, mode });
  }

  push(chunk: Uint8Array): Uint8Array {
    if (this.#carry.length === 0 && this.#lines.heldIsPlain && this.#terminal.idle && isPlainBytes(chunk))
      return this.#pass(chunk);
    const bytes = joined(this.#carry, chunk);
    const end = bytes.length - unfinishedBytes(bytes);
    // A copy, because the memory of the chunk may be reused for the next one. `slice` of a Buffer would not copy.
    this.#carry = new Uint8Array(bytes.subarray(end));
    return this.#encoder.encode(this.#show(bytes.subarray(0, end)));
  }

  /**
   * Returns the text that waits for the rest of its line, so that a prompt becomes visible after a while. Later text is
   * filtered without this context.
   */
  flush(): Uint8Array {
    return this.#encoder.encode(this.#lines.flush());
  }

  /** Returns the text that was held back. After that, the filter is like new, except for its report. */
  end(): Uint8Array {
    const text = this.#show(this.#carry);
    this.#carry = empty;
    return this.#encoder.encode(text + this.#lines.push(this.#terminal.end()) + this.#lines.flush());
  }

  report(): OutputReport {
    return {
      findings: [...this.#terminal.findings, ...this.#lines.findings],
      omitted: this.#terminal.unlisted + this.#lines.omitted,
      replaced: this.#replaced,
    };
  }

  #show(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes);
    for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) this.#replaced += 1;
    return this.#lines.push(this.#terminal.push(text));
  }

  #pass(chunk: Uint8Array): Uint8Array {
    if (chunk.length === 0) return chunk;
    const last = chunk[chunk.length - 1] as number;
    const { held } = this.#lines;
    this.#terminal.passed(chunk.length, last === lineFeed ? 'line-feed' : 'other');
    const waits = this.#lines.passed(chunk.length, chunk.lastIndexOf(lineFeed), String.fromCharCode(last));
    const gone = waits === '' ? chunk : chunk.subarray(0, -1);
    return held === '' ? gone : joined(this.#encoder.encode(held), gone);
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Returns how many bytes at the end belong to an incomplete UTF-8 character: 0 to 3. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte >= 0xc0) return lengthOf(byte) > back ? back : 0;
    if (byte < 0x80) return 0;
  }
  return 0;
}

function lengthOf(lead: number): number {
  if (lead >= 0xf5) return 1;
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
