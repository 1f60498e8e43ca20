import { pointAt, pointBefore, unitsOf } from '../../unicode/points.ts';
import { isEmoji, isMongolianLetter, isUnifiedIdeograph, isVariationSelector } from '../../unicode/sets.ts';
import { isStandardizedVariant } from './standardized-variants.ts';

const textSelector = 0xfe0e;
const emojiSelector = 0xfe0f;
const keycap = 0x20e3;

/** The end of the one selector that chooses a form of the character before it; two in a row choose nothing. */
export function keepSelector(text: string, at: number): number {
  const selector = pointAt(text, at);
  const end = at + unitsOf(selector);
  const base = pointBefore(text, at);
  const after = pointAt(text, end);
  if (isVariationSelector(after)) return at;
  return selects({ base, selector, after }) ? end : at;
}

function selects({ base, selector, after }: { readonly base: number; readonly selector: number; readonly after: number }): boolean {
  if (selector === textSelector || selector === emojiSelector) return isEmoji(base) || (isKeycapBase(base) && after === keycap);
  if (selector < 0x1810) return isMongolianLetter(base);
  if (isUnifiedIdeograph(base)) return selector <= 0xfe02 || selector >= 0xe0100;
  return isStandardizedVariant(base, selector);
}

function isKeycapBase(point: number): boolean {
  return (point >= 0x30 && point <= 0x39) || point === 0x23 || point === 0x2a;
}
