import { isShown } from './classes.ts';

/** The text on one line, with all that does not show written as `\u{…}`, and cut at `most` characters. */
export function printable(text: string, most: number): string {
  let told = '';
  let count = 0;
  for (const char of text) {
    if (count++ === most) return `${told}…`;
    const point = char.codePointAt(0)!;
    told += point >= 0x20 && isShown(point) ? char : `\\u{${point.toString(16)}}`;
  }
  return told;
}
