import { keptFindings, printablePayload } from '../terminal/describe.ts';
import type { TextFinding } from '../types.ts';
import { matchAt } from './destination.ts';
import { type Before, readFences } from './fences.ts';
import { defuseBlocks } from './markdown.ts';

export interface OutboundStreamOptions {
  /** See `OutboundOptions`. */
  readonly allows: (url: string) => boolean;
  /** Most UTF-16 code units that may wait, at least 1. Default: 65,536. */
  readonly longestHeld?: number;
}

/**
 * Runs `defuseOutbound` on markdown that arrives in chunks. Plain words pass at once. From the first character that
 * could begin any syntax, a paragraph waits for its end, and so does a fenced block. The result equals that for the
 * whole text, however it is split. Only a block longer than the limit is split by a blank line. If it is a fenced
 * block, nothing after its beginning counts as code.
 */
export class OutboundStream {
  readonly #allows: (url: string) => boolean;
  readonly #longestHeld: number;
  readonly #findings: TextFinding[] = [];
  #omitted = 0;
  #held = '';
  /** Code units passed so far. */
  #offset = 0;
  /**
   * Length at which blocks are searched for again. It grows in proportion, because otherwise many short chunks would
   * take minutes.
   */
  #worthwhile = 0;
  #before: Before = 'start';
  /** `nowhere`: it is no longer known which text renderers read as code. */
  #code: 'fenced' | 'nowhere' = 'fenced';

  constructor({ allows, longestHeld = 65_536 }: OutboundStreamOptions) {
    this.#allows = allows;
    this.#longestHeld = longestHeld;
  }

  /** Findings so far, at most a thousand. Offsets refer to the input. */
  get findings(): readonly TextFinding[] {
    return this.#findings;
  }

  /** Number of further findings. */
  get omitted(): number {
    return this.#omitted;
  }

  push(chunk: string): string {
    this.#held += chunk;
    let out = this.#held.length < this.#worthwhile ? '' : this.#blocks() + this.#words();
    while (this.#held.length > this.#longestHeld) out += this.#part() + this.#blocks() + this.#words();
    if (out !== '' || this.#held.length >= this.#worthwhile)
      this.#worthwhile = this.#held.length + (this.#held.length >> 6);
    return out;
  }

  /** Returns the waiting text. After that, the stream is like new, except for its findings and their offsets. */
  end(): string {
    const out = this.#pass(this.#held.length, 'start');
    this.#code = 'fenced';
    this.#worthwhile = 0;
    return out;
  }

  /** Returns the complete paragraphs and blocks. */
  #blocks(): string {
    const lines = wholeLines(this.#held);
    const paragraphs = paragraphsEnd(lines);
    if (this.#code === 'nowhere') return this.#pass(paragraphs, 'blank');
    const { cut, unclear } = readFences(lines, this.#before);
    if (unclear === undefined || paragraphs <= cut.at) return this.#pass(cut.at, cut.before);
    const out = this.#pass(paragraphs, 'blank');
    this.#code = 'nowhere';
    return out;
  }

  #words(): string {
    const end = wordsEnd(this.#held, this.#before === 'inside-line' ? 'inside-line' : 'line-start');
    return this.#pass(end, this.#held.charAt(end - 1) === '\n' ? 'text' : 'inside-line');
  }

  /** Returns as much of the waiting text as has to leave, with a blank line after it, where no syntax continues. */
  #part(): string {
    const end = partEnd(this.#held, this.#longestHeld);
    const { unclear, isOpen } = readFences(this.#held.slice(0, end), this.#before);
    const out = this.#pass(end, 'blank');
    if (isOpen || unclear !== undefined) this.#code = 'nowhere';
    return `${out}\n\n`;
  }

  #pass(end: number, next: Before): string {
    if (end === 0) return '';
    const text = this.#held.slice(0, end);
    const fences = this.#code === 'fenced' ? readFences(text, this.#before).fences : [];
    const out = defuseBlocks(text, fences, { allows: this.#allows, tell: (finding) => this.#tell(finding) });
    this.#held = this.#held.slice(end);
    this.#offset += end;
    this.#before = next;
    return out;
  }

  #tell({ start, end, what }: Pick<TextFinding, 'start' | 'end' | 'what'>): void {
    if (this.#findings.length === keptFindings) this.#omitted += 1;
    else
      this.#findings.push({
        kind: 'outbound',
        start: start + this.#offset,
        end: end + this.#offset,
        what: printablePayload(what),
      });
  }
}

/** Leaves out a final CR, because it may be half of a line break. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** Returns the end of the last blank line that follows another line. */
function paragraphsEnd(lines: string): number {
  let end = 0;
  for (const found of lines.matchAll(/(?<=\n)[ \t]*\r?\n/gu)) end = found.index + found[0].length;
  return end;
}

/** Splits at a blank if there is one, and never inside a character. */
function partEnd(text: string, longest: number): number {
  const blank = Math.max(text.lastIndexOf(' ', longest - 1), text.lastIndexOf('\n', longest - 1)) + 1;
  if (blank > longest / 2) return blank;
  return longest > 1 && (text.charCodeAt(longest) & 0xfc00) === 0xdc00 ? longest - 1 : longest;
}

/** Characters that begin no syntax, in lines that begin with a letter, so that they are no block, link or code. */
const words = /(?:[^\r\n<>[\]&\\`/$%{}]|\n(?=\p{L}))*/uy;
const linked = /www|mailto:|xmpp:/iu;
/** Most characters to check. Attack: a word of 8 MB is too long for a regular expression. */
const longestLooked = 1024 * 1024;

/**
 * Returns the length of the words at the start that no renderer interprets, with any text after them. Ends at a blank,
 * because a word may continue.
 */
function wordsEnd(text: string, place: 'line-start' | 'inside-line'): number {
  if (place === 'line-start' && !/^\p{L}/u.test(text)) return 0;
  const found = matchAt(words, text.slice(0, longestLooked), 0)?.[0] ?? '';
  const stop = found.search(linked);
  const last = stop < 0 ? found : found.slice(0, stop);
  return Math.max(last.lastIndexOf(' '), last.lastIndexOf('\n')) + 1;
}
