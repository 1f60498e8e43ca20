/** Words of command lines for the tests of specifications. */
import type { Word } from '../../types.ts';
import type { ParsedArguments } from '../types.ts';
import { wordAsTyped } from '../words.ts';

/**
 * Splits at blanks. Single quotes keep a static word together. A word with `$` is dynamic, a word with `*` or `?` is a
 * glob, and `~` and `~/…` lead home. This is no shell parser: it has only the parts that tests of specifications need.
 */
export function words(line: string): readonly Word[] {
  const found: Word[] = [];
  for (const match of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/gu)) {
    const text = match[0];
    const span = { start: match.index, end: match.index + text.length };
    if (text.includes("'")) found.push({ kind: 'static', value: text.replaceAll("'", ''), span });
    else if (text.includes('$')) found.push({ kind: 'dynamic', text, because: 'expansion', span });
    else if (/[*?]/u.test(text)) found.push({ kind: 'glob', text, prefix: /^[^*?]*/u.exec(text)?.[0] ?? '', span });
    else if (/^~(?:\/|$)/u.test(text)) found.push({ kind: 'static', value: text.slice(1), lead: 'home', span });
    else found.push({ kind: 'static', value: text, span });
  }
  return found;
}

export function shownOptions(parsed: ParsedArguments): readonly string[] {
  return parsed.options.map(({ spelled, value, words: command }) => {
    if (command !== undefined) return `${spelled}:${command.map(wordAsTyped).join(' ')}`;
    return value === undefined ? spelled : `${spelled}=${wordAsTyped(value)}`;
  });
}
