import type { ToolSpec } from '../../shell/tools/types.ts';
import type { CommandPattern } from './command-pattern.ts';
import { canonicalArguments, toolFor } from './tools.ts';
import { compileWildcard, matchesWildcard, type Wildcard } from './wildcard.ts';

/** The arguments of a pattern, parsed by the rules of its program. */
export interface PatternWords {
  readonly options: readonly PatternOption[];
  /** Options with a wildcard: `--no-*`. They match any of an option's names. */
  readonly wildOptions: readonly Wildcard[];
  readonly operands: readonly Wildcard[];
  /** For each operand without a wildcard: its spellings, one of which a command must contain. */
  readonly mentioned: readonly (readonly string[])[];
}

export interface PatternOption {
  readonly names: readonly string[];
  readonly value?: Wildcard;
}

/** Placeholder for an unknown argument. No argument equals it, and no pattern matches it. */
export const unknownWord = '\0';

/** Number of programs for which one pattern is cached, because a pattern such as `*` meets them all. */
const mostKept = 64;

/** Parses the words of a pattern for a program by its bare name, and caches the result. */
export function patternReader(
  canonicalise: Canonicalise,
  spellings: Spellings = subcommandSpellings,
): (pattern: CommandPattern, name: string) => PatternWords {
  const kept = new WeakMap<CommandPattern, Map<string, PatternWords>>();
  return (pattern, name) => {
    const byName = kept.get(pattern) ?? new Map<string, PatternWords>();
    const found = byName.get(name);
    if (found !== undefined) return found;
    const words = readWords(pattern, name, { canonicalise, spellings });
    if (byName.size >= mostKept) byName.clear();
    kept.set(pattern, byName.set(name, words));
    return words;
  };
}

function readWords(
  pattern: CommandPattern,
  name: string,
  { canonicalise, spellings }: { readonly canonicalise: Canonicalise; readonly spellings: Spellings },
): PatternWords {
  const sources = pattern.words.map(({ source }) => source);
  const wild = sources.filter(isWildOption);
  const { options, operands } = canonicalise(name, [name, ...sources.filter((source) => !isWildOption(source))]);
  const compiled = operands.map(compileWildcard);
  const subcommands = spellings(name, operands);
  return {
    mentioned: compiled.flatMap(({ literal }, index) =>
      literal === undefined ? [] : [subcommands[index] ?? [literal]],
    ),
    options: options
      .filter((option, index) => !isGuessedWhole(option, options[index + 1]))
      .map(({ names, value }) => (value === undefined ? { names } : { names, value: compileWildcard(value) })),
    wildOptions: wild.map(compileWildcard),
    operands: compiled,
  };
}

/** Whether the word is the whole `-rf` of an unknown program. Its letters are also options, and match in any order. */
function isGuessedWhole(
  { names: [name = '', ...others], value }: CanonicalOption,
  next: CanonicalOption | undefined,
): boolean {
  return (
    others.length === 0 &&
    value === undefined &&
    name.length > 2 &&
    !name.startsWith('--') &&
    next?.names.includes(name.slice(0, 2)) === true
  );
}

/** A wildcard in an option's name, not in its value. */
function isWildOption(source: string): boolean {
  return source.startsWith('-') && compileWildcard(source.split('=', 1)[0] ?? '').literal === undefined;
}

/** Whether every option of the pattern is present, in any spelling. */
export function hasOptions({ options, wildOptions }: PatternWords, command: CanonicalCommand): boolean {
  return (
    options.every((wanted) => command.options.some((option) => isOption(wanted, option))) &&
    wildOptions.every((wildcard) =>
      command.options.some(({ names }) => names.some((name) => matchesWildcard(wildcard, name))),
    )
  );
}

export function isOption(wanted: PatternOption, { names, value }: CanonicalCommand['options'][number]): boolean {
  return (
    wanted.names.some((name) => names.includes(name)) &&
    (wanted.value === undefined ||
      (value !== undefined && value !== unknownWord && matchesWildcard(wanted.value, value)))
  );
}

/** Whether the operands start with the pattern's; more may follow. */
export function startsWith(wanted: readonly Wildcard[], operands: readonly string[]): boolean {
  return wanted.every((wildcard, index) => isOperand(wildcard, operands[index]));
}

/** Whether the pattern's operands occur in order. If an option is unknown, an apparent operand may be its value. */
export function containsOperands(wanted: readonly Wildcard[], operands: readonly string[]): boolean {
  let next = 0;
  for (const operand of operands) {
    const wildcard = wanted[next];
    if (wildcard === undefined) return true;
    if (isOperand(wildcard, operand)) next += 1;
  }
  return next === wanted.length;
}

function isOperand(wildcard: Wildcard, operand: string | undefined): boolean {
  return operand !== undefined && operand !== unknownWord && matchesWildcard(wildcard, operand);
}

/** The arguments of a command, independent of their spelling. */
export interface CanonicalCommand {
  readonly options: readonly CanonicalOption[];
  /** Includes words of subcommands. */
  readonly operands: readonly string[];
  /** Whether the role of every argument is certain. */
  readonly understood: boolean;
}

export interface CanonicalOption {
  /** Every spelling. An abbreviation includes every option that it may mean. */
  readonly names: readonly string[];
  readonly value?: string;
}

/** Parses `argv`, including `argv[0]`, as arguments of a program by its bare name. Total. */
export type Canonicalise = (name: string, argv: readonly string[]) => CanonicalCommand;

/** Uses the shell room's tables of tools, and guesses for unknown tools. */
export const canonicalise: Canonicalise = (name, argv) => canonicalArguments(name, argv.slice(1));

/** Returns every name of each subcommand at the start of a program's operands. */
type Spellings = (name: string, operands: readonly string[]) => readonly (readonly string[])[];

/** `npm i` is `npm install`. */
export const subcommandSpellings: Spellings = (name, operands) => {
  const found: (readonly string[])[] = [];
  let level: ToolSpec | undefined = toolFor(name);
  for (const operand of operands) {
    level = level?.subcommands?.find(({ names }) => names.includes(operand));
    if (level === undefined) break;
    found.push(level.names);
  }
  return found;
};
