import { compileWildcard, escapeWildcard, type Wildcard } from './wildcard.ts';

/** The first words of a command, as they stand in a policy: `git push *` matches `git push origin main`. */
export interface CommandPattern {
  readonly kind: 'command';
  readonly source: string;
  /** A bare name, or a path when it holds a slash. */
  readonly program: Wildcard;
  /** What the following words have to be; further words do not matter. */
  readonly words: readonly Wildcard[];
  /** Instead: all of the following words, as they are. */
  readonly exactly?: readonly string[];
}

/** Reads a command pattern: words apart by blanks, quoted where they hold one. */
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

/** One command and no other: every character of these words stands for itself, and none may follow. */
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

/** Splits at blanks outside of quotes; undefined when a quote stays open. Quotes may stand anywhere in a word. */
export function wordsOf(source: string): readonly string[] | undefined {
  if (/[^\P{Cc}\t]/u.test(source)) return undefined;
  const words = rawWordsOf(source);
  if (words.some((word) => word === "'" || word === '"')) return undefined;
  return words.map((word) => word.replaceAll(quoted, '$1$2'));
}

const quoted = /'([^']*)'|"([^"]*)"/g;

/** With their quotes; an open one is a word by itself. */
function rawWordsOf(source: string): readonly string[] {
  return source.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+|['"]/g) ?? [];
}

/** The pattern that matches this command and whatever words follow it. */
export function commandPatternOf(argv: readonly string[]): string {
  return argv.map(quoteWord).join(' ');
}

/** A control character cannot stand in a pattern, so `?` takes its place. */
function quoteWord(word: string): string {
  const escaped = word.replaceAll(/[\\*?]/g, '\\$&').replaceAll(/\p{Cc}/gu, '?');
  if (escaped !== '' && !/[\s'"|&;<>()$`]/.test(escaped)) return escaped;
  return escaped
    .split("'")
    .map((part) => `'${part}'`)
    .join(`"'"`);
}

/** Why a text is not a pattern, and what to write instead. */
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
  /** Where the host sees it. */
  readonly host: number;
  /** Where the program in the box listens. */
  readonly box: number;
}

const highestPort = 65_535;

/** Reads `8080`, the same port on both sides, or `3000:8080`, host before box. */
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
