import type { TimeSpan, StaticWord, Word } from '../types.ts';

/** Returns the word as a person wrote it, or close enough to recognise it. */
export function wordAsTyped(word: Word): string {
  if (word.kind !== 'static') return word.text;
  return word.lead === 'home' ? `~${word.value}` : word.value;
}

/** Returns the word's text if the program gets exactly that text, so not with a leading home directory. */
export function plainText(word: Word | undefined): string | undefined {
  return word?.kind === 'static' && word.lead === undefined ? word.value : undefined;
}

export function staticWord(value: string, span: TimeSpan = { start: 0, end: 0 }): StaticWord {
  return { kind: 'static', value, span };
}

/**
 * Whether the program may get more or fewer than one word. A double-quoted expansion is one word, unless it is a list
 * (`"$@"`, `"${a[@]}"`), or the name of one (`"${!a}"`).
 */
export function mayBeSeveral(word: Word): boolean {
  if (word.kind === 'static') return false;
  if (word.kind === 'glob') return true;
  if (word.starts === 'name-alone' || word.starts === 'number') return false;
  return !isPipe(word) && !/^[\w./:,=%@-]*"(?:(?!\$\{!)[^"@])*"[\w./:,=%@-]*$/u.test(word.text);
}

/**
 * Whether the program's first word may look like an option. A quoted word that begins with a letter, a digit, `_`, `.`
 * or `/` stays one word and begins so.
 */
export function mayBeOption(word: Word): boolean {
  if (word.kind === 'static') return word.lead === undefined && word.value.startsWith('-');
  // Numbers of the shell: a process, a status, a count, a user. No text can set them.
  if (/^"?\$(?:[!?$#]|E?UID|PPID|\{(?:[!?$#]|E?UID|PPID)\})"?$/u.test(word.text)) return false;
  // Below zero it is an option of digits, which no program takes for more than a count.
  if (/^\d/u.test(numberedText(word) ?? '')) return false;
  if (word.kind === 'glob') return word.prefix === '' || word.prefix.startsWith('-');
  if (word.starts !== undefined && word.starts !== 'number' && !mayBeSeveral(word)) return false;
  return !isPipe(word) && (mayBeSeveral(word) || !/^"?[\w./:,=%@]/u.test(word.text));
}

/** The text of a word whose only unknown parts are numbers, with 1 for each: `"$((n - 5)),$((n + 5))p"`. */
export function numberedText(word: Word): string | undefined {
  if (word.kind !== 'dynamic' || word.because !== 'arithmetic') return undefined;
  const text = word.text
    .replace(/\$\(\([^()"'`\\]*(?:\([^()"'`\\]*\)[^()"'`\\]*)*\)\)/gu, '1')
    .replace(/^"([^"]*)"$/u, '$1');
  return /["'`$\\*?[\]{}~\s()]/u.test(text) ? undefined : text;
}

/** Whether a file of this name holds another process's output: a dash, or a descriptor by its name. */
export function isInput(name: string | undefined): boolean {
  return name !== undefined && /^(?:-|\/dev\/(?:stdin|fd\/\d+)|\/proc\/(?:self|thread-self)\/fd\/\d+)$/u.test(name);
}

/** `<(COMMAND)`, and nothing behind it: the name of a pipe below /dev/fd. Its command is an invocation of its own. */
export function isPipe(word: Word): boolean {
  if (word.kind !== 'dynamic' || !/^<\([^\\]*\)$/su.test(word.text)) return false;
  let depth = 0;
  for (let at = 1; at < word.text.length; at++) {
    const character = word.text.charAt(at);
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (depth === 0) return at === word.text.length - 1;
  }
  return false;
}
