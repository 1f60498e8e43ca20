import type { TimeSpan, StaticWord, Word } from '../types.ts';

/** As a person wrote the word, or near enough to recognise it. */
export function wordAsTyped(word: Word): string {
  if (word.kind !== 'static') return word.text;
  return word.lead === 'home' ? `~${word.value}` : word.value;
}

/** The word's text where the program gets exactly that text; a home directory in front is not. */
export function plainText(word: Word | undefined): string | undefined {
  return word?.kind === 'static' && word.lead === undefined ? word.value : undefined;
}

export function staticWord(value: string, span: TimeSpan = { start: 0, end: 0 }): StaticWord {
  return { kind: 'static', value, span };
}

/**
 * Whether the program may get another number of words than one. A double-quoted expansion is one word, whatever it
 * holds, unless it is a list (`"$@"`, `"${a[@]}"`), or the name of one (`"${!a}"`).
 */
export function mayBeSeveral(word: Word): boolean {
  if (word.kind === 'static') return false;
  return word.kind === 'glob' || !/^"(?:(?!\$\{!)[^"@])*"$/u.test(word.text);
}

/**
 * Whether the first word that the program gets may look like an option. A quoted word that begins with a letter, a
 * digit,
 * `_`, `.` or `/` stays one word and begins so.
 */
export function mayBeOption(word: Word): boolean {
  if (word.kind === 'static') return word.lead === undefined && word.value.startsWith('-');
  if (word.kind === 'glob') return word.prefix === '' || word.prefix.startsWith('-');
  return mayBeSeveral(word) || !/^"[\w./]/u.test(word.text);
}

/** Whether a file of this name is what another process writes: a dash, or a descriptor by its name. */
export function isInput(name: string | undefined): boolean {
  return name !== undefined && /^(?:-|\/dev\/(?:stdin|fd\/\d+)|\/proc\/(?:self|thread-self)\/fd\/\d+)$/u.test(name);
}
