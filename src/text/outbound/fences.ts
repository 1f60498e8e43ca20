/** A fenced block that every renderer reads as code. */
export interface Fence {
  /** Start of its first line, and end of its last line. */
  readonly start: number;
  readonly end: number;
  /** Text after the opening marks. */
  readonly info: { readonly start: number; readonly end: number };
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** Start of the next line. */
  readonly next: number;
  readonly text: string;
}

/** Kind of the text that precedes, as far as it affects where code begins. */
export type Before = 'start' | 'blank' | 'text' | 'html' | 'inside-line';

export interface FenceReading {
  readonly fences: readonly Fence[];
  /**
   * Offset from which renderers could disagree about where code is. After it nothing counts as code, and URLs are
   * written in a form that is not linked. Undefined if renderers agree.
   */
  readonly unclear: number | undefined;
  /**
   * The last line start from which the rest can be read without the earlier text, and the state in which to read it.
   */
  readonly cut: { readonly at: number; readonly before: Before };
  /** Whether the text ends inside a block. */
  readonly isOpen: boolean;
}

interface Open {
  readonly line: Line;
  readonly mark: string;
  readonly indent: number;
  readonly info: string;
}

/** Finds the fenced blocks of a text, and reports whether all of it was understood. */
export function readFences(text: string, start: Before): FenceReading {
  const found: Fence[] = [];
  let cut: FenceReading['cut'] = { at: 0, before: start };
  if (start === 'start' && /^(?:---|\+\+\+)[ \t]*\r?\n/u.test(text))
    return { fences: found, unclear: 0, cut, isOpen: false };
  let open: Open | undefined;
  let before: Before = start;
  for (const line of linesOf(text)) {
    if (open !== undefined) {
      const role = roleInside(line.text, open);
      if (role === 'unclear') return { fences: found, unclear: line.start, cut, isOpen: true };
      if (role === 'code') continue;
      const info = open.line.end - open.info.length;
      found.push({ start: open.line.start, end: line.end, info: { start: info, end: open.line.end } });
      open = undefined;
      before = 'text';
      cut = { at: line.next, before };
      continue;
    }
    const read: ReturnType<typeof readLine> = before === 'inside-line' ? 'text' : readLine(line, before);
    if (read === 'unclear') return { fences: found, unclear: line.start, cut, isOpen: false };
    if (typeof read === 'object') open = read;
    else {
      if (endsParagraph(text, line)) cut = { at: line.next, before: 'blank' };
      before = read;
    }
  }
  return { fences: found, unclear: undefined, cut, isOpen: open !== undefined };
}

/** Returns whether a line is a blank line at which all syntax of a message ends. */
function endsParagraph(text: string, line: Line): boolean {
  return (
    /^[ \t]*$/u.test(line.text) &&
    text.charAt(line.start - 1) !== '\r' &&
    line.end < line.next &&
    text.charAt(line.next - 1) === '\n'
  );
}

/** Classifies a line that is outside all blocks. */
function readLine(line: Line, before: Before): Open | 'blank' | 'text' | 'html' | 'unclear' {
  if (isUnclear(line.text)) return 'unclear';
  const {
    indent = '',
    mark = '',
    info = '',
  } = /^(?<indent> *)(?<mark>`{3,}|~{3,})(?<info>.*)$/su.exec(line.text)?.groups ?? {};
  if (mark === '') return kindOf(line.text, before);
  if (mark.startsWith('`') && info.includes('`')) return 'text';
  if (before === 'html' || (indent.length > 3 && before !== 'blank' && before !== 'start')) return 'unclear';
  return { line, mark, indent: indent.length, info };
}

function roleInside(line: string, open: Open): 'code' | 'end' | 'unclear' {
  const mark = /^ *(?<mark>`{3,}|~{3,})[ \t]*$/u.exec(line)?.groups?.['mark'] ?? '';
  // The marks are longer than the opening marks, or outside the list that has the block. Some renderers close the block
  // here, others do not.
  if (
    (mark !== open.mark && mark.startsWith(open.mark)) ||
    (line.trim() !== '' && !line.startsWith(' '.repeat(open.indent)))
  )
    return 'unclear';
  return mark === open.mark ? 'end' : 'code';
}

/** A fence after a list mark, or with tabs, or inside a block of another dialect, which reads it as text. */
function isUnclear(line: string): boolean {
  return (
    /^[ \t]*(?:(?:[-+*:]|\d{1,9}[.)])[ \t])[ \t>\-+*:\d.)]*(?:```|~~~)/u.test(line) ||
    /^ *\t[ \t]*(?:```|~~~)/u.test(line) ||
    /^[ \t]*(?:\$\$|\\\[|%%|:::)/u.test(line)
  );
}

/** HTML at the start of a line continues until the next blank line. */
function kindOf(line: string, before: Before): 'blank' | 'text' | 'html' {
  if (line.trim() === '') return 'blank';
  return before === 'html' || /^[\s>*+\-\d.)]*</u.test(line) ? 'html' : 'text';
}

function* linesOf(text: string): Generator<Line> {
  const feed = /\r\n|\n|\r/gu;
  let start = 0;
  for (let found = feed.exec(text); found !== null; found = feed.exec(text)) {
    yield { start, end: found.index, next: feed.lastIndex, text: text.slice(start, found.index) };
    start = feed.lastIndex;
  }
  yield { start, end: text.length, next: text.length, text: text.slice(start) };
}
