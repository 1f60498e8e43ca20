import { HoldfastError } from '../../errors/index.ts';

export interface ValueEntry {
  readonly key: string;
  readonly value: unknown;
  readonly at: string;
}

/** Returns the keys of a table with their full names. Throws for another kind of value. */
export function valueEntries(value: unknown, at: string): readonly ValueEntry[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unexpected(at, 'a table of keys', value);
  return Object.entries(value).map(([key, each]) => ({
    key,
    value: each,
    at: at === '' ? shown(key) : `${at}.${shown(key)}`,
  }));
}

export interface TextEntry {
  readonly text: string;
  readonly at: string;
}

/** Returns a list of texts. */
export function importedTexts(value: unknown, at: string): readonly TextEntry[] {
  return itemsOf(value, at).map(({ value: each, at: place }) => ({ text: importedText(each, place), at: place }));
}

/** Returns a list of texts, or one text as a list. */
export function oneOrMore(value: unknown, at: string): readonly TextEntry[] {
  return typeof value === 'string' ? [{ text: value, at }] : importedTexts(value, at);
}

export function itemsOf(value: unknown, at: string): readonly Omit<ValueEntry, 'key'>[] {
  if (!Array.isArray(value)) throw unexpected(at, 'a list', value);
  if (value.length > mostItems)
    throw new HoldfastError('HF_POLICY_TOO_LARGE', `${at} has ${value.length} entries, ${mostItems} are read`, {
      remedy: 'split the file',
    });
  return value.map((each: unknown, index) => ({ value: each, at: `${at}[${index}]` }));
}

const mostItems = 2000;

export function importedText(value: unknown, at: string): string {
  if (typeof value !== 'string') throw unexpected(at, 'a text', value);
  return value;
}

function unexpected(at: string, expected: string, value: unknown): HoldfastError {
  const found = Array.isArray(value) ? 'a list' : value === null ? 'nothing' : `a ${typeof value}`;
  return new HoldfastError(
    'HF_POLICY_INVALID',
    `${at === '' ? 'the file' : at} has to be ${expected}, and is ${found}`,
    { remedy: 'correct the file: none of it was imported' },
  );
}

/** Escapes a key of a third-party file for our comments. */
function shown(key: string): string {
  return /^[\w$-]{1,60}$/u.test(key) ? key : JSON.stringify(key.slice(0, 60)).replaceAll(/[^ -~]/gu, '?');
}
