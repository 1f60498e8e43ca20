/**
 * A text for one line, in which everything shows: line breaks would forge a line of the explanation, escapes would repaint it,
 * and blanks of other kinds would part words that are one.
 */
export function printable(text: string): string {
  return /^[\x20-\x7e]*$/u.test(text) ? text : text.replaceAll(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

const hidden = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs}/gu;
