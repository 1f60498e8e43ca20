import type { Word } from '../../types.ts';
import { parseScript } from '../parse-script.ts';

/** A word in a few characters: `x`, `~/x`, `glob(a*)`, `brace({a,b})`. */
export function describeWord(word: Word): string {
  if (word.kind === 'static') return word.lead === 'home' ? `~${word.value}` : word.value;
  return word.kind === 'glob' ? `glob(${word.prefix}|${word.text})` : `${word.because}(${word.text})`;
}

/** The commands of a text, each with its words separated by a blank. */
export function commandsOf(text: string): readonly string[] {
  return parseScript(text).invocations.map(({ argv }) => argv.map(describeWord).join(' '));
}

export function reasonsOf(text: string): readonly string[] {
  return parseScript(text).opaque.map(({ kind }) => kind);
}
