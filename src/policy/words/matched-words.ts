import type { MatchedCommand } from '../answer.ts';
import { canonicalise, type CanonicalOption } from '../patterns/canonicalise.ts';
import { hasOptions, isOption, patternReader, type PatternWords } from '../patterns/command-words.ts';
import { startsAsWritten } from '../patterns/matches-words.ts';
import { matchesWildcard } from '../patterns/wildcard.ts';
import type { ExecRequest } from '../request.ts';

/** Which words of a command a pattern is about. */
export interface MatchedWords {
  /** As they are spelled, the program first: `git push -fu`. */
  readonly matched: readonly string[];
  /** What is left without them; of `-fu` the `-u`. Undefined where the command is too long to be told apart. */
  readonly rest: readonly string[] | undefined;
}

/** More words than this are not told apart: each is read together with all before it. */
const mostWords = 200;
const shownWords = 50;

/** Only for words that people read and for redirects: what matches is decided elsewhere. */
export function matchedWords(
  { pattern }: MatchedCommand,
  { program, argv }: ExecRequest,
  purpose: 'show' | 'substitute',
): MatchedWords {
  const length = pattern.words.length + 1;
  if (purpose === 'show' && startsAsWritten(pattern, { argv }, 'wide'))
    return { matched: argv.slice(0, length), rest: undefined };
  const limit = purpose === 'show' ? shownWords : mostWords;
  const words = argv.slice(0, limit);
  const name = baseName(pattern.program.literal ?? program);
  const wanted = patternReader(canonicalise)(pattern, name);
  const places = placesOf({ words, name }, wanted);
  const matched = [argv[0] ?? program, ...words.filter((_, index) => places.get(index) !== undefined)];
  const rest = argv.slice(1).flatMap((word, index) => places.get(index + 1) ?? [word]);
  return { matched, rest: argv.length > limit ? undefined : rest };
}

interface Command {
  readonly words: readonly string[];
  readonly name: string;
}

/** For each word that is matched, what of it is left. */
function placesOf({ words, name }: Command, wanted: PatternWords): ReadonlyMap<number, readonly string[]> {
  const places = new Map<number, readonly string[]>();
  let operand = 0;
  let before = canonicalise(name, words.slice(0, 1));
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const upTo = canonicalise(name, words.slice(0, index + 1));
    const wildcard = wanted.operands[operand];
    if (
      upTo.operands.length > before.operands.length &&
      upTo.operands.at(-1) === word &&
      wildcard !== undefined &&
      matchesWildcard(wildcard, word)
    ) {
      places.set(index, []);
      operand += 1;
    } else if (word.startsWith('-') && upTo.options.length > before.options.length) {
      const left = leftOf(word, upTo.options.slice(before.options.length), wanted);
      if (left !== undefined) places.set(index, left);
    } else if (places.has(index - 1) && upTo.operands.length === before.operands.length && !word.startsWith('-'))
      places.set(index, []);
    before = upTo;
  }
  return places;
}

/** Undefined where none of its options is in the pattern; what is left of a cluster of letters otherwise. */
function leftOf(
  word: string,
  options: readonly CanonicalOption[],
  wanted: PatternWords,
): readonly string[] | undefined {
  const isMatched = (option: CanonicalOption): boolean =>
    wanted.options.some(({ names }) => isOption({ names }, option)) ||
    (wanted.wildOptions.length > 0 &&
      hasOptions({ ...wanted, options: [] }, { options: [option], operands: [], understood: true }));
  const others = options.filter((option) => !isMatched(option));
  if (others.length === options.length) return undefined;
  if (!/^-[A-Za-z]{2,}$/.test(word)) return [];
  const letters = Array.from(word.slice(1)).filter((letter) =>
    others.some(({ names }) => names.includes(`-${letter}`)),
  );
  return letters.length === 0 ? [] : [`-${letters.join('')}`];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
