import { ellipsis, type Look } from './look.ts';

/** Letters that terminals show in two columns: those of East Asia, and pictures. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6\p{Emoji_Presentation}]/u;
/** Marks that stand on the letter before them. */
const narrow = /^\p{M}$/u;
const plain = /^[ -~]*$/u;

/** How many columns of a terminal a text takes, whose hidden characters are escaped already. */
export function shownWidth(text: string): number {
  return plain.test(text) ? text.length : Array.from(text).reduce((sum, letter) => sum + letterWidth(letter), 0);
}

function letterWidth(letter: string): number {
  if (narrow.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
}

/** At most so wide, with a mark where the rest is left out. */
export function cutToWidth(
  text: string,
  { width, cut }: { readonly width: number; readonly cut: 'end' | 'start' | 'never' },
  look: Look,
): string {
  if (shownWidth(text) <= width) return text;
  const mark = ellipsis(look);
  const room = Math.max(0, width - mark.length);
  if (cut === 'start') return `${mark}${taken(Array.from(text).toReversed(), room).toReversed().join('')}`;
  return `${taken(Array.from(text), room).join('')}${mark}`;
}

/** As many of the letters as there is room for. */
function taken(letters: readonly string[], room: number): string[] {
  const kept: string[] = [];
  let left = room;
  for (const letter of letters) {
    left -= letterWidth(letter);
    if (left < 0) break;
    kept.push(letter);
  }
  return kept;
}
