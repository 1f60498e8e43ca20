import type { Opacity, Word } from '../../types.ts';
import { shown, textOf } from '../words.ts';

/**
 * Builtins that take names of variables evaluate a subscript in them: `unset 'a[$(id)]'` runs `id`. A plain name, or one with
 * a plain subscript, is none of that.
 */
export function nameReasons(tool: string, words: readonly Word[]): readonly Opacity[] {
  return words.flatMap((word): readonly Opacity[] => {
    const text = textOf(word) ?? (word.kind === 'dynamic' ? word.text.replace(/^"/u, '') : shown(word));
    const name = /^[^=]*?(?=\+?=|$)/u.exec(text)?.[0] ?? text;
    const isAssignment = text.length > name.length;
    if (/^[A-Za-z_]\w*(?:\[[\w@*]*\])?$/u.test(name) && (word.kind === 'static' || isAssignment)) return [];
    const kind = word.kind === 'static' ? 'inline-code' : 'dynamic-word';
    return [{ kind, message: `\`${shown(word)}\` of \`${tool}\` is no plain name of a variable`, span: word.span }];
  });
}
