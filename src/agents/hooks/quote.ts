/**
 * A word as every shell of the Bourne family reads it back, whatever is in it but NUL. Source: POSIX.1-2024, Shell
 * Command Language,
 * 2.2.2: nothing is special between single quotes.
 */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** What starts a box: words in front of the script. */
export type BoxWords = readonly string[];

/** The command that runs a script in the box. */
export function boxed(words: BoxWords, script: string): string {
  return [...words, 'bash', '-c', script].map(shellQuote).join(' ');
}

/** The script of a command that `boxed` made, with the same words, or undefined for any other. */
export function unboxed(words: BoxWords, command: string): string | undefined {
  const start = `${[...words, 'bash', '-c'].map(shellQuote).join(' ')} `;
  if (!command.startsWith(`${start}'`) || !command.endsWith("'")) return undefined;
  const script = command.slice(start.length + 1, -1).replaceAll(String.raw`'\''`, "'");
  return boxed(words, script) === command ? script : undefined;
}
