import type { Word } from '../types.ts';
import { printable } from './printable.ts';

/** A word as it could be typed; words that are not known stand as they were written. */
export function quoted(word: Word): string {
  if (word.kind !== 'static') return printable(word.text);
  const text = printable(word.value);
  if (word.lead === 'home') return `~${bare.test(text) || text === '' ? text : inQuotes(text)}`;
  return bare.test(text) ? text : inQuotes(text);
}

const bare = /^[\w@%+=:,./-]+$/u;

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
