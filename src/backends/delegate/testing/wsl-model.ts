export interface WslInvocation {
  readonly distribution: string | undefined;
  readonly directory: string | undefined;
  readonly words: readonly string[];
}

/** The command line that Node passes to CreateProcess for these words. */
export function commandLineOf(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (word !== '' && !/[ \t"]/u.test(word)) return word;
  return `"${word.replaceAll(/(\\*)"/gu, '$1$1\\"').replace(/(\\+)$/u, '$1$1')}"`;
}

/**
 * The parser of wsl.exe: its own options word by word with their quotes, and the words after `--exec` by
 * CommandLineToArgvW.
 */
export function readCommandLine(line: string): WslInvocation {
  let rest = line;
  const found: { distribution?: string; directory?: string } = {};
  const next = (): string => {
    const word = /^\s*("[^"]*"|\S+)/u.exec(rest)?.[1] ?? '';
    rest = rest.trimStart().slice(word.length);
    return word;
  };
  for (let word = next(); word !== '--exec' && word !== ''; word = next()) {
    if (word === '--distribution') found.distribution = next();
    else if (word === '--cd') found.directory = next().replaceAll(/^"|"$/gu, '');
    else throw new Error(`wsl.exe does not know ${word}`);
  }
  return { distribution: found.distribution, directory: found.directory, words: splitWords(rest.trimStart()) };
}

/** The first word ends at a blank or its closing quote. In the others, backslashes before a quote count. */
function splitWords(line: string): readonly string[] {
  const first = /^(?:"([^"]*)"?|([^ \t]*))/u.exec(line);
  const words = [first?.[1] ?? first?.[2] ?? ''];
  let at = first?.[0].length ?? 0;
  for (;;) {
    while (line[at] === ' ' || line[at] === '\t') at += 1;
    if (at >= line.length) return words;
    let word = '';
    for (let isQuoted = false; at < line.length && (isQuoted || (line[at] !== ' ' && line[at] !== '\t')); ) {
      const slashes = /^\\*/u.exec(line.slice(at))?.[0].length ?? 0;
      at += slashes;
      if (line[at] !== '"') {
        word += '\\'.repeat(slashes) + (slashes > 0 ? '' : (line[at] ?? ''));
        at += slashes > 0 ? 0 : 1;
        continue;
      }
      word += '\\'.repeat(Math.floor(slashes / 2));
      if (slashes % 2 === 1) word += '"';
      else isQuoted = !isQuoted;
      at += 1;
    }
    words.push(word);
  }
}
