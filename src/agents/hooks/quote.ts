/**
 * Quotes a word so that every Bourne shell reads it back. The word may have any character but NUL. Source:
 * POSIX.1-2024, Shell Command Language, 2.2.2: no character is special between single quotes.
 */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Words before the script that start a box. */
export type BoxWords = readonly string[];

/** Returns the command that runs a script in the box. */
export function boxed(words: BoxWords, script: string): string {
  return [...words, 'bash', '-c', script].map(shellQuote).join(' ');
}

/** Returns the script of a command that `boxed` made with the same words. Undefined for any other command. */
export function unboxed(words: BoxWords, command: string): string | undefined {
  const start = `${[...words, 'bash', '-c'].map(shellQuote).join(' ')} `;
  if (!command.startsWith(`${start}'`) || !command.endsWith("'")) return undefined;
  const script = command.slice(start.length + 1, -1).replaceAll(String.raw`'\''`, "'");
  return boxed(words, script) === command ? script : undefined;
}
