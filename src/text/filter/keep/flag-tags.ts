import { once } from '../../unicode/once.ts';
import { pointBefore } from '../../unicode/points.ts';
import { flagTags } from '../../unicode/tables.ts';

const blackFlag = 0x1f3f4;

/** The end of the tags of England's, Scotland's or Wales' flag; any other text of tags is a hidden one. */
export function keepFlagTags(text: string, at: number): number {
  if (pointBefore(text, at) !== blackFlag) return at;
  const tags = known().find((sequence) => text.startsWith(sequence, at));
  return tags === undefined ? at : at + tags.length;
}

const known = once(() => flagTags.split(' ').map((ascii) => [...ascii, '\u007f'].map((char) => String.fromCodePoint(0xe0000 + char.codePointAt(0)!)).join('')));
