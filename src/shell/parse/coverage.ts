import type { SyntaxNode } from 'unbash';
import type { TimeSpan } from '../types.ts';

/**
 * Maps every character of a text to the kind of its node. If no node accounts for a character, or an apparent
 * substitution was not visited, the parser has lost it. It may still run.
 */
export interface Coverage {
  readonly kinds: Uint8Array;
  /** Starts of visited substitutions, and ends of those in backticks. */
  readonly openings: Set<number>;
}

/** The part that a character belongs to. `gap`: between words, where separators, keywords and comments are allowed. */
export const painted = { gap: 0, word: 1, quoted: 2, text: 3 } as const;

const { word, quoted, text } = painted;
/** Kinds of syntax nodes. Nodes of other types leave their characters to their children. */
export const kindOfNode: { readonly [Type in SyntaxNode['type']]?: number } = {
  Word: word,
  Assignment: word,
  Redirect: word,
  HereString: word,
  HereDoc: word,
  Time: word,
  Negation: word,
  SingleQuoted: quoted,
  AnsiCQuoted: quoted,
  DoubleQuoted: text,
  LocaleString: text,
  TestCommand: text,
  ArithmeticCommand: text,
  ArithmeticExpansion: text,
  ArithmeticWord: text,
  ArithmeticBinary: text,
  ArithmeticUnary: text,
  ArithmeticTernary: text,
  ArithmeticGroup: text,
};

export function createCoverage(text: string): Coverage {
  return { kinds: new Uint8Array(text.length), openings: new Set() };
}

/** Returns at most one position of the text that nothing accounts for. */
export function uncovered(text: string, coverage: Coverage): number | undefined {
  return lostText(text, coverage) ?? lostSubstitution(text, coverage);
}

/**
 * A backtick, `$(`, `${`, `$[`, `<(` or `>(`, and its escapes. The parser sometimes misses one whose `$` is before a
 * line continuation.
 */
const opening = /(?<!\\)(\\*)(`|\$(?:\\\n|[({[])|[<>](?:\\\n)*\()/gu;

function lostSubstitution(text: string, { kinds, openings }: Coverage): number | undefined {
  if (!/[`(]|\$[{[\\]/u.test(text)) return undefined;
  for (const match of text.matchAll(opening)) {
    const [, escapes = '', found = ''] = match;
    const at = match.index + escapes.length;
    if ((openings.has(at) && !found.endsWith('\n')) || escapes.length % 2 === 1) continue;
    if (kinds[at] === painted.quoted || kinds[at] === comment) continue;
    // In double quotes, here-documents and arithmetic, these are characters or comparisons.
    if (/^[<>]/u.test(found) && kinds[at] === painted.text) continue;
    return at;
  }
  return undefined;
}

const comment = 4;

/** Everything that may separate words. */
const between =
  /[ \t\n;&|(){}!]+|\\\n|(?:\[\[|\]\]|\(\(|\)\)|if|then|elif|else|fi|for|in|do|done|case|esac|while|until|select|function|coproc)(?![^\s;&|()<>])/uy;

function lostText(text: string, { kinds }: Coverage): number | undefined {
  let at = 0;
  while (at < text.length) {
    at = kinds.indexOf(painted.gap, at);
    if (at < 0) return undefined;
    const next =
      text.charCodeAt(at) === 35 && beginsWord(text, at) ? endOfLine(text, kinds, at) : afterSeparator(text, at);
    if (next === undefined) return at;
    at = next;
  }
  return undefined;
}

function afterSeparator(text: string, at: number): number | undefined {
  between.lastIndex = at;
  return between.test(text) ? between.lastIndex : undefined;
}

/** A comment, in which nothing runs. */
function endOfLine(text: string, kinds: Uint8Array, at: number): number {
  const newline = text.indexOf('\n', at);
  const end = newline < 0 ? text.length : newline;
  for (let place = at; place < end; place++) if (kinds[place] === painted.gap) kinds[place] = comment;
  return end;
}

function beginsWord(text: string, at: number): boolean {
  return at === 0 || /[\s;&|()]/u.test(text.charAt(at - 1));
}

/**
 * The text that the positions of some nodes refer to. A script in backticks with escapes has its own decoded text.
 * `stands` is then the position of that script in the original text, and every span below it is that one.
 */
export interface SourceText {
  readonly text: string;
  readonly stands: TimeSpan | undefined;
  readonly coverage: Coverage;
}

export function spanIn(source: SourceText, node: { readonly pos: number; readonly end: number }): TimeSpan {
  // In a text that ends too early, the parser's positions may be beyond its end.
  const end = Math.min(node.end, source.text.length);
  return source.stands ?? { start: Math.min(node.pos, end), end };
}
