import { expect, test } from 'vitest';
import { lintProse, openingClause } from './lint-text.ts';

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
const kinds = (text: string) => lintProse(text).map(({ kind, line }) => [kind, line]);

test('words of translated prose are found, with their line', () => {
  expect(lintProse('# Title\n\nFine.\n\nAsk whoever wrote it.\n')).toEqual([
    { kind: 'phrase', line: 5, text: 'whoever' },
  ]);
});

test('sentences are counted, not paragraphs', () => {
  expect(kinds(`${words(25)}. ${words(25)}.\n`)).toEqual([]);
  expect(kinds(`A short one. ${words(26)}.\n`)).toEqual([['long', 1]]);
  expect(kinds(`- ${words(40)}.\n`)).toEqual([['endless', 1]]);
});

test('code is not prose: a span is one word, blocks and tables are none', () => {
  expect(kinds(`${words(24)} \`${words(30)} whoever\`.\n`)).toEqual([]);
  expect(kinds(`\`\`\`sh\necho whoever ${words(60)}\n\`\`\`\n`)).toEqual([]);
  expect(kinds(`| a |\n|---|\n| ${words(60)} |\n`)).toEqual([]);
});

test.each([
  'It shows what it found.',
  'What was kept is gone.',
  'read-only, whatever is granted',
  'nothing of it is believed',
])('a clause where a noun exists is found: %s', (text) => {
  expect(kinds(`${text}\n`)).toEqual([['clause', 1]]);
});

test('questions, and clauses with a longer noun, are not found', () => {
  expect(kinds('Copy what you need. What is a box? Find out what changed it.\n')).toEqual([]);
});

test.each(['What stands for a credential.', '\nWho asks', 'How a box ends as a whole.'])(
  'a comment that begins with a clause is found: %s',
  (text) => {
    expect(openingClause(text)).toEqual([{ kind: 'opening', line: 1, text: text.trim() }]);
  },
);

test('a question, a condition and a later clause are not an opening', () => {
  expect(
    ['What is a box?', 'Whether it holds.', 'Where it fails, it says so.', 'Says what fails.'].flatMap(openingClause),
  ).toEqual([]);
});
