/** One word of a shell, with any characters. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Names that no shell needs to quote. Throws for any other name, because each shell would quote it differently. */
export function plainWords(words: readonly string[]): string {
  for (const word of words) if (!/^[\w.-]+$/u.test(word)) throw new Error(`${JSON.stringify(word)} is no plain word`);
  return words.join(' ');
}
