export type CommandLine = { readonly kind: 'line'; readonly line: string } | { readonly kind: 'none'; readonly reason: string };

/** Windows takes at most this many letters, with the one that ends them. */
const longest = 32_767;

/**
 * Words as the one text that `CreateProcess` takes, from which `CommandLineToArgvW` makes the same words again. None for batch files:
 * their interpreter reads the words by rules of its own, and a word becomes a command.
 */
export function commandLine(argv: readonly string[]): CommandLine {
  const [program = ''] = argv;
  if (/\.(?:bat|cmd)[. ]*$/iu.test(program)) return { kind: 'none', reason: 'the words of a batch file are read as commands' };
  if (program === '' || /["\0]/u.test(program) || argv.some((word) => word.includes('\0'))) return { kind: 'none', reason: 'a word cannot be written down' };
  // The first word ends at the next quotation mark, and backslashes in it mean themselves.
  const line = [`"${program}"`, ...argv.slice(1).map(quoted)].join(' ');
  return line.length >= longest ? { kind: 'none', reason: 'the words are too long together' } : { kind: 'line', line };
}

/** Backslashes before a quotation mark stand for half as many. */
function quoted(word: string): string {
  if (word !== '' && !/[\s"]/u.test(word)) return word;
  return `"${word.replaceAll(/(\\*)"/gu, String.raw`$1$1\"`).replace(/(\\+)$/u, '$1$1')}"`;
}
