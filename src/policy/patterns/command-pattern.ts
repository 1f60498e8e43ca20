import { compileWildcard, escapeWildcard, type Wildcard } from './wildcard.ts';

/** The first arguments of a command, as in a policy: `git push *` matches `git push origin main`. */
export interface CommandPattern {
  readonly kind: 'command';
  readonly source: string;
  /** A bare name, or a path if it contains a slash. */
  readonly program: Wildcard;
  /** Patterns of the following words. Further words do not matter. */
  readonly words: readonly Wildcard[];
  /** Replaces `words`: all of the arguments, literally. */
  readonly exactly?: readonly string[];
}

/** Parses a command pattern. Blanks separate words; a word with a blank is quoted. */
export function parseCommandPattern(source: string): CommandPattern | PatternProblem {
  const words = wordsOf(source);
  if (words === undefined)
    return patternProblem(
      `"${source}" has an open quote or a control character`,
      'close the quote, or write ? for the character',
    );
  const operator = rawWordsOf(source)
    .map((word) => word.replaceAll(quoted, ''))
    .find((word) => /^[|&;<>()]+$|\$\(|`/.test(word));
  if (operator !== undefined) {
    return patternProblem(
      `"${source}" holds the shell syntax "${operator}"`,
      'write the words of one command; each command of a line is decided by itself',
    );
  }
  const [program, ...rest] = words;
  if (program === undefined)
    return patternProblem('an empty command matches nothing', 'write the first words of a command, e.g. "git push *"');
  return { kind: 'command', source, program: compileWildcard(program), words: rest.map(compileWildcard) };
}

/** Returns the pattern of one exact command. Every character is literal, and no argument may follow. */
export function exactCommand(argv: readonly string[]): CommandPattern {
  const [program = '', ...exactly] = argv;
  const literal = (word: string): Wildcard => compileWildcard(escapeWildcard(word));
  return {
    kind: 'command',
    source: commandPatternOf(argv),
    program: literal(program),
    words: exactly.map(literal),
    exactly,
  };
}

/** Splits at blanks outside of quotes. Undefined for an open quote. Quotes may occur anywhere in a word. */
export function wordsOf(source: string): readonly string[] | undefined {
  if (/[^\P{Cc}\t]/u.test(source)) return undefined;
  const words = rawWordsOf(source);
  if (words.some((word) => word === "'" || word === '"')) return undefined;
  return words.map((word) => word.replaceAll(quoted, '$1$2'));
}

const quoted = /'([^']*)'|"([^"]*)"/g;

/** Words with their quotes. An open quote is a word by itself. */
function rawWordsOf(source: string): readonly string[] {
  return source.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+|['"]/g) ?? [];
}

/** Returns the pattern that matches this command and any following words. */
export function commandPatternOf(argv: readonly string[]): string {
  return argv.map(quoteWord).join(' ');
}

/** A pattern cannot hold a control character, so `?` takes its place. */
function quoteWord(word: string): string {
  const escaped = word.replaceAll(/[\\*?]/g, '\\$&').replaceAll(/\p{Cc}/gu, '?');
  if (escaped !== '' && !/[\s'"|&;<>()$`]/.test(escaped)) return escaped;
  return escaped
    .split("'")
    .map((part) => `'${part}'`)
    .join(`"'"`);
}

/** Why a text is not a pattern, and its replacement. */
export interface PatternProblem {
  readonly kind: 'problem';
  readonly message: string;
  readonly remedy: string;
}

export function patternProblem(message: string, remedy: string): PatternProblem {
  return { kind: 'problem', message, remedy };
}

/** A port of the box's loopback that is shown on the host's loopback. */
export interface ForwardPattern {
  readonly kind: 'forward';
  /** The port on the host. */
  readonly host: number;
  /** The port on which the program in the box listens. */
  readonly box: number;
}

const highestPort = 65_535;

/** Parses `8080`, the same port on both sides, or `3000:8080`, host before box. */
export function parseForward(source: string): ForwardPattern | PatternProblem {
  const [, first = '', second = first] = /^(\d{1,5})(?::(\d{1,5}))?$/.exec(source) ?? [];
  const [host, box] = [Number(first), Number(second)];
  if (first !== '' && isPort(host) && isPort(box)) return { kind: 'forward', host, box };
  return patternProblem(
    `"${source}" is not a port to forward`,
    'write a port such as 8080, or "3000:8080" for port 8080 of the box on port 3000 of the host',
  );
}

function isPort(port: number): boolean {
  return port >= 1 && port <= highestPort;
}
