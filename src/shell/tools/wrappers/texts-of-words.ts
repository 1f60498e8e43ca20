import type { DynamicWord, Opacity, StaticWord, Word } from '../../types.ts';
import type { Refinement } from '../types.ts';

/**
 * Returns the shell text that a program makes of its words by joining them with blanks: `watch`, `eval`, `entr -s`.
 * Undefined if a word is unknown.
 */
export function joinedText(words: readonly Word[]): StaticWord | undefined {
  const values = words.map((word) => (word.kind === 'static' && word.lead === undefined ? word.value : undefined));
  if (values.includes(undefined)) return undefined;
  return {
    kind: 'static',
    value: values.join(' '),
    span: { start: words[0]?.span.start ?? 0, end: words.at(-1)?.span.end ?? 0 },
  };
}

/** Reads `words` as one shell text. */
export function runsJoined(program: string, words: readonly Word[]): Refinement {
  const text = joinedText(words);
  return text === undefined
    ? { opaque: [because('inline-code', `\`${program}\` runs a shell text that is not static`, words)] }
    : { scripts: [text] };
}

/** Returns a reason at the place of `words`. */
export function because(kind: Opacity['kind'], message: string, words: readonly Word[]): Opacity {
  return { kind, message, span: { start: words[0]?.span.start ?? 0, end: words.at(-1)?.span.end ?? 0 } };
}

/** A word that only the running program knows: `xargs` reads it from its input. */
export function inputWord(text: string, beside: Word | undefined): DynamicWord {
  const end = beside?.span.end ?? 0;
  return { kind: 'dynamic', text, because: 'expansion', span: { start: end, end } };
}

/** Without a command, these programs start a shell that runs its input. */
export const orShell =
  (program: string) =>
  (operands: readonly Word[]): Refinement =>
    operands.length > 0
      ? {}
      : { opaque: [because('stdin-code', `\`${program}\` without a command starts a shell that reads its input`, [])] };
