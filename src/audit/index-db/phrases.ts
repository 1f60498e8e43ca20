import { foldText } from './facts.ts';

/** Consecutive words. The last may be only the start of a word. */
export interface Phrase {
  /** Folded words, at least one. */
  readonly words: readonly string[];
  readonly end: 'whole' | 'prefix';
}

/** A mistake in a search for words. */
export interface PhraseProblem {
  readonly kind: 'problem';
  readonly message: string;
  readonly remedy: string;
}

/**
 * Parses `shadow`, `"not granted"`, `passw*`; each phrase must occur. There are no operators, and no special characters
 * but `"` and a `*` at the end of a word. `/etc/shadow` is the phrase `etc shadow`, because words are runs of letters
 * and digits.
 */
export function parsePhrases(text: string): readonly Phrase[] | PhraseProblem {
  if ((text.match(/"/gu)?.length ?? 0) % 2 === 1)
    return problem('a quotation mark is not closed', 'write \'"two words"\', or leave the quotation mark out');
  const pieces = text.match(/"[^"]*"\*?|[^\s"]+/gu) ?? [];
  const phrases = pieces.map(phraseOf);
  const empty = phrases.findIndex(({ words }) => words.length === 0);
  if (pieces.length === 0 || empty >= 0)
    return problem(`${JSON.stringify(pieces[empty] ?? text)} holds no word`, 'look for letters or digits');
  return phrases;
}

function phraseOf(piece: string): Phrase {
  return { words: wordsOf(foldText(piece)), end: piece.endsWith('*') ? 'prefix' : 'whole' };
}

function problem(message: string, remedy: string): PhraseProblem {
  return { kind: 'problem', message, remedy };
}

/**
 * Returns phrases in the language of FTS5. Words hold no quotation marks. See
 * https://sqlite.org/fts5.html#full_text_query_syntax
 */
export function matchExpression(phrases: readonly Phrase[]): string {
  return phrases.map(({ words, end }) => `"${words.join(' ')}"${end === 'prefix' ? ' *' : ''}`).join(' AND ');
}

/** Returns whether a folded text holds all phrases. */
export function holdsPhrases(phrases: readonly Phrase[], text: string): boolean {
  const all = wordsOf(text);
  return phrases.every((phrase) => all.some((_word, at) => standsAt(phrase, all, at)));
}

function standsAt({ words, end }: Phrase, all: readonly string[], at: number): boolean {
  return words.every((word, index) => {
    const found = all[at + index];
    return end === 'prefix' && index === words.length - 1 ? found?.startsWith(word) === true : found === word;
  });
}

/** Splits folded text as the `ascii` tokenizer of FTS5 does: https://sqlite.org/fts5.html#ascii_tokenizer */
function wordsOf(text: string): readonly string[] {
  return text.match(/[a-z0-9\u0080-\uffff]+/g) ?? [];
}
