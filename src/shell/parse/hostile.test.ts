import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { parseScript } from './parse-script.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/** Units of work. The budget and the parser's own work are about 150. */
const patience = 600;
const size = 32_768;

const repeated = [
  '(',
  '$(',
  '"$(',
  '`',
  '\\`',
  '`\\`',
  'a && ',
  '<<E ',
  '<<E\nE\n',
  "'",
  '{',
  '{a,',
  '${x:-',
  '"${x:-"',
  '$((',
  '$(( a[',
  '((',
  '[[ ( ',
  '@(',
  '[',
  'a|',
  '<(',
  'case a in ',
  'if ',
  'f() ',
  'a ',
  'a=( ',
  'a=1 ',
  'a[',
  '\\\n',
  '\n',
  'a;',
  '${',
  '"`"${',
  '>',
  'time ',
  '! ',
  'coproc ',
  'for a in ',
  '#',
  '$(a)',
  '$(a <<E\n',
  '$[',
  '\\',
  'x=[',
  "'a[' ",
  '=~',
  ':~',
  '~',
  '.. ',
  '{..}',
  '\u{200B}',
  '\u{FE0F}',
];
const nested = [
  ['(', ')'],
  ['$(', ')'],
  ['"$(', ')"'],
  ['{ ', '; }'],
  ['${x:-', '}'],
  ['"${x:-', '}"'],
  ['$((', '))'],
  ['$[', ']'],
  ['@(', ')'],
  ['<(', ')'],
  ['[', ']'],
  ['f() { ', '; }'],
  ['x=$(', ')'],
  ['x=(', ')'],
  ['if a; then ', '; fi;'],
] as const;

describe('hostile texts cost little', () => {
  test.each(repeated)('%j, over and over', (piece) => {
    expectSoon(piece.repeat(Math.floor(size / piece.length)));
  });

  test.each(nested)('%j … %j, as deep as it goes', (open, close) => {
    const count = Math.floor(size / (open.length + close.length));
    expectSoon(open.repeat(count) + close.repeat(count));
  });

  test.each(nested)('%j … %j, as deep as the parser goes, side by side', (open, close) => {
    const one = `${open.repeat(200)}a${close.repeat(200)} `;
    expectSoon(one.repeat(Math.floor(size / one.length)));
  });

  test('longer ones are not read at all', () => {
    const text = '$(('.repeat(5_000_000);
    expect(atMost(patience, () => parseScript(text)).opaque.map(({ kind }) => kind)).toEqual(['budget']);
  });
});

function expectSoon(text: string): void {
  const { invocations, opaque } = atMost(patience, () => parseScript(text));
  expect(invocations.length + opaque.length).toBeGreaterThanOrEqual(0);
}

describe('any text', () => {
  const pieces = fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        '\n',
        "'",
        '"',
        '`',
        '$',
        '(',
        ')',
        '{',
        '}',
        '[',
        ']',
        '<',
        '>',
        '&',
        '|',
        ';',
        '\\',
        '#',
        '~',
        '*',
        '=',
        '!',
        '@',
        'x=',
        '$(',
        '${',
        '((',
        '<<E',
        'if ',
        'fi',
        'for ',
        'do ',
        'case ',
        'coproc ',
        '\r',
        '\0',
        '\u{D800}',
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));

  test.each([
    ['of the shell', pieces],
    ['at all', fc.string({ unit: 'binary', maxLength: 200 })],
  ])('%s is read without an error, and numbered in order', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const { invocations, opaque, shells } = parseScript(text);
        invocations.forEach(({ id, parent, span, shell }, index) => {
          expect(id).toBe(index);
          expect(parent === undefined || parent < id).toBe(true);
          expect(shell < shells.length).toBe(true);
          expect(span.start >= 0 && span.start <= span.end && span.end <= text.length).toBe(true);
        });
        for (const { span, message } of opaque) expect(span.start <= span.end && message !== '').toBe(true);
      }),
      { numRuns: rounds(3000) },
    );
  });

  test('a text that holds nothing but quotes and plain characters gives back what was quoted', () => {
    const plain = fc.string({ unit: 'grapheme-ascii', maxLength: 30 });
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 5 }), (words) => {
        const { invocations, opaque } = parseScript(
          words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' '),
        );
        expect(opaque).toEqual([]);
        expect(invocations[0]?.argv.map((word) => word.kind === 'static' && word.value)).toEqual(words);
      }),
    );
  });
});
