/** Blanks in a row that are still seen as what they are; more could push the end of a command off the screen. */
const mostBlanks = 8;

/**
 * A text as a word of one line, so that two never look the same: bare where nothing in it could be mistaken, in quotes otherwise.
 * Line breaks, tabs, many blanks in a row and blanks at an end are written `⟦U+0020×12⟧`, as the text room writes what does not show.
 */
export function quoted(text: string): string {
  if (plainWord.test(text)) return text;
  return `"${visible(text.replaceAll(/["\\]/gu, '\\$&'))}"`;
}

/** One line of a text, without quotes: it stands behind a mark that nothing in it can imitate. */
export function visible(text: string): string {
  return text.replaceAll(/⟦(?=U\+)|[\n\t]+| {2,}|^ | $/gu, (run) => (run.startsWith('⟦') ? '⟦U+27E6⟧' : blanks(run)));
}

/** The same in ASCII, for what has letters that could be taken for others or that run the other way; undefined where all of it is ASCII. */
export function spelledOut(text: string): string | undefined {
  if (/^[\0-\x7f]*$/u.test(text)) return undefined;
  return Array.from(text, (character) => (character > '\x7e' ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character === '\\' ? '\\\\' : character)).join('');
}

const plainWord = /^[\w@%+=:,./-]+$/u;

/** Up to eight between words are kept: commands in columns are read as such. */
function blanks(run: string): string {
  const [first = ' '] = run;
  if (first === ' ') return run.length > 1 && run.length <= mostBlanks ? run : `⟦U+0020${run.length > 1 ? `×${run.length}` : ''}⟧`;
  return Array.from(run, (character) => (character === '\n' ? '⟦U+000A⟧' : '⟦U+0009⟧')).join('');
}
