import { filterText } from '../filter/filter-text.ts';
import { keptFindings } from '../terminal/describe.ts';
import type { TextFinding, TextForm } from '../types.ts';

export interface LineFilterOptions {
  readonly form: TextForm;
  readonly mode: 'reveal' | 'strip' | 'report';
}

/** Longer lines are filtered in parts of this many UTF-16 code units, to bound memory. */
export const longestKeptLine = 4096;
const byteOrderMark = 0xfeff;
/* oxlint-disable no-control-regex -- the previous filter leaves no sequences except colours */
const colours = /(\x1b\[[\d;:]*m)/u;
const notPlain = /[^\t\x1b\x20-\x7e]/u;
const notPlainLines = /[^\t\n\x1b\x20-\x7e]/u;
/* oxlint-enable no-control-regex */

/**
 * Filters the characters of a text that arrives in chunks, by whole lines. Only its surroundings show whether a mark
 * belongs to an emoji or a paragraph. The ASCII start of an unfinished line does not wait.
 */
export class LineFilter {
  readonly #options: LineFilterOptions;
  readonly #findings: TextFinding[] = [];
  #omitted = 0;
  /** The waiting part of the last line, and the length of its part that has passed. */
  #held = '';
  #column = 0;
  /** Code units filtered so far. */
  #offset = 0;

  constructor(options: LineFilterOptions) {
    this.#options = options;
  }

  get findings(): readonly TextFinding[] {
    return this.#findings;
  }

  get omitted(): number {
    return this.#omitted;
  }

  get held(): string {
    return this.#held;
  }

  /**
   * Whether the waiting text passes unchanged if plain text follows. It is then empty, or the start of a possible
   * keycap emoji.
   */
  get heldIsPlain(): boolean {
    return this.#held === '' || (this.#held.length === 1 && mayBeKeycap(this.#held.charCodeAt(0)));
  }

  push(chunk: string): string {
    const text = this.#held + chunk;
    const { out, from } =
      this.#column + text.length > longestKeptLine ? this.#cutLongLines(text) : { out: '', from: 0 };
    const lineEnd = Math.max(from, text.lastIndexOf('\n') + 1);
    if (lineEnd > from) this.#column = 0;
    const whole = out + this.#filter(text.slice(from, lineEnd));
    const rest = text.slice(lineEnd);
    const ready = plainPrefix(rest);
    this.#held = rest.slice(ready);
    return whole + this.#pass(rest.slice(0, ready));
  }

  /** Filters the waiting text as if no text followed it. */
  flush(): string {
    const out = this.#filter(this.#held);
    this.#column += this.#held.length;
    this.#held = '';
    return out;
  }

  /**
   * Counts plain text that passes unchanged after the waiting text. `feed` is the offset of its last line feed, or -1.
   * Returns its last character if it has to wait, or nothing.
   */
  passed(length: number, feed: number, last: string): string {
    const before = this.#held.length;
    this.#held = mayBeKeycap(last.charCodeAt(0)) ? last : '';
    const gone = length - this.#held.length;
    this.#offset += before + gone;
    this.#column = feed < 0 ? this.#column + before + gone : gone - feed - 1;
    return this.#held;
  }

  #pass(text: string): string {
    this.#offset += text.length;
    this.#column += text.length;
    return text;
  }

  /** Filters the parts of lines that are too long. The column is then that of the last part, at `from`. */
  #cutLongLines(text: string): { readonly out: string; readonly from: number } {
    let out = '';
    let from = 0;
    for (let start = -(this.#column % longestKeptLine), at = 0; at < text.length; start = at) {
      const feed = text.indexOf('\n', at);
      at = feed < 0 ? text.length : feed + 1;
      while (at - start > longestKeptLine) {
        const cut = isLowSurrogate(text.charCodeAt(start + longestKeptLine))
          ? start + longestKeptLine - 1
          : start + longestKeptLine;
        out += this.#filter(text.slice(from, cut));
        from = cut;
        start = cut;
        this.#column = 0;
      }
    }
    return { out, from };
  }

  #filter(text: string): string {
    if (text === '') return '';
    if (!text.includes('\x1b')) return this.#filterPart(text);
    if (!notPlainLines.test(text)) return this.#skip(text);
    return text
      .split(colours)
      .map((part, n) => (n % 2 === 0 ? this.#filterPart(part) : this.#skip(part)))
      .join('');
  }

  #skip(part: string): string {
    this.#offset += part.length;
    return part;
  }

  #filterPart(part: string): string {
    if (part === '') return '';
    // The character is a byte order mark only at the start of the whole text.
    const guard = this.#offset > 0 && part.charCodeAt(0) === byteOrderMark ? 1 : 0;
    const filtered = filterText(guard === 1 ? `\n${part}` : part, this.#options);
    for (const finding of filtered.findings) this.#tell(finding, this.#offset - guard);
    this.#omitted += filtered.omitted ?? 0;
    this.#offset += part.length;
    return guard === 1 ? filtered.text.slice(1) : filtered.text;
  }

  #tell(finding: TextFinding, offset: number): void {
    if (this.#findings.length === keptFindings) this.#omitted += 1;
    else this.#findings.push({ ...finding, start: finding.start + offset, end: finding.end + offset });
  }
}

/** Returns the length of the start that needs no filter, with any text after it. */
function plainPrefix(text: string): number {
  const stop = text.search(notPlain);
  const end = stop < 0 ? text.length : stop;
  return end > 0 && mayBeKeycap(text.charCodeAt(end - 1)) ? end - 1 : end;
}

/** A digit, `#` or `*` begins an emoji if a selector follows. */
function mayBeKeycap(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x23 || code === 0x2a;
}

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}
