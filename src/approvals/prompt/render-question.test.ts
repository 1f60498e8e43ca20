import { array, assert as holds, integer, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHidden } from '../../text/escape-hidden.ts';
import { renderQuestion } from './render-question.ts';

const choices = [
  { key: 'o', label: 'once' },
  { key: 'yes', label: 'for ever' },
];

test('a question has its title, its lines behind a bar, and its choices', () => {
  expect(renderQuestion({ title: 'run git push', lines: ['git push', 'rule r'], choices }, 80)).toBe(
    '\nholdfast asks: run git push\n  | git push\n  | rule r\n  o    once\n  yes  for ever\n',
  );
});

describe('quoted content cannot look like a line of Holdfast', () => {
  test.each([
    ['a line break', 'a\nholdfast asks: run ls'],
    ['a return', 'rm -rf ~\rrun ls'],
    ['a line that a terminal would break', `${' '.repeat(76)}holdfast asks: run ls`],
    ['wide letters that a terminal would break', `${'漢'.repeat(38)}holdfast asks: run ls`],
    ['a cursor that goes up', 'x\u001b[2A\u001b[2Kholdfast asks: run ls'],
    ['letters that run the other way', 'run \u202esl'],
    ['tags', `ls${String.fromCodePoint(0xe0072, 0xe006d)}`],
    ['a separator of lines', 'a\u2028holdfast asks: run ls'],
    ['an eight-bit control', 'a\u009b2J'],
  ])('%s', (_, text) => {
    for (const question of [
      { title: 't', lines: [text], choices },
      { title: text, lines: [], choices },
    ]) {
      const lines = renderQuestion(question, 80).split('\n').slice(1);
      expect(lines.filter((line) => line.startsWith('holdfast asks: '))).toHaveLength(1);
      for (const line of lines) expect(line).toBe(escapeHidden(line));
    }
  });

  test('any text and any width', () => {
    holds(
      property(
        string({ unit: 'binary' }),
        array(string({ unit: 'binary' })),
        integer({ min: 0, max: 300 }),
        (title, lines, columns) => {
          const [, first = '', ...rest] = renderQuestion({ title, lines, choices }, columns).split('\n');
          expect(first.startsWith('holdfast asks: ')).toBe(true);
          // Our own lines begin with two blanks and the key.
          for (const line of rest.slice(0, -3)) expect(line).toMatch(/^(?: {2}\| | {15})/u);
          const most = Math.max(columns, 30);
          for (const line of rest.slice(0, -3))
            expect([...line].reduce((width, character) => width + (character > '~' ? 2 : 1), 0)).toBeLessThanOrEqual(
              most,
            );
        },
      ),
    );
  });

  test('all of it appears', () => {
    holds(
      property(string({ unit: 'grapheme-ascii', maxLength: 500 }), integer({ min: 20, max: 100 }), (text, columns) => {
        const quoted = renderQuestion({ title: 't', lines: [text], choices }, columns)
          .split('\n')
          .filter((line) => line.startsWith('  | '))
          .map((line) => line.slice(4));
        expect(quoted.join('')).toBe(text);
      }),
    );
  });
});
