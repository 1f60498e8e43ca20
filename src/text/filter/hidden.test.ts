import { describe, expect, test } from 'vitest';
import type { FindingKind } from '../types.ts';
import { filterText } from './filter-text.ts';
import { findHidden } from './reject.ts';
import { asTags } from './testing/encode.ts';

/** Texts that a careless rule for emoji, joiners or directions would let through: [name, text, what reveal shows]. */
const hidden: readonly (readonly [name: string, text: string, shown: string, kind: FindingKind])[] = [
  ['zero-width blanks in a word', 'pass\u200bword', 'pass⟦U+200B⟧word', 'invisible'],
  ['three of them', 'a\u200b\u200b\u200bb', 'a⟦U+200B×3⟧b', 'invisible'],
  ['a mixed run', 'a\u200b\u200c\u200cb', 'a⟦U+200B U+200C×2⟧b', 'invisible'],
  ['a soft hyphen', 'co\u00adoperate', 'co⟦U+00AD⟧operate', 'invisible'],
  ['a word joiner', 'a\u2060b', 'a⟦U+2060⟧b', 'invisible'],
  ['a byte order mark inside', 'a\ufeffb', 'a⟦U+FEFF⟧b', 'invisible'],
  ['invisible multiplication', '2\u2062x', '2⟦U+2062⟧x', 'invisible'],
  ['a joiner between Latin letters', 'a\u200db', 'a⟦U+200D⟧b', 'invisible'],
  ['a non-joiner between Latin letters', 'a\u200cb', 'a⟦U+200C⟧b', 'invisible'],
  ['two joiners in Persian', 'می\u200c\u200cخواهم', 'می⟦U+200C×2⟧خواهم', 'invisible'],
  ['a joiner before a blank', 'a\u200d b', 'a⟦U+200D⟧ b', 'invisible'],
  ['a non-joiner at the end of a Persian word', 'می\u200c ', 'می⟦U+200C⟧ ', 'invisible'],
  ['a zero-width blank in Persian', 'می\u200bخواهم', 'می⟦U+200B⟧خواهم', 'invisible'],
  ['a zero-width blank between Thai and Latin', 'ไทย\u200bx', 'ไทย⟦U+200B⟧x', 'invisible'],
  ['two word ends in Thai', 'ไทย\u200b\u200bไทย', 'ไทย⟦U+200B×2⟧ไทย', 'invisible'],
  ['emoji that no font joins', '😀\u200d😀', '😀⟦U+200D⟧😀', 'invisible'],
  [
    'a family of six',
    '👨\u200d👩\u200d👧\u200d👦\u200d👦\u200d👦',
    '👨⟦U+200D⟧👩⟦U+200D⟧👧⟦U+200D⟧👦⟦U+200D⟧👦⟦U+200D⟧👦',
    'invisible',
  ],
  ['a joiner after an emoji', '👩\u200d', '👩⟦U+200D⟧', 'invisible'],
  ['a joiner before an emoji', '\u200d💻', '⟦U+200D⟧💻', 'invisible'],
  ['two joiners in an emoji', '👩\u200d\u200d💻', '👩⟦U+200D×2⟧💻', 'invisible'],
  ['hands without tones', '🫱\u200d🫲', '🫱⟦U+200D⟧🫲', 'invisible'],
  ['a Mongolian separator between Latin letters', 'a\u180eb', 'a⟦U+180E⟧b', 'invisible'],
  ['a grapheme joiner', 'a\u034fb', 'a⟦U+034F⟧b', 'invisible'],
  ['musical controls', '\u{1d173}', '⟦U+1D173⟧', 'invisible'],
  ['shorthand controls', '\u{1bca0}', '⟦U+1BCA0⟧', 'invisible'],
  ['unassigned and ignorable', '\u2065\ufff0\u{e0fff}', '⟦U+2065 U+FFF0 U+E0FFF⟧', 'invisible'],
  ['tags after a letter', `a${asTags('hi')}`, 'a⟦U+E0068 U+E0069⟧', 'tag'],
  ['tags after a flag that is none', `🏴${asTags('abc')}\u{e007f}`, '🏴⟦U+E0061 U+E0062 U+E0063 U+E007F⟧', 'tag'],
  ['England without its end', `🏴${asTags('gbeng')}`, '🏴⟦U+E0067 U+E0062 U+E0065 U+E006E U+E0067⟧', 'tag'],
  [
    'England after another emoji',
    `😀${asTags('gbeng')}\u{e007f}`,
    '😀⟦U+E0067 U+E0062 U+E0065 U+E006E U+E0067 U+E007F⟧',
    'tag',
  ],
  [
    'tags after England',
    `🏴${asTags('gbeng')}\u{e007f}${asTags('x')}`,
    `🏴${asTags('gbeng')}\u{e007f}⟦U+E0078⟧`,
    'tag',
  ],
  ['the language tag', '\u{e0001}', '⟦U+E0001⟧', 'tag'],
  ['a doubled selector', '❤\ufe0f\ufe0f', '❤⟦U+FE0F×2⟧', 'variation-selector'],
  ['both selectors', '❤\ufe0e\ufe0f', '❤⟦U+FE0E U+FE0F⟧', 'variation-selector'],
  ['a selector after a letter', 'a\ufe0f', 'a⟦U+FE0F⟧', 'variation-selector'],
  ['a selector after a digit', '1\ufe0f', '1⟦U+FE0F⟧', 'variation-selector'],
  ['a selector after a letter of a flag', '🇫\ufe0f🇷', '🇫⟦U+FE0F⟧🇷', 'variation-selector'],
  ['a supplementary selector after an emoji', '😀\u{e0100}', '😀⟦U+E0100⟧', 'variation-selector'],
  ['a supplementary selector after a letter', 'a\u{e01ef}', 'a⟦U+E01EF⟧', 'variation-selector'],
  ['two selectors after an ideograph', '葛\u{e0100}\u{e0101}', '葛⟦U+E0100 U+E0101⟧', 'variation-selector'],
  ['a selector after an ideograph that none has', '葛\ufe05', '葛⟦U+FE05⟧', 'variation-selector'],
  ['a selector after a kana', 'あ\ufe00', 'あ⟦U+FE00⟧', 'variation-selector'],
  ['a selector at the start', '\ufe0fa', '⟦U+FE0F⟧a', 'variation-selector'],
  ['a Mongolian selector after a Latin letter', 'a\u180b', 'a⟦U+180B⟧', 'variation-selector'],
  ['two Mongolian selectors', 'ᠠ\u180b\u180c', 'ᠠ⟦U+180B U+180C⟧', 'variation-selector'],
  ['a Hangul filler as a name', '\u3164', '⟦U+3164⟧', 'filler'],
  ['a halfwidth one', 'a\uffa0b', 'a⟦U+FFA0⟧b', 'filler'],
  ['both jamo fillers and nothing else', '\u115f\u1160', '⟦U+115F U+1160⟧', 'filler'],
  ['a jamo filler between letters', 'a\u1160b', 'a⟦U+1160⟧b', 'filler'],
  ['two jamo fillers after a consonant', '\u1100\u1160\u1160', '\u1100\u1160⟦U+1160⟧', 'filler'],
  ['Khmer inherent vowels', 'ក\u17b4', 'ក⟦U+17B4⟧', 'filler'],
  ['Braille blanks', 'a\u2800\u2800b', 'a⟦U+2800×2⟧b', 'filler'],
  ['a Braille blank beside one cell', '⠓\u2800x', '⠓⟦U+2800⟧x', 'filler'],
  ['a null notehead', '\u{1d159}', '⟦U+1D159⟧', 'filler'],
  ['an object that is not there', 'a\ufffcb', 'a⟦U+FFFC⟧b', 'filler'],
  ['an annotation', '\ufff9x\ufffay\ufffb', '⟦U+FFF9⟧x⟦U+FFFA⟧y⟦U+FFFB⟧', 'annotation'],
  ['Egyptian controls', '\u{13430}', '⟦U+13430⟧', 'annotation'],
  ['a line separator', 'a\u2028b', 'a⟦U+2028⟧b', 'separator'],
  ['a paragraph separator', 'a\u2029b', 'a⟦U+2029⟧b', 'separator'],
  ['NUL', 'a\0b', 'a⟦U+0000⟧b', 'control'],
  ['a backspace', 'ab\bc', 'ab⟦U+0008⟧c', 'control'],
  ['an escape', '\u001b[2J', '⟦U+001B⟧[2J', 'control'],
  ['a lone CR', 'good\rbad', 'good⟦U+000D⟧bad', 'control'],
  ['two CRs before LF', 'a\r\r\nb', 'a⟦U+000D⟧\r\nb', 'control'],
  ['DEL', '\u007f', '⟦U+007F⟧', 'control'],
  ['an eight-bit CSI', '\u009b2J', '⟦U+009B⟧2J', 'control'],
  ['a noncharacter', '\ufdd0\uffff\u{10fffe}', '⟦U+FDD0 U+FFFF U+10FFFE⟧', 'noncharacter'],
  ['a lone high surrogate', 'a\ud83d', 'a⟦U+D83D⟧', 'surrogate'],
  ['lone low surrogates', '\ude00\ude00a', '⟦U+DE00×2⟧a', 'surrogate'],
  ['a high one before a pair', '\ud83d😀', '⟦U+D83D⟧😀', 'surrogate'],
];

describe.each(hidden.map(([name, text, shown, kind]) => ({ name, text, shown, kind })))(
  '$name',
  ({ text, shown, kind }) => {
    test('is revealed as prose', () => {
      expect(filterText(text).text).toBe(shown);
    });

    test('is reported with its kind and its place', () => {
      const { findings } = filterText(text, { mode: 'report' });
      expect(findings[0]?.kind).toBe(kind);
      for (const { start, end } of findings) expect(text.slice(start, end)).toMatch(/./su);
    });

    test('is refused', () => {
      expect(() => filterText(text, { mode: 'reject' })).toThrow(expect.objectContaining({ code: 'HF_TEXT_REJECTED' }));
    });

    test('leaves nothing to find in mode strip', () => {
      expect(findHidden(filterText(text, { mode: 'strip' }).text, 'prose')).toBeUndefined();
    });
  },
);
