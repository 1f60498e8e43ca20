import { type Signal, signals } from './signals.ts';

export interface Likeness {
  /** 0: nothing of an instruction; 1: everything speaks for one. */
  readonly score: number;
  /** What spoke for it, with the words, at most 80 characters of them. */
  readonly signals: readonly { readonly name: string; readonly text: string }[];
}

/** What is read: names and descriptions are shorter, and what is not should be told at its start. */
const mostRead = 20_000;
const mostTold = 80;

/**
 * How much a name or a tool's description speaks to the model instead of describing something. It is told and journalled,
 * and nothing is decided by it: every wording can be changed to one that no table knows.
 */
export function instructionLikeness(text: string): Likeness {
  // Names join words by signs; blanks make them words.
  const read = text.slice(0, mostRead).normalize('NFKC').replaceAll(/[_\-./\\+]+/gu, (signs) => (signs.length === 1 ? signs.replace(/[_\-+]/u, ' ') : signs));
  const found = signals.flatMap((signal) => matchOf(signal, read));
  // Independent signals: each leaves a share of the doubt.
  const doubt = found.reduce((rest, { weight }) => rest * (1 - weight), 1);
  return { score: Math.round((1 - doubt) * 100) / 100, signals: found.map(({ name, text }) => ({ name, text })) };
}

function matchOf({ name, weight, pattern }: Signal, text: string): readonly { readonly name: string; readonly weight: number; readonly text: string }[] {
  const found = pattern.exec(text);
  return found === null ? [] : [{ name, weight, text: found[0].slice(0, mostTold) }];
}
