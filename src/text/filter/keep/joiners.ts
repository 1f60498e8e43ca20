import { isShown } from '../../unicode/classes.ts';
import { once } from '../../unicode/code-point-set.ts';
import {
  isDefaultIgnorable,
  isEmoji,
  isJoining,
  isLetter,
  isMark,
  isMongolianLetter,
  isUnspaced,
  isVirama,
} from '../../unicode/sets.ts';
import { noPoint, pointAt, pointBefore, unitsOf } from '../../unicode/points.ts';
import { joinedEmoji } from '../../unicode/tables.ts';

const wordEnd = 0x200b;
const nonJoiner = 0x200c;
const joiner = 0x200d;
const mongolianVowelSeparator = 0x180e;
/** Most marks on a letter. No letter of a living script has more. */
const mostMarks = 8;

/**
 * Returns the end of a single joiner that changes the display. It is between letters that join (Persian), at a virama
 * (Hindi, Bengali, Sinhala), or inside an emoji. It may also be at the end of a word in a script without spaces. The
 * rules are those of UAX #31, section 2.3, but wider at the end of a word and before a virama, as people write.
 */
export function keepJoiner(text: string, at: number): number {
  if (text.charCodeAt(at) === joiner) {
    const emojiEnd = isLetter(pointBefore(text, at)) ? at : keepJoinedEmoji(text, at);
    if (emojiEnd > at) return emojiEnd;
  }
  return joinsLetters(text, at) ? at + 1 : at;
}

function joinsLetters(text: string, at: number): boolean {
  const before = pointBefore(text, at);
  const after = pointAt(text, at + 1);
  if (isHidden(before) || isHidden(after)) return false;
  const isBetweenUnspaced = isUnspaced(before) && isUnspaced(after);
  switch (text.charCodeAt(at)) {
    case wordEnd:
      return isBetweenUnspaced;
    case mongolianVowelSeparator:
      return isMongolianLetter(before) && isMongolianLetter(after);
    case nonJoiner:
      return (
        isBetweenUnspaced ||
        (isJoining(letterBefore(text, at)) && isJoining(letterAfter(text, at + 1))) ||
        isAtVirama(text, at)
      );
    case joiner:
      return (
        isBetweenUnspaced ||
        isJoining(letterBefore(text, at)) ||
        isJoining(letterAfter(text, at + 1)) ||
        isAtVirama(text, at)
      );
    default:
      return false;
  }
}

/** Two invisible characters in a row are never part of a spelling. */
function isHidden(point: number): boolean {
  return point !== noPoint && !isShown(point);
}

function isAtVirama(text: string, at: number): boolean {
  return hasViramaBefore(text, at) || (isVirama(pointAt(text, at + 1)) && letterBefore(text, at) > 0x7f);
}

function hasViramaBefore(text: string, at: number): boolean {
  let end = at;
  for (let count = 0; count < mostMarks; count++) {
    const point = pointBefore(text, end);
    if (isVirama(point)) return true;
    if (!isShownMark(point)) return false;
    end -= unitsOf(point);
  }
  return false;
}

/** Returns the letter that carries the marks before `at`. */
function letterBefore(text: string, at: number): number {
  let end = at;
  for (let count = 0; count <= mostMarks; count++) {
    const point = pointBefore(text, end);
    if (!isShownMark(point)) return point;
    end -= unitsOf(point);
  }
  return noPoint;
}

function letterAfter(text: string, at: number): number {
  let start = at;
  for (let count = 0; count <= mostMarks; count++) {
    const point = pointAt(text, start);
    if (!isShownMark(point)) return point;
    start += unitsOf(point);
  }
  return noPoint;
}

function isShownMark(point: number): boolean {
  return isMark(point) && !isDefaultIgnorable(point);
}

const emojiSelector = 0xfe0f;
/** In code points. The longest sequence has ten. */
const longest = 16;

/**
 * Returns the end of the sequence around the joiner at `at`, if Unicode lists the whole chain as one emoji, and `at`
 * otherwise. Joined emoji that no font shows as one could hide data.
 */
export function keepJoinedEmoji(text: string, at: number): number {
  const start = startOfChain(text, at);
  const end = endOfChain(text, start);
  if (end <= at) return at;
  const skeleton = skeletonOf(text.slice(start, end));
  // A skin tone after the last emoji is a separate character, as after any other character.
  return known().has(skeleton) || (skeleton.endsWith('m') && known().has(skeleton.slice(0, -1))) ? end : at;
}

/** Sequences in the notation of the tables: skin tones as `m`, without U+FE0F. */
const known = once(
  () => new Set(joinedEmoji.split(' ').map((sequence) => sequence.split('+').map(partOf).join('\u200d'))),
);

function partOf(written: string): string {
  const char = String.fromCodePoint(Number.parseInt(written, 16));
  return written.endsWith('m') ? `${char}m` : char;
}

function startOfChain(text: string, at: number): number {
  let start = at;
  for (let count = 0; count < longest; count++) {
    const point = pointBefore(text, start);
    if (!isPart(point)) return start;
    // An emoji before this one belongs to another sequence, unless a joiner connects them.
    if (start !== at && point !== joiner && isBase(pointAt(text, start))) return start;
    start -= unitsOf(point);
  }
  return at;
}

/** Returns the end of the chain, or `start` without a chain. */
function endOfChain(text: string, start: number): number {
  let at = start;
  let before = joiner;
  for (let count = 0; count <= longest; count++) {
    const point = pointAt(text, at);
    if (!isPart(point) || (isBase(point) && before !== joiner) || (isTone(point) && !isBase(before))) return at;
    // A doubled selector is a separate finding, and not part of an emoji.
    if (point === emojiSelector && before === emojiSelector) return start;
    before = point;
    at += unitsOf(point);
  }
  return start;
}

function skeletonOf(sequence: string): string {
  const bare = sequence.replaceAll('\ufe0f', '');
  return bare.includes('\ud83c') ? bare.replaceAll(/[\u{1f3fb}-\u{1f3ff}]/gu, 'm') : bare;
}

function isPart(point: number): boolean {
  return point === joiner || point === emojiSelector || isEmoji(point);
}

function isBase(point: number): boolean {
  return isEmoji(point) && !isTone(point);
}

function isTone(point: number): boolean {
  return point >= 0x1f3fb && point <= 0x1f3ff;
}
