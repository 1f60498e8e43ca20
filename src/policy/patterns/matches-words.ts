import type { CommandPattern } from './command-pattern.ts';
import {
  type CanonicalCommand,
  type Canonicalise,
  containsOperands,
  hasOptions,
  isOption,
  type PatternOption,
  patternReader,
  type PatternWords,
  startsWith,
  unknownWord,
} from './command-words.ts';
import { matchesWildcard } from './wildcard.ts';

export interface CommandWords {
  /** Includes `argv[0]`. */
  readonly argv: readonly string[];
  /** Positions of unknown arguments in `argv`, ascending. Each may be replaced by any number of any arguments. */
  readonly unknown?: readonly number[];
}

/**
 * `wide`, for restrictions: options in any spelling, order and abbreviation, and operands after unknown options too.
 * `narrow`, for grants: the first arguments as written, or a command in which every argument is understood.
 */
export type MatchReach = 'wide' | 'narrow';

export interface WordsMatcher {
  readonly matches: (pattern: CommandPattern, command: ReadCommand, reach: MatchReach) => boolean;
  /** Whether the pattern could match, depending on the unknown arguments. */
  readonly couldMatch: (pattern: CommandPattern, command: ReadCommand) => boolean;
  /**
   * Returns a set of arguments, one of which must follow a program with that bare name for the pattern to match.
   * Undefined if none is certain.
   */
  readonly needs: (pattern: CommandPattern, name: string) => readonly string[] | undefined;
  /** Parses a command by the rules of a program with this bare name, once a pattern asks for it. */
  readonly read: (command: CommandWords, name: string) => ReadCommand;
}

export interface ReadCommand extends CommandWords {
  readonly name: string;
  readonly whole: () => CanonicalCommand;
  /** Parses the arguments before this position. */
  readonly upTo: (end: number) => CanonicalCommand;
}

export function wordsMatcher(canonicalise: Canonicalise): WordsMatcher {
  const wordsOf = patternReader(canonicalise);
  return {
    needs: (pattern, name) =>
      neededWords(
        pattern,
        pattern.exactly === undefined && pattern.words.length > 0 ? wordsOf(pattern, name) : undefined,
      ),
    read: (command, name) => readCommand(command, name, canonicalise),
    matches(pattern, command, reach) {
      if (pattern.exactly !== undefined) return isExactly(pattern.exactly, command);
      if (pattern.words.length === 0 || startsAsWritten(pattern, command, reach)) return true;
      const words = wordsOf(pattern, command.name);
      if (!mentions(words, command)) return false;
      return reach === 'wide' ? matchesWidely(words, command) : matchesNarrowly(words, command);
    },
    couldMatch(pattern, command) {
      const [first] = command.unknown ?? [];
      if (first === undefined) return false;
      if (pattern.exactly !== undefined)
        return command.argv.slice(1, first).every((word, index) => word === pattern.exactly?.[index]);
      const { operands } = command.upTo(first);
      return wordsOf(pattern, command.name).operands.every(
        (wildcard, index) => operands[index] === undefined || matchesWildcard(wildcard, operands[index]),
      );
    },
  };
}

/**
 * Uses the last operand, because it is more specific than a subcommand that many patterns share. A pattern matches by
 * its literal arguments or by its operands, so only an argument that both need is certain.
 */
function neededWords(
  { exactly, words }: CommandPattern,
  read: PatternWords | undefined,
): readonly string[] | undefined {
  if (exactly !== undefined) return exactly.slice(-1).length === 0 ? undefined : exactly.slice(-1);
  const written = new Set(words.flatMap(({ literal }) => literal ?? []));
  return read?.mentioned.findLast((names) => names.some((name) => written.has(name)));
}

/** Does not compare `argv[0]`: only a pattern that trusts the name depends on it. */
function isExactly(words: readonly string[], { argv, unknown = none }: CommandWords): boolean {
  return (
    unknown.length === 0 && argv.length === words.length + 1 && words.every((word, index) => word === argv[index + 1])
  );
}

/**
 * Compares the arguments literally, from the first one on. In a grant, `*` matches no option, because an option may do
 * anything.
 */
export function startsAsWritten(
  { words }: CommandPattern,
  { argv, unknown = none }: CommandWords,
  reach: MatchReach,
): boolean {
  if ((unknown[0] ?? argv.length) <= words.length) return false;
  return words.every((wildcard, index) => {
    const word = argv[index + 1];
    return (
      word !== undefined &&
      matchesWildcard(wildcard, word) &&
      (reach === 'wide' || !word.startsWith('-') || wildcard.source.startsWith('-'))
    );
  });
}

/** Avoids parsing a command that cannot match. An operand occurs literally, a subcommand by one of its names. */
function mentions({ mentioned }: PatternWords, { argv }: ReadCommand): boolean {
  return mentioned.every((names) => names.some((name) => argv.includes(name, 1)));
}

function matchesWidely(words: PatternWords, command: ReadCommand): boolean {
  const read = command.whole();
  const end = read.operands.indexOf(unknownWord);
  const operands = end === -1 ? read.operands : read.operands.slice(0, end);
  return hasOptions(words, read) && (read.understood ? startsWith : containsOperands)(words.operands, operands);
}

function matchesNarrowly(words: PatternWords, command: ReadCommand): boolean {
  const read = command.whole();
  if (!read.understood || (command.unknown?.length ?? 0) > 0) return false;
  return hasOptions(words, read) && startsWith(words.operands, read.operands) && leadIsNamed(words, command);
}

/**
 * `git status` is not `git -c core.pager=x status`. Options before the pattern's last operand must be in the pattern
 * too.
 */
function leadIsNamed({ operands, options }: PatternWords, command: ReadCommand): boolean {
  if (operands.length === 0) return true;
  for (let end = operands.length + 1; end <= command.argv.length; end += 1) {
    const lead = command.upTo(end);
    if (lead.operands.length >= operands.length)
      return lead.options.every((option) => options.some((wanted: PatternOption) => isOption(wanted, option)));
  }
  return false;
}

/** Parsed on first use, because the literal arguments decide most patterns. */
function readCommand({ argv, unknown }: CommandWords, name: string, canonicalise: Canonicalise): ReadCommand {
  let whole: CanonicalCommand | undefined;
  const known = (): readonly string[] =>
    unknown === undefined || unknown.length === 0
      ? argv
      : argv.map((word, index) => (unknown.includes(index) ? unknownWord : word));
  return {
    argv,
    unknown: unknown ?? none,
    name,
    whole: () => (whole ??= canonicalise(name, known())),
    upTo: (end) => canonicalise(name, known().slice(0, end)),
  };
}

const none: readonly number[] = [];
