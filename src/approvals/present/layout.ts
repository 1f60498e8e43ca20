/** Columns of a line. A terminal of 80 columns does not wrap it, so no part of a text can begin a line. */
export const columns = 76;

/**
 * Returns one fact in lines: `label: value`. A longer value continues after ` … `. If `text`, the source of the value,
 * is not ASCII, it is spelled out after ` = `. Only our labels begin in the first column.
 */
export function factLines(label: string, value: string, text = ''): readonly string[] {
  return [...wrapped(`${label}: `, value), ...spelled(text)];
}

/** Returns a text that may have several lines, with `  | ` before each. */
export function textLines(label: string, text: string): readonly string[] {
  const lines = text.split('\n');
  return [`${label}: ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}`, ...runs(lines).flatMap(runLines)];
}

/** Consecutive empty lines that are shown. */
const mostEqual = 2;

function runLines({ line, count }: Run): readonly string[] {
  if (line === '' && count > mostEqual) return [`  | ⟦U+000A×${count}⟧`];
  const shown = [...wrapped('  | ', visible(line)), ...spelled(line)];
  return Array.from({ length: count }, () => shown).flat();
}

function spelled(text: string): readonly string[] {
  const ascii = spelledOut(text);
  return ascii === undefined ? [] : wrapped('  = ', visible(ascii));
}

function wrapped(start: string, text: string): readonly string[] {
  const lines: string[] = [];
  let mark = start;
  let [from, at, width] = [0, 0, start.length];
  for (const character of text) {
    // An upper bound: every character outside alphabets counts as two columns.
    const own = (character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2;
    if (width + own > columns) {
      // Slices the text, because joining characters would take thirty times the memory.
      lines.push(mark + text.slice(from, at));
      mark = '  … ';
      [from, width] = [at, mark.length];
    }
    at += character.length;
    width += own;
  }
  return [...lines, mark + text.slice(from)];
}

interface Run {
  readonly line: string;
  count: number;
}

function runs(lines: readonly string[]): readonly Readonly<Run>[] {
  const found: Run[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last?.line === line) last.count += 1;
    else found.push({ line, count: 1 });
  }
  return found;
}

/** Consecutive blanks that a reader still recognises. More could push the end of a command off the screen. */
const mostBlanks = 8;

/**
 * Returns a text as a word of one line. Two texts never look the same: a word is bare if nothing in it is ambiguous,
 * and quoted otherwise. Line breaks, tabs, runs of blanks and blanks at an end are written `⟦U+0020×12⟧`, as in the
 * text room.
 */
export function quotedWhereNeeded(text: string): string {
  if (plainWord.test(text)) return text;
  return `"${visible(text.replaceAll(/["\\]/gu, '\\$&'))}"`;
}

/** Returns one line of a text without quotes, for use after a mark that the text cannot imitate. */
export function visible(text: string): string {
  return text.replaceAll(/⟦(?=U\+)|[\n\t]+| {2,}|^ | $/gu, (run) => (run.startsWith('⟦') ? '⟦U+27E6⟧' : blanks(run)));
}

/** Spells a text in ASCII if its letters resemble others or run from right to left. Undefined for an ASCII text. */
function spelledOut(text: string): string | undefined {
  if (/^[\0-\x7f]*$/u.test(text)) return undefined;
  return Array.from(text, (character) =>
    character > '\x7e'
      ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
      : character === '\\'
        ? '\\\\'
        : character,
  ).join('');
}

const plainWord = /^[\w@%+=:,./-]+$/u;

/** Keeps up to eight blanks between words, so that commands in columns stay readable. */
function blanks(run: string): string {
  const [first = ' '] = run;
  if (first === ' ')
    return run.length > 1 && run.length <= mostBlanks ? run : `⟦U+0020${run.length > 1 ? `×${run.length}` : ''}⟧`;
  return Array.from(run, (character) => (character === '\n' ? '⟦U+000A⟧' : '⟦U+0009⟧')).join('');
}
