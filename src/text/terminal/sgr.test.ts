import { describe, expect, test } from 'vitest';
import { Palette } from './sgr.ts';

/** What becomes of the last of several sequences. */
function last(...sequences: readonly string[]): string {
  const palette = new Palette();
  return sequences.map((parameters) => palette.take(parameters)).at(-1) ?? '';
}

describe('colours that stay', () => {
  test.each([
    '',
    '0',
    '1',
    '1;31',
    '31;42',
    '39;49',
    '90;107',
    '38;5;200',
    '48;2;1;2;3',
    '38;2;255;0;0;1',
    '38:5:200',
    '38:2::1:2:3',
    '4:3',
    '1;',
    ';1',
  ])('%j stays unchanged', (parameters) => {
    expect(last(parameters)).toBe(`\x1b[${parameters}m`);
  });

  test.each([
    ['8', ''],
    ['1;8', '\x1b[1m'],
    ['8;31', '\x1b[31m'],
    ['008', ''],
    ['38;5;8', '\x1b[38;5;8m'],
    ['38;5;8;8', '\x1b[38;5;8m'],
    ['5', ''],
    ['6;1', '\x1b[1m'],
    ['11', ''],
    ['38;2;1;2', ''],
    ['38;9;1', ''],
    ['38', ''],
    ['1:2:3:4', ''],
    ['8:1', ''],
    ['>4;2', ''],
    ['1;2 q', ''],
    ['1'.repeat(65), ''],
    ['1;'.repeat(40), ''],
    ['9999', ''],
  ])('%j becomes %j', (parameters, text) => {
    expect(last(parameters)).toBe(text);
  });
});

describe('text in the colour of its background', () => {
  test.each([
    '30;40',
    '31;41',
    '97;107',
    '38;5;1;41',
    '38;5;9;101',
    '38;5;100;48;5;100',
    '38;2;1;2;3;48;2;1;2;3',
    '38:2::1:2:3;48;2;1;2;3',
  ])('%s is made visible without its background', (parameters) => {
    expect(last(parameters)).toBe(`\x1b[${parameters};49m`);
  });

  test('is made visible across several sequences too', () => {
    expect(last('40', '1;30')).toBe('\x1b[1;30;49m');
    expect(last('40', '31')).toBe('\x1b[31m');
    expect(last('40', '0', '30')).toBe('\x1b[30m');
    expect(last('40', '49', '30')).toBe('\x1b[30m');
    expect(last('40', '', '30')).toBe('\x1b[30m');
    expect(last('30;40', '31', '30')).toBe('\x1b[30m');
  });

  test('is made visible after any number of colours', () => {
    const palette = new Palette();
    for (let n = 0; n < 1000; n += 1) expect(palette.take(`38;5;${n % 256};48;2;1;2;${n % 300}`)).not.toBe('');
    expect(palette.take('31;41')).toBe('\x1b[31;41;49m');
  });
});

describe('every number', () => {
  const between = (from: number, to: number): readonly number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const stay = [
    0,
    1,
    2,
    3,
    4,
    7,
    9,
    22,
    23,
    24,
    27,
    28,
    29,
    ...between(30, 37),
    39,
    ...between(40, 47),
    49,
    ...between(90, 97),
    ...between(100, 107),
  ];

  test.each(between(0, 120))('%i', (code) => {
    const isKept = stay.includes(code);
    expect(last(`${code}`)).toBe(isKept ? `\x1b[${code}m` : '');
    if (code === 38 || code === 48) return;
    expect(last(`${code};1`)).toBe(isKept ? `\x1b[${code};1m` : '\x1b[1m');
    expect(last(`1${String(code).padStart(3, '0')}`)).toBe('');
  });

  test.each(between(0, 7))('colour %i is the same in all its spellings, and hides nothing', (colour) => {
    for (const foreground of [`3${colour}`, `38;5;${colour}`, `38:5:${colour}`]) {
      for (const background of [`4${colour}`, `48;5;${colour}`, `48:5:${colour}`])
        expect(last(foreground, background)).toBe(`\x1b[${background};49m`);
      for (const other of [`4${(colour + 1) % 8}`, `10${colour}`, `48;5;${colour + 8}`, `48;2;0;0;${colour}`])
        expect(last(foreground, other)).toBe(`\x1b[${other}m`);
    }
    for (const foreground of [`9${colour}`, `38;5;${colour + 8}`]) {
      for (const background of [`10${colour}`, `48;5;${colour + 8}`])
        expect(last(foreground, background)).toBe(`\x1b[${background};49m`);
      expect(last(foreground, `4${colour}`)).toBe(`\x1b[4${colour}m`);
    }
  });

  test.each([
    ['38;2;1;2;3', '48;2;1;2;4', '\x1b[48;2;1;2;4m'],
    ['38;2;1;2;3', '48:2::1:2:3', '\x1b[48:2::1:2:3;49m'],
    ['38:2:1:2:3', '48;2;1;2;3', '\x1b[48;2;1;2;3;49m'],
    ['38;2;5;7', '48;5;7', '\x1b[48;5;7m'],
    ['31', '1;41', '\x1b[1;41;49m'],
    ['31', '8;41', '\x1b[41;49m'],
    ['31', '41;8', '\x1b[41;49m'],
    ['31;41', '8', ''],
    ['31', '5', ''],
  ])('%s, then %s', (first, second, text) => {
    expect(last(first, second)).toBe(text);
  });

  test.each([
    '138',
    '038',
    '38;5',
    '38;5;',
    '38;5;1234',
    '38;5;x',
    '38;2;1;2;',
    '38;3;1;1',
    '38;;1',
    '138:5:1',
    '38:5:1x',
    '38:5',
    '38:1:2:3:4:5:6:7',
    '58:5:1',
    '4:6',
    '4:',
    '14:3',
    '1:',
    '0001',
    '1x',
    'x1',
    '1 ',
  ])('%j colours nothing', (parameters) => {
    expect(last(parameters)).toBe('');
  });

  test('at most 64 characters are read', () => {
    expect(last(`${'1;'.repeat(31)}31`)).toBe(`\x1b[${'1;'.repeat(31)}31m`);
    expect(last(`${'1;'.repeat(31)}131`)).toBe('');
  });

  test('forgets everything on reset', () => {
    const palette = new Palette();
    palette.take('31');
    palette.reset();
    expect(palette.take('41')).toBe('\x1b[41m');
    palette.reset();
    expect(palette.take('31')).toBe('\x1b[31m');
  });
});
