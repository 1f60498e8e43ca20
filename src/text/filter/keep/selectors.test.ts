import { describe, expect, test } from 'vitest';
import { filterText } from '../filter-text.ts';
import { isStandardizedVariant } from './selectors.ts';

/** From StandardizedVariants.txt: the first and the last base of each row of the table, and one between. */
describe('pairs that Unicode lists', () => {
  test.each([
    ['zero with a stroke', 0x30, 0xfe00],
    ['empty set', 0x2205, 0xfe00],
    ['intersection', 0x2229, 0xfe00],
    ['union', 0x222a, 0xfe00],
    ['circled plus', 0x2295, 0xfe00],
    ['superset', 0x2acc, 0xfe00],
    ['script H, chancery', 0x210b, 0xfe00],
    ['script H, roundhand', 0x210b, 0xfe01],
    ['script A', 0x1d49c, 0xfe01],
    ['script Z', 0x1d4b5, 0xfe00],
    ['Myanmar ka', 0x1000, 0xfe00],
    ['Myanmar Khamti', 0xaa60, 0xfe00],
    ['Phags-pa', 0xa856, 0xfe00],
    ['Manichaean', 0x10ac5, 0xfe00],
    ['left quotation mark', 0x2018, 0xfe00],
    ['right double quotation mark', 0x201d, 0xfe01],
    ['ideographic comma', 0x3001, 0xfe00],
    ['fullwidth question mark', 0xff1f, 0xfe01],
    ['a hieroglyph', 0x13091, 0xfe00],
    ['a hieroglyph, turned further', 0x13091, 0xfe06],
  ])('%s', (_name, base, selector) => {
    const text = String.fromCodePoint(base, selector);
    expect(isStandardizedVariant(base, selector)).toBe(true);
    expect(filterText(text)).toEqual({ text, findings: [] });
    expect(filterText(`x${text}y${text}`).findings).toEqual([]);
    expect(filterText(text, { form: 'command' }).findings).not.toEqual([]);
    expect(filterText(text + String.fromCodePoint(selector)).findings).toHaveLength(1);
  });
});

/** All bases of a row, written out, and beside each row's ends what is none. */
describe('the rows', () => {
  const basesOf = (selector: number): readonly number[] =>
    Array.from({ length: 0x20000 }, (_, point) => point).filter((point) => isStandardizedVariant(point, selector));
  const within = (points: readonly number[], from: number, to: number): string =>
    String.fromCodePoint(...points.filter((point) => point >= from && point <= to));
  const first = basesOf(0xfe00);
  const second = basesOf(0xfe01);

  test.each([
    ['zero', 0x20, 0x7f, '0'],
    ['quotation marks', 0x2000, 0x20ff, '‘’“”'],
    ['script capitals', 0x2100, 0x21ff, 'ℋℐℒℛℬℰℱℳ'],
    ['operators', 0x2200, 0x22ff, '∅∩∪≨≩≲≳⊊⊋⊓⊔⊕⊗⊜⋚⋛'],
    ['more operators', 0x2a00, 0x2aff, '⨼⨽⪝⪞⪬⪭⫋⫌'],
    ['ideographic punctuation', 0x3000, 0x303f, '、。'],
    ['fullwidth punctuation', 0xff00, 0xffef, '！，．：；？'],
    ['mathematical script capitals', 0x1d400, 0x1d7ff, '𝒜𝒞𝒟𝒢𝒥𝒦𝒩𝒪𝒫𝒬𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵'],
    ['Myanmar', 0x1000, 0x109f, 'ကဂငတထပမယလဝဢေၵၸၺႀ'],
    ['Myanmar, extended', 0xaa60, 0xaa7f, 'ꩠꩡꩢꩣꩤꩥꩦꩫꩬꩯꩺ'],
    ['Phags-pa', 0xa840, 0xa87f, 'ꡖꡜꡞꡟꡠꡨ'],
    ['Manichaean', 0x10ac0, 0x10aff, '𐫅𐫆𐫖𐫗𐫡'],
  ])('%s', (_name, ...[from, to, written]) => {
    expect(within(first, from, to)).toBe(written);
  });

  test('covers hieroglyphs, with the extended ones', () => {
    const hieroglyphs = first.filter((point) => point >= 0x12fff && point < 0x14600);
    expect([hieroglyphs[0], hieroglyphs.at(-1), hieroglyphs.length]).toEqual([0x13000, 0x143fa, 0x430 + 0xf9b]);
  });

  test('the second selector covers script capitals, punctuation and hieroglyphs', () => {
    expect(
      second
        .filter((point) => point < 0x13000 || point > 0x143fa)
        .map((point) => String.fromCodePoint(point))
        .join(''),
    ).toBe('‘’“”ℋℐℒℛℬℰℱℳ、。！，．：；？𝒜𝒞𝒟𝒢𝒥𝒦𝒩𝒪𝒫𝒬𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵');
  });

  test.each([0xfe02, 0xfe03, 0xfe04, 0xfe05, 0xfe06])('selector %i rotates hieroglyphs only', (selector) => {
    expect(basesOf(selector)).toEqual(second.filter((point) => point >= 0x13000 && point <= 0x143fa));
  });

  test.each([0xfe07, 0xfe0d, 0xe0100])('selector %i has no pairs here', (selector) => {
    expect(basesOf(selector)).toEqual([]);
  });

  test('the first row has no other pairs', () => {
    expect(first.filter((point) => point < 0x13000 || point > 0x143fa)).toHaveLength(
      1 + 4 + 8 + 16 + 8 + 2 + 6 + 18 + 16 + 11 + 6 + 5,
    );
  });
});

describe('pairs that Unicode does not list', () => {
  test.each([
    ['another digit', 0x31, 0xfe00],
    ['the zero with another selector', 0x30, 0xfe01],
    ['a letter', 0x61, 0xfe00],
    ['plus', 0x2b, 0xfe00],
    ['a symbol with a second form', 0x2229, 0xfe01],
    ['script letters with a third', 0x210b, 0xfe02],
    ['bold letters', 0x1d400, 0xfe00],
    ['a Myanmar letter without a dotted form', 0x1001, 0xfe00],
    ['a comma', 0x2c, 0xfe00],
    ['a low quotation mark', 0x201a, 0xfe00],
    ['a hieroglyph with an eighth', 0x13091, 0xfe07],
    ['a hieroglyph with a supplementary one', 0x13091, 0xe0100],
    ['no base at all', -1, 0xfe00],
  ])('%s', (_name, base, selector) => {
    expect(isStandardizedVariant(base, selector)).toBe(false);
  });
});
