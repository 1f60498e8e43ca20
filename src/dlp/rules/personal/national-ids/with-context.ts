import { endOf } from '../../lib/at.ts';
import { endsFree, startsFree } from '../../lib/boundaries.ts';
import { hasNear } from '../../lib/context.ts';
import type { Lead, Rule } from '../../types.ts';

export interface IdForm {
  readonly name: string;
  readonly lead: Lead;
  /** Sticky, from the beginning of the number. */
  readonly form: RegExp;
  /** Of the number without blanks, dots, dashes and slashes, in upper case. */
  readonly check: (value: string) => boolean;
  /** One of them must stand near it. In lower case. */
  readonly words: RegExp;
  readonly sources: readonly string[];
}

/** A rule of numbers that are too much like others to be told without a word near them. */
export function withContext({ name, lead, form, check, words, sources }: IdForm): Rule {
  return {
    name,
    leads: [lead],
    match(text, at) {
      if (!startsFree(text, at) || '.-'.includes(text[at - 1] ?? ' ')) return undefined;
      const end = endOf(form, text, at);
      if (end === undefined || !endsFree(text, end)) return undefined;
      const isOne = check(text.slice(at, end).replaceAll(/[ ./-]/gu, '').toUpperCase()) && hasNear(text, { start: at, end }, words);
      return isOne ? { start: at, end } : undefined;
    },
    sources,
  };
}
