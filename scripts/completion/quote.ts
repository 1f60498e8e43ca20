/** One word of a shell, with any characters. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Names that every shell reads as they are. Throws where one is not: it would have to be quoted otherwise in each of
 * them.
 */
export function plainWords(words: readonly string[]): string {
  for (const word of words) if (!/^[\w.-]+$/u.test(word)) throw new Error(`${JSON.stringify(word)} is no plain word`);
  return words.join(' ');
}
