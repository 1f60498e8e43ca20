import { describe, expect, test } from 'vitest';
import { filterText } from './filter-text.ts';
import { plainPrefix } from './plain-prefix.ts';

const piece = 32_768;
const line = 'const a = 1;\tif (a) {}\n';
const plain = line.repeat(Math.ceil((4 * piece) / line.length)).slice(0, 4 * piece);

describe('a long text', () => {
  test('is known to be plain in whole pieces', () => {
    expect(plainPrefix(plain)).toBe(4 * piece);
    expect(plainPrefix(`${plain}a`)).toBe(4 * piece);
    expect(plainPrefix(plain.slice(1))).toBe(3 * piece);
    expect(plainPrefix('a')).toBe(0);
    expect(plainPrefix('')).toBe(0);
  });

  test.each(['\u001b', '\u007f', '\r', '\0', '\u200b', '\u{e0041}', '\ud800', 'é', '⟦', '\u2028'])('is not beyond %j, wherever it stands', (character) => {
    for (const at of [0, 1, piece - 1, piece, 2 * piece - 1, 3 * piece + 5]) {
      const text = plain.slice(0, at) + character + plain.slice(at + character.length);
      expect(plainPrefix(text)).toBe(Math.floor(at / piece) * piece);
    }
  });

  test.each([0, piece - 1, piece, piece + 1, 3 * piece + 7])('shows what hides at %d', (at) => {
    const text = `${plain.slice(0, at)}\u200b${plain.slice(at)}`;
    const shown = filterText(text);
    expect(shown.findings).toEqual([{ kind: 'invisible', start: at, end: at + 1, what: 'U+200B' }]);
    expect(shown.text).toBe(`${plain.slice(0, at)}⟦U+200B⟧${plain.slice(at)}`);
  });

  test('a name of many pieces may hold no line feed', () => {
    expect(filterText(`${'a'.repeat(piece)}\n${'a'.repeat(piece)}`, { form: 'name' }).findings).toHaveLength(1);
  });
});
