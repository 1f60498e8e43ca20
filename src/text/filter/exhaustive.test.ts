import { describe, expect, test } from 'vitest';
import { rangesOf } from '../../../scripts/unicode-tables/data.ts';
import type { TextForm } from '../types.ts';
import { filterText } from './filter-text.ts';
import { step } from '../../../scripts/testing/extent.ts';

/** Straight from the data of the package, by property: nothing of the tables or of the filter is asked. */
const hidden = await pointsOf([
  'Binary_Property/Default_Ignorable_Code_Point',
  'Binary_Property/Bidi_Control',
  'Binary_Property/Variation_Selector',
  'Binary_Property/Noncharacter_Code_Point',
  'General_Category/Control',
  'General_Category/Line_Separator',
  'General_Category/Paragraph_Separator',
  'General_Category/Surrogate',
]);
const blanks = await pointsOf(['General_Category/Space_Separator']);
const byHand = [
  0x2800,
  0x1d159,
  0xfffc,
  0xfff9,
  0xfffa,
  0xfffb,
  ...Array.from({ length: 16 }, (_, index) => 0x13430 + index),
];

/** The only ones that a lone letter on either side leaves as they are, or that a text drops. */
const shownIn: Readonly<Record<TextForm, (point: number) => boolean>> = {
  prose: (point) => point === 0x9 || point === 0xa,
  code: (point) => point === 0x9 || point === 0xa,
  command: (point) => point === 0x9 || point === 0xa || point === 0x20,
  name: (point) => point === 0x20,
};

describe.each(['prose', 'code', 'command', 'name'] as const)('every code point in %s', (form) => {
  const isHidden = (point: number) => {
    if (shownIn[form](point)) return false;
    return (
      hidden.has(point) || byHand.includes(point) || ((form === 'name' || form === 'command') && blanks.has(point))
    );
  };

  test.each([
    ['alone', '', ''],
    ['between letters', 'a', 'b'],
    ['between digits', '1', '2'],
  ])('%s is revealed if it is hidden, and kept if it is visible', (_where, before, after) => {
    const wrong: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += isBare(point) ? step(31) : 1) {
      const text = before + String.fromCodePoint(point) + after;
      const shown = filterText(text, { form }).text;
      if (shown !== expected(text, point, isHidden(point))) wrong.push(point.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  function expected(text: string, point: number, isRevealed: boolean): string {
    if (point === 0xfeff && text.length === 1 && (form === 'prose' || form === 'code')) return '';
    if (!isRevealed) return text;
    return text.replace(String.fromCodePoint(point), `⟦U+${point.toString(16).toUpperCase().padStart(4, '0')}⟧`);
  }
});

/** Of the planes without characters that do not show, every so many with each change. */
function isBare(point: number): boolean {
  return (point >= 0x2_0000 && point < 0xe_0000) || point >= 0xe_1000 || (point >= 0x3400 && point < 0xd800);
}

async function pointsOf(properties: readonly string[]): Promise<ReadonlySet<number>> {
  const points = new Set<number>();
  for (const property of properties) {
    for (const [first, last] of await rangesOf(property)) {
      for (let point = first; point <= last; point++) points.add(point);
    }
  }
  return points;
}
