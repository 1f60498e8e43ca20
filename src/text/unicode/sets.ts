import { codePointSet, densePointSet } from './code-point-set.ts';
import * as tables from './tables.ts';

export const isDefaultIgnorable = codePointSet(tables.defaultIgnorable);
export const isVariationSelector = codePointSet(tables.variationSelector);
export const isUnassigned = codePointSet(tables.unassigned);
export const isPrivateUse = codePointSet(tables.privateUse);
export const isLetter = codePointSet(tables.letterCategory);
export const isMark = codePointSet(tables.mark);
export const isRightToLeft = codePointSet(tables.rightToLeft);
/** Excludes digits, `#`, `*` and the letters of flags, because other rules apply to their selectors. */
export const isEmoji = densePointSet(tables.emoji);
export const isUnifiedIdeograph = codePointSet(tables.unifiedIdeograph);
export const isVirama = codePointSet(tables.virama);
/** Letters that connect to a neighbour: Arabic, Syriac, N'Ko, Mongolian and others. */
export const isJoining = codePointSet(tables.joining);
export const isMongolianLetter = codePointSet(tables.mongolianLetter);
/** Thai, Khmer, Lao, Burmese and other scripts, which put U+200B at the end of a word. */
export const isUnspaced = codePointSet(tables.unspaced);
/** Characters that NFC may combine with the character before, or replace. */
export const isComposing = codePointSet(tables.composing);
export const isNeverComposed = codePointSet(tables.neverComposed);
