import { isShown } from '../../unicode/classes.ts';
import { noPoint, pointAt, pointBefore, unitsOf } from '../../unicode/points.ts';
import { isDefaultIgnorable, isJoining, isLetter, isMark, isMongolianLetter, isUnspaced, isVirama } from '../../unicode/sets.ts';
import { keepJoinedEmoji } from './joined-emoji.ts';

const wordEnd = 0x200b;
const nonJoiner = 0x200c;
const joiner = 0x200d;
const mongolianVowelSeparator = 0x180e;
/** No letter of a living script carries more. */
const mostMarks = 8;

/**
 * The end of a single joiner where it changes what is seen: between letters that join (Persian), at a virama (Hindi,
 * Bengali, Sinhala), inside an emoji; and the word ends of scripts without spaces. The rules are those of UAX #31,
 * section 2.3, wider where people's texts are: at the end of a word, and before a virama.
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
      return isBetweenUnspaced || (isJoining(letterBefore(text, at)) && isJoining(letterAfter(text, at + 1))) || isAtVirama(text, at);
    case joiner:
      return isBetweenUnspaced || isJoining(letterBefore(text, at)) || isJoining(letterAfter(text, at + 1)) || isAtVirama(text, at);
    default:
      return false;
  }
}

/** A second invisible character beside a joiner is never part of a spelling. */
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

/** The letter that the marks before `at` stand on. */
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
