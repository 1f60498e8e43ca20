import type { TextForm } from '../../types.ts';
import { codePointSet } from '../../unicode/code-point-set.ts';
import { isEmoji, isMongolianLetter, isUnifiedIdeograph, isVariationSelector } from '../../unicode/sets.ts';
import { pointAt, pointBefore, unitsOf } from '../../unicode/points.ts';

const textSelector = 0xfe0e;
const emojiSelector = 0xfe0f;
const keycap = 0x20e3;

/**
 * Returns the end of a single selector that chooses a form of the character before it. Two in a row have no meaning.
 */
export function keepSelector(text: string, at: number): number {
  const selector = pointAt(text, at);
  const end = at + unitsOf(selector);
  const base = pointBefore(text, at);
  const after = pointAt(text, end);
  if (isVariationSelector(after)) return at;
  return selects({ base, selector, after }) ? end : at;
}

function selects({
  base,
  selector,
  after,
}: {
  readonly base: number;
  readonly selector: number;
  readonly after: number;
}): boolean {
  if (selector === textSelector || selector === emojiSelector)
    return isEmoji(base) || (isKeycapBase(base) && after === keycap);
  if (selector < 0x1810) return isMongolianLetter(base);
  if (isUnifiedIdeograph(base)) return selector <= 0xfe02 || selector >= 0xe0100;
  return isStandardizedVariant(base, selector);
}

function isKeycapBase(point: number): boolean {
  return (point >= 0x30 && point <= 0x39) || point === 0x23 || point === 0x2a;
}

/**
 * Returns whether StandardizedVariants.txt of Unicode 17 lists the pair. Emoji, ideographs and Mongolian are handled
 * elsewhere.
 */
export function isStandardizedVariant(base: number, selector: number): boolean {
  return variants.some(({ bases, selectors }) => selectors(selector) && bases(base));
}

const variants = [
  // Symbols of mathematics, and the zero with a stroke.
  {
    bases:
      '30,2205,2229-222a,2268-2269,2272-2273,228a-228b,2293-2295,2297,229c,22da-22db,2a3c-2a3d,2a9d-2a9e,2aac-2aad,2acb-2acc',
    selectors: 'fe00',
  },
  // Script capitals: chancery and roundhand.
  {
    bases: '210b,2110,2112,211b,212c,2130-2131,2133,1d49c,1d49e-1d49f,1d4a2,1d4a5-1d4a6,1d4a9-1d4ac,1d4ae-1d4b5',
    selectors: 'fe00-fe01',
  },
  // Myanmar letters with a dot, for Aiton, Khamti and Phake.
  {
    bases:
      '1000,1002,1004,1010-1011,1015,1019-101a,101c-101d,1022,1031,1075,1078,107a,1080,aa60-aa66,aa6b-aa6c,aa6f,aa7a',
    selectors: 'fe00',
  },
  // Phags-pa, Manichaean.
  { bases: 'a856,a85c,a85e-a860,a868,10ac5-10ac6,10ad6-10ad7,10ae1', selectors: 'fe00' },
  // Positions of quotation marks and punctuation within the square, between Chinese characters.
  { bases: '2018-2019,201c-201d,3001-3002,ff01,ff0c,ff0e,ff1a-ff1b,ff1f', selectors: 'fe00-fe01' },
  // Rotated Egyptian hieroglyphs. All of them, because each version of Unicode lists more.
  { bases: '13000-1342f,13460-143fa', selectors: 'fe00-fe06' },
].map(({ bases, selectors }) => ({ bases: codePointSet(bases), selectors: codePointSet(selectors) }));

/** Returns whether a Hangul filler replaces a missing jamo, or a Braille blank is between two cells. */
export function keepFiller(text: string, at: number, form: TextForm): boolean {
  const point = text.charCodeAt(at);
  const before = pointBefore(text, at);
  const after = pointAt(text, at + 1);
  if (point === 0x2800) return form !== 'name' && isBrailleCell(before) && isBrailleCell(after);
  if (point === choseongFiller)
    return isVowelJamo(after) || (after === jungseongFiller && isFinalJamo(pointAt(text, at + 2)));
  if (point === jungseongFiller) return isInitialJamo(before) || (before === choseongFiller && isFinalJamo(after));
  return false;
}

const choseongFiller = 0x115f;
const jungseongFiller = 0x1160;

function isBrailleCell(point: number): boolean {
  return point > 0x2800 && point <= 0x28ff;
}

function isInitialJamo(point: number): boolean {
  return (point >= 0x1100 && point < choseongFiller) || (point >= 0xa960 && point <= 0xa97c);
}

function isVowelJamo(point: number): boolean {
  return (point > jungseongFiller && point <= 0x11a7) || (point >= 0xd7b0 && point <= 0xd7c6);
}

function isFinalJamo(point: number): boolean {
  return (point >= 0x11a8 && point <= 0x11ff) || (point >= 0xd7cb && point <= 0xd7fb);
}
