import type { SecretRule, MatchSpan } from '../types.ts';
import { endsFree, keyLead, startsFree, formEnd } from './boundaries.ts';
import { isPlaceholder } from './placeholders.ts';

/** A key that begins with a prefix of its vendor. */
export interface KeyForm {
  readonly prefix: string;
  /**
   * Text after the prefix. The pattern is sticky, every quantifier is bounded, and no two adjacent quantifiers can
   * match the same character.
   */
  readonly body: RegExp;
  readonly check?: (body: string) => boolean;
}

export interface PrefixedRule {
  readonly name: string;
  readonly forms: readonly KeyForm[];
  readonly sources: readonly string[];
}

/**
 * Returns a rule for keys that are whole words, are not placeholders, and pass the check of their form if it has one.
 */
export function prefixed({ name, forms, sources }: PrefixedRule): SecretRule {
  return {
    name,
    leads: [...new Set(forms.map(({ prefix }) => prefix))].map(keyLead),
    match(text, at) {
      if (!startsFree(text, at)) return undefined;
      for (const form of forms) {
        const span = matchForm(form, text, at);
        if (span !== undefined) return span;
      }
      return undefined;
    },
    sources,
  };
}

function matchForm({ prefix, body, check }: KeyForm, text: string, at: number): MatchSpan | undefined {
  if (!text.startsWith(prefix, at)) return undefined;
  const start = at + prefix.length;
  const end = formEnd(body, text, start);
  if (end === undefined || !endsFree(text, end)) return undefined;
  const value = text.slice(start, end);
  return isPlaceholder(value) || check?.(value) === false ? undefined : { start: at, end };
}
