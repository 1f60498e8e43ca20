import { abbreviated } from './find-option.ts';
import { append } from './findings.ts';
import { parseArguments } from './parse-arguments.ts';
import { toolFor } from './tool-for.ts';
import type { ParsedArguments, ParsedOption, ToolSpec } from './types.ts';
import { staticWord } from './words.ts';

interface CanonicalOption {
  /** Every spelling. For an abbreviation: those of every option that it may mean. */
  readonly names: readonly string[];
  readonly value?: string;
}

export interface CanonicalArguments {
  /** Options in the order of the words. Those of subcommands follow those of their tool. */
  readonly options: readonly CanonicalOption[];
  /** Operands in order, including subcommands. */
  readonly operands: readonly string[];
  /**
   * Whether a specification knew every option. If not, a rule that allows may not match; a rule that restricts still
   * matches.
   */
  readonly understood: boolean;
}

/**
 * Returns the words after a program's name in one form for all spellings, for rules to match. `-rf`, `-fr`, `-r -f` and
 * `--recursive --force` of `rm` are one thing. Without a specification, letters are split, and values are split at `=`.
 */
export function canonicalArguments(program: string, argv: readonly string[]): CanonicalArguments {
  const name = program.slice(program.lastIndexOf('/') + 1);
  const spec = toolFor(name);
  return spec === undefined ? guessed(argv) : bySpec(spec, argv);
}

function bySpec(spec: ToolSpec, argv: readonly string[]): CanonicalArguments {
  const options: CanonicalOption[] = [];
  const operands: string[] = [];
  let understood = true;
  let level: ToolSpec | undefined = spec;
  let rest = argv;
  while (level !== undefined) {
    if (level.grammar === 'words') return merged({ options, operands, understood }, wordsOnly(rest));
    const parsed: ParsedArguments = parseArguments(
      level,
      rest.map((word) => staticWord(word)),
    );
    append(options, parsed.options.map(canonicalOption));
    for (const { word } of parsed.unknown)
      append(options, unknownOption(level, word.kind === 'static' ? word.value : word.text));
    understood &&= parsed.unknown.length === 0;
    const found: readonly string[] = parsed.operands.map((word) => (word.kind === 'static' ? word.value : word.text));
    const [first] = found;
    const sub: ToolSpec | undefined =
      first === undefined ? undefined : level.subcommands?.find(({ names }) => names.includes(first));
    if (sub === undefined) {
      // The options of an unknown subcommand are unknown, but rules that restrict may still name them.
      const isKnown = level.subcommands === undefined || first === undefined;
      return merged(
        { options, operands, understood: understood && isKnown },
        isKnown ? { options: [], operands: found, understood } : guessed(found),
      );
    }
    operands.push(sub.names[0] ?? first ?? '');
    rest = found.slice(1);
    level = sub;
  }
  return { options, operands, understood };
}

function merged(first: CanonicalArguments, second: CanonicalArguments): CanonicalArguments {
  return {
    options: [...first.options, ...second.options],
    operands: [...first.operands, ...second.operands],
    understood: first.understood && second.understood,
  };
}

function canonicalOption({ spec, spelled, value, words }: ParsedOption): CanonicalOption {
  // `-#` means any number, so the number itself is the name.
  const names = spec.names.includes('-#') && !spec.names.includes(spelled) ? [...spec.names, spelled] : spec.names;
  const text =
    words === undefined
      ? value
      : staticWord(words.map((word) => (word.kind === 'static' ? word.value : word.text)).join(' '));
  if (text === undefined) return { names };
  return { names, value: text.kind === 'static' ? text.value : text.text };
}

/** Options that an unlisted word may mean: everything that it abbreviates, or each of its letters. */
function unknownOption(spec: ToolSpec, word: string): readonly CanonicalOption[] {
  const candidates = abbreviated(spec, word);
  if (candidates.length === 0)
    return lettersOf(word, (letter) => spec.options.find(({ names }) => names.includes(letter))?.names ?? [letter]);
  const equals = word.indexOf('=');
  const names = [...new Set(candidates.flatMap((each) => each.names))];
  return [equals === -1 ? { names } : { names, value: word.slice(equals + 1) }];
}

/** Expressions such as those of find: words with a dash match in any position. */
function wordsOnly(argv: readonly string[]): CanonicalArguments {
  return {
    options: argv.filter(isDashed).map((word) => ({ names: [word] })),
    operands: argv.filter((word) => !isDashed(word)),
    understood: true,
  };
}

function guessed(argv: readonly string[]): CanonicalArguments {
  const end = argv.indexOf('--');
  const before = end === -1 ? argv : argv.slice(0, end);
  return {
    options: before.filter(isDashed).flatMap((word) => lettersOf(word, (letter) => [letter])),
    operands: [...before.filter((word) => !isDashed(word)), ...(end === -1 ? [] : argv.slice(end + 1))],
    understood: false,
  };
}

function isDashed(word: string): boolean {
  return word.startsWith('-') && word.length > 1;
}

/**
 * Splits `--name=value`. Splits `-abc` into three letters, and keeps it whole too for programs whose long names have
 * one dash.
 */
function lettersOf(word: string, namesOf: (letter: string) => readonly string[]): readonly CanonicalOption[] {
  const equals = word.indexOf('=');
  const name = equals === -1 ? word : word.slice(0, equals);
  const whole: CanonicalOption = equals === -1 ? { names: [name] } : { names: [name], value: word.slice(equals + 1) };
  if (word.startsWith('--')) return [whole];
  const letters = Array.from(new Set(name.slice(1)), (letter) => ({ names: namesOf(`-${letter}`) }));
  return letters.length === 1 && equals === -1 ? letters : [whole, ...letters];
}
