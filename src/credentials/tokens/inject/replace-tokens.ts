import { isToken } from '../read-token-answer.ts';
import type { TokenName } from '../types.ts';
import { replaceFields } from './form-fields.ts';
import { replaceStrings } from './json-strings.ts';

export interface TokenAnswerText {
  /** One character for each byte. */
  readonly text: string;
  /** The media type that the server says; empty where it says none. */
  readonly type: string;
}

/** `other`: neither JSON nor a form. `unreadable`: it holds what is called a token, and is none. */
export type ReplacedTokens = { readonly kind: 'replaced'; readonly text: string } | { readonly kind: 'other' } | { readonly kind: 'unreadable' };

/** The answer to a token request with what stands for its tokens. Undefined from `phantomOf` makes it unreadable. */
export function replaceTokens({ text, type }: TokenAnswerText, names: ReadonlySet<string>, phantomOf: (name: TokenName, token: string) => string | undefined): ReplacedTokens {
  let isReadable = true;
  const replacement = (key: string, value: string | null | undefined): string | undefined => {
    const name = snakeCase(key);
    if (!isNamed(names, name) || value === null || value === '') return undefined;
    const phantom = isToken(value) ? phantomOf(name, value) : undefined;
    if (phantom === undefined) isReadable = false;
    return phantom;
  };
  const replaced = replaceStrings(text, replacement) ?? (isForm(text, type, names) ? replaceFields(text, replacement) : undefined);
  if (!isReadable) return { kind: 'unreadable' };
  return replaced === undefined ? { kind: 'other' } : { kind: 'replaced', text: replaced };
}

function isNamed(names: ReadonlySet<string>, name: string): name is TokenName {
  return names.has(name);
}

/** Some servers write `accessToken`, and many clients do not mind the case. */
function snakeCase(key: string): string {
  return key.replaceAll(/([a-z])([A-Z])/gu, '$1_$2').toLowerCase();
}

/** GitHub answers with a form where nobody asks for JSON, and some servers call theirs plain text. What looks like broken JSON is none. */
function isForm(text: string, type: string, names: ReadonlySet<string>): boolean {
  if (looksLikeJson(text)) return false;
  return type === 'application/x-www-form-urlencoded' || [...new URLSearchParams(text).keys()].some((name) => names.has(snakeCase(name)));
}

/** Programs differ in what they take for JSON: some read no further than its end, some skip what stands before it. */
export function looksLikeJson(text: string): boolean {
  return /^[^\w<%]*[[{"]/u.test(text);
}
