import { describe, expect, test } from 'vitest';
import { cardLengthOf } from './card.ts';

const of = (prefix: string, length: number): string => cardLengthOf(prefix.padEnd(length, '7'));

describe('the length of a card', () => {
  test.each([
    ['4', 16],
    ['51', 16],
    ['55', 16],
    ['2221', 16],
    ['2720', 16],
    ['34', 15],
    ['37', 15],
    ['6011', 16],
    ['644', 16],
    ['649', 16],
    ['65', 16],
    ['300', 14],
    ['305', 14],
    ['3095', 14],
    ['36', 14],
    ['38', 14],
    ['39', 14],
    ['3528', 16],
    ['3589', 16],
    ['62', 16],
    ['5018', 16],
    ['6304', 16],
    ['6759', 16],
    ['6761', 16],
    ['6763', 16],
    ['2200', 16],
    ['2204', 16],
  ])('that begins with %s is usual with %i digits', (prefix, length) => expect(of(prefix, length)).toBe('usual'));

  test.each([
    ['4', 13],
    ['4', 19],
    ['6011', 19],
    ['36', 19],
    ['3528', 17],
    ['62', 18],
    ['6759', 12],
    ['2204', 19],
  ])('that begins with %s is rare with %i digits', (prefix, length) => expect(of(prefix, length)).toBe('rare'));

  test.each([
    ['4', 12],
    ['4', 14],
    ['4', 15],
    ['4', 17],
    ['51', 15],
    ['51', 17],
    ['37', 16],
    ['37', 14],
    ['36', 15],
    ['62', 15],
    ['50', 16],
    ['56', 16],
    ['2220', 16],
    ['2721', 16],
    ['33', 15],
    ['35', 15],
    ['6012', 16],
    ['643', 16],
    ['306', 14],
    ['3094', 14],
    ['3527', 16],
    ['3590', 16],
    ['6760', 16],
    ['6764', 16],
    ['2199', 16],
    ['2205', 16],
    ['1', 16],
    ['9', 16],
  ])('that begins with %s is none with %i digits', (prefix, length) => expect(of(prefix, length)).toBe('none'));
});
