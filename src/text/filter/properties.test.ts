import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextForm } from '../types.ts';
import { filterText } from './filter-text.ts';
import { findHidden } from './reject.ts';
import { cleanTexts } from './testing/clean-texts.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const forms: readonly TextForm[] = ['prose', 'code', 'name', 'command'];

/** Texts that are dense with what the rules look at: every neighbour of every other one. */
const piece = fc.oneof(
  fc.constantFrom(
    '\u200b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2069',
    '\ufe0e',
    '\ufe0f',
    '\ufeff',
    '\u{e0100}',
    '\u{e0067}',
    '\u{e007f}',
    '\u180b',
    '\u180e',
    '\u115f',
    '\u1160',
    '\u1100',
    '\u1161',
    '\u11a8',
    '\u2800',
    '\u2801',
    '\u3164',
    '\u2028',
    '\ud83d',
    '\ude00',
    '\0',
    '\r',
    '\n',
    '\t',
    ' ',
    '\u00a0',
    '\u20e3',
    'א',
    'ب',
    'م',
    'ि',
    'क',
    '्',
    'ไ',
    'ก',
    'ᠠ',
    '葛',
    'あ',
    'a',
    '1',
    '👩',
    '💻',
    '❤',
    '🔥',
    '🏴',
    '🏽',
    '🇫',
    '⟦',
    '⟧',
    'U+',
    '⟦U+',
    '200B',
    '×',
  ),
  fc.string({ unit: 'binary', maxLength: 2 }),
  fc.constantFrom(...Object.values(cleanTexts)),
);
const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
const runs = { numRuns: rounds(3000) };

describe.each(forms)('as %s', (form) => {
  test('stripping is idempotent, and leaves nothing to find', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = filterText(text, { mode: 'strip', form }).text;
        expect(filterText(once, { mode: 'strip', form }).text).toBe(once.replace(/^\uFEFF/u, ''));
        expect(findHidden(once, form)).toBeUndefined();
      }),
      runs,
    );
  });

  test('revealed text has nothing more to reveal', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(findHidden(filterText(text, { form }).text, form)).toBeUndefined();
      }),
      runs,
    );
  });

  test('revealed texts are distinct: each can be read back', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = filterText(text, { form }).text;
        const isDropped = text.startsWith('\ufeff') && (form === 'prose' || form === 'code');
        expect(readBack(shown)).toBe(isDropped ? text.slice(1) : text);
      }),
      runs,
    );
  });

  test('a text is unchanged exactly if it has no findings', () => {
    fc.assert(
      fc.property(
        anyText.filter((text) => !text.includes('⟦') && !text.startsWith('\ufeff')),
        (text) => {
          expect(filterText(text, { form }).text === text).toBe(findHidden(text, form) === undefined);
        },
      ),
      runs,
    );
  });

  test('findings are in order, inside the text, and do not overlap', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let from = 0;
        for (const { start, end } of filterText(text, { mode: 'report', form }).findings.filter(
          ({ kind }) => kind !== 'mixed-script' && kind !== 'confusable',
        )) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(end).toBeGreaterThan(start);
          from = end;
        }
        expect(from).toBeLessThanOrEqual(text.length);
      }),
      runs,
    );
  });

  test('report and reject agree', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const hasHidden = filterText(text, { mode: 'report', form }).findings.some(
          ({ kind }) => kind !== 'mixed-script' && kind !== 'confusable',
        );
        expect(findHidden(text, form) !== undefined).toBe(hasHidden);
      }),
      runs,
    );
  });
});

test('clean texts side by side stay clean', () => {
  const clean = Object.values(cleanTexts);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...clean), { maxLength: 8 }),
      (texts) => filterText(texts.join('\n')).findings.length === 0,
    ),
  );
});

/** The text that reveal was given: its notation is unambiguous where no run was shortened. */
function readBack(shown: string): string {
  return shown.replaceAll(/⟦(U\+[^⟧]*)⟧/gu, (_whole, list: string) => list.split(' ').map(readPiece).join(''));
}

function readPiece(written: string): string {
  const [name = '', count = '1'] = written.split('×');
  return String.fromCharCode(...unitsOf(Number.parseInt(name.slice(2), 16))).repeat(Number(count));
}

function unitsOf(point: number): readonly number[] {
  return Array.from({ length: point > 0xffff ? 2 : 1 }, (_, index) => String.fromCodePoint(point).charCodeAt(index));
}
