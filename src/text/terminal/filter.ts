import type { FilteredText, TextFinding } from '../types.ts';
import {
  describe,
  findingOf,
  keptFindings,
  type TextSpan,
  printablePayload,
  type Sequence,
  type SequenceText,
} from './describe.ts';
import { TerminalParser } from './parser.ts';
import { Palette } from './sgr.ts';

/**
 * Reader of the text. `model`: removes all escape sequences. `person`: keeps weights and colours. An interactive
 * terminal program is not filtered: its bytes go to its terminal unchanged.
 */
export type TerminalAudience = 'person' | 'model';

export interface TerminalFilterOptions {
  readonly for: TerminalAudience;
}

/** Most characters of a link's text to compare with its target. */
const longestLinkText = 512;
const longestTarget = 300;

/** Filters a whole text. Returns the same string if it contains nothing that a terminal obeys. */
export function filterTerminal(text: string, options: TerminalFilterOptions): FilteredText {
  const filter = new TerminalFilter(options);
  const shown = filter.push(text) + filter.end();
  const filtered = { text: shown === text ? text : shown, findings: filter.findings };
  return filter.unlisted === 0 ? filtered : { ...filtered, omitted: filter.unlisted };
}

/**
 * Returns terminal output as text, without its effects on a terminal. Sequences that would have repainted, written or
 * answered leave a mark (`⟦OSC 52⟧`). Overwritten lines become lines of their own, and links show their targets. The
 * result is the same however the text is cut into chunks.
 */
export class TerminalFilter {
  readonly #audience: TerminalAudience;
  readonly #parser: TerminalParser;
  readonly #findings: TextFinding[] = [];
  #unlisted = 0;
  #out = '';
  #lineStart = true;
  /** Whether a carriage return may cause text to be overwritten. */
  #returned = false;
  #mark = { name: '', count: 0 };
  #link: { target: string; text: string } | undefined;
  readonly #palette = new Palette();
  #coloured = false;

  constructor(options: TerminalFilterOptions) {
    this.#audience = options.for;
    this.#parser = new TerminalParser({
      text: (text) => this.#text(text),
      sequence: (sequence, place) => this.#sequence(sequence, place),
      colours: options.for === 'model' ? undefined : (parameters, place) => this.#colours(parameters, place),
    });
  }

  /** Sequences found so far, at most a thousand. */
  get findings(): readonly TextFinding[] {
    return this.#findings;
  }

  /** Number of further sequences. */
  get unlisted(): number {
    return this.#unlisted;
  }

  push(chunk: string): string {
    this.#parser.push(chunk);
    return this.#take();
  }

  /** Returns the text that was held back. After that, the filter is like new, except for its findings and offsets. */
  end(): string {
    this.#parser.end();
    this.#closeLink();
    this.#flushMark();
    if (this.#coloured) this.#out += '\x1b[0m';
    this.#returned = false;
    this.#lineStart = true;
    this.#coloured = false;
    this.#palette.reset();
    return this.#take();
  }

  /** Whether plain text may pass without `push`, if `passed` is called. */
  get idle(): boolean {
    return this.#parser.idle && !this.#returned && this.#mark.count === 0 && this.#link === undefined;
  }

  /** Notes that characters have passed, and whether the last one was a line feed. */
  passed(length: number, last: 'line-feed' | 'other'): void {
    this.#parser.skip(length);
    this.#lineStart = last === 'line-feed';
  }

  #take(): string {
    const out = this.#out;
    this.#out = '';
    return out;
  }

  #text(text: string): void {
    this.#flushMark();
    if (this.#returned && text.charCodeAt(0) !== 0x0a) this.#out += '\n';
    this.#returned = false;
    this.#out += text;
    this.#lineStart = text.charCodeAt(text.length - 1) === 0x0a;
    if (this.#link !== undefined && this.#link.text.length < longestLinkText)
      this.#link.text += text.slice(0, longestLinkText - this.#link.text.length);
  }

  #sequence(sequence: Sequence, place: TextSpan): void {
    const shown = describe(sequence);
    if (shown.kind !== 'colours') this.#tell(sequence, place, shown);
    switch (shown.kind) {
      case 'nothing':
        return;
      case 'line':
        return this.#text('\n');
      case 'return':
        this.#flushMark();
        // A carriage return at the start of a line overwrites nothing.
        this.#returned ||= !this.#lineStart;
        return;
      case 'colours':
        return this.#colours(shown.parameters, place);
      case 'link':
        return this.#openLink(shown.target);
      case 'mark':
        return this.#addMark(shown.name);
    }
  }

  #colours(parameters: string, place: TextSpan): void {
    if (this.#audience === 'model') return;
    const text = this.#palette.take(parameters);
    if (text.length !== parameters.length + 3)
      this.#tell({ kind: 'csi', parameters, intermediates: '', final: 'm' }, place, { kind: 'nothing' });
    if (text === '') return;
    this.#flushMark();
    this.#coloured = /[1-9]/u.test(text);
    this.#out += text;
  }

  #openLink(target: string): void {
    this.#closeLink();
    this.#link = target === '' ? undefined : { target, text: '' };
  }

  #closeLink(): void {
    const link = this.#link;
    this.#link = undefined;
    if (link !== undefined && link.text.trim() !== link.target)
      this.#text(` (→ ${printablePayload(link.target, longestTarget)})`);
  }

  #addMark(name: string): void {
    if (this.#mark.name !== name) this.#flushMark();
    this.#mark = { name, count: this.#mark.count + 1 };
  }

  #flushMark(): void {
    const { name, count } = this.#mark;
    if (count === 0) return;
    this.#mark = { name: '', count: 0 };
    this.#text(count === 1 ? `⟦${printablePayload(name)}⟧` : `⟦${printablePayload(name)}×${count}⟧`);
  }

  #tell(sequence: Sequence, place: TextSpan, shown: SequenceText): void {
    if (shown.kind === 'return') return;
    if (this.#findings.length === keptFindings) this.#unlisted += 1;
    else this.#findings.push(findingOf(sequence, place, nameOf(sequence, shown)));
  }
}

function nameOf(sequence: Sequence, shown: SequenceText): string {
  if (shown.kind === 'mark') return shown.name;
  if (shown.kind === 'link') return 'OSC 8';
  switch (sequence.kind) {
    case 'control':
      return `U+${sequence.code.toString(16).toUpperCase().padStart(4, '0')}`;
    case 'escape':
      return `ESC ${sequence.what}`;
    case 'csi':
      return `CSI ${sequence.parameters}${sequence.intermediates}${sequence.final}`;
    case 'string':
      return `OSC ${/^\d*/u.exec(sequence.payload)?.[0] ?? ''}`;
    case 'broken':
      return sequence.what;
  }
}
