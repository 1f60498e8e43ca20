import type { Opacity } from '../types.ts';

/** Characters that a person does not see, or that the shell does not read as it looks. At most one is named. */
export function hiddenCharacters(text: string): readonly Opacity[] {
  const at = plain.test(text) ? -1 : firstHidden(text);
  if (at < 0) return [];
  const code = text.codePointAt(at) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return [{ kind: 'syntax', message: `the command holds a hidden character, ${name}`, span: { start: at, end: at + (code > 0xff_ff ? 2 : 1) } }];
}

const plain = /^[\t\n\x20-\x7e]*$/u;

/** A carriage return is part of a word for the shell, and the end of a line for who reads it. Spaces of other scripts do not part words. */
const hidden = /[^\P{C}\t\n]|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u{2800}\u{FFFC}]|[^\P{Zs} ]/gu;

/** What emoji and Persian need in a message. The exceptions show, so that they hide nothing. */
const shown = /(?<=\p{Emoji})\u{FE0F}|(?<=\p{Extended_Pictographic}\u{FE0F}?\p{Emoji_Modifier}?)\u{200D}(?=\p{Extended_Pictographic})|(?<=\p{Script=Arabic})\u{200C}(?=\p{Script=Arabic})/gu;

function firstHidden(text: string): number {
  const allowed = new Set([...text.matchAll(shown)].map(({ index }) => index));
  for (const { index } of text.matchAll(hidden)) if (!allowed.has(index)) return index;
  return -1;
}
