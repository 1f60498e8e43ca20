import type { RuleLead } from '../types.ts';
import { isHexDigit, isWord, wordOrDash } from './characters.ts';

const backslash = 92;
const dash = 45;
const percent = 37;

/**
 * Returns true if `at` is not inside a word. Escapes (`\n`, `\u003d`, `%3D`) do not count as words, and neither does
 * the dash that begins a line of a diff.
 */
export function startsFree(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before === dash) return at === 1 || text[at - 2] === '\n';
  return !isWord(before) || isBehindEscape(text, at);
}

/** Returns true if the word ends at `end`. */
export function endsFree(text: string, end: number): boolean {
  return !isWord(text.charCodeAt(end));
}

/** Escapes of strings in source code, of JSON in JSON, and of URLs. */
function isBehindEscape(text: string, at: number): boolean {
  if (text.charCodeAt(at - 2) === backslash) return 'nrtbfv0'.includes(text[at - 1] ?? ' ');
  if (text.charCodeAt(at - 3) === percent) return isHex(text, at - 2, at);
  return text.charCodeAt(at - 6) === backslash && text[at - 5] === 'u' && isHex(text, at - 4, at);
}

function isHex(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (!isHexDigit(text.charCodeAt(at))) return false;
  }
  return true;
}

export function literalLead(text: string): RuleLead {
  return [...text];
}

/** Returns the characters of a prefix, followed by any one character of a key. */
export function keyLead(prefix: string): RuleLead {
  return [...prefix, wordOrDash];
}

export function repeatedLead(characters: string, count: number): RuleLead {
  return Array.from({ length: count }, () => characters);
}

/** Returns where a match of a form at `at` ends. Undefined if it does not match. The form is sticky. */
export function formEnd(form: RegExp, text: string, at: number): number | undefined {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : undefined;
}

const before = 64;
const after = 32;

/**
 * Returns true if one of the words is near a span: in the 64 characters before it or the 32 after it. The words are a
 * pattern for text in lower case.
 */
export function hasNear(text: string, span: { readonly start: number; readonly end: number }, words: RegExp): boolean {
  return (
    words.test(text.slice(Math.max(0, span.start - before), span.start).toLowerCase()) ||
    words.test(text.slice(span.end, span.end + after).toLowerCase())
  );
}
