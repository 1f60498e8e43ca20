import { describe, expect, test } from 'vitest';
import { commandClasses, compareClasses } from './command-class.ts';
import { foundClass, labelledLines } from './testing/labelled-lines.ts';

const all = commandClasses.flatMap((label) => labelledLines[label].map((line) => [label, line] as const));

test('are as many as they say, and each stands once', () => {
  const lines = all.map(([, line]) => line);
  expect(lines.length).toBeGreaterThanOrEqual(1000);
  expect(lines.filter((line, place) => lines.indexOf(line) !== place)).toEqual([]);
});

describe('a line is never weaker than its label', () => {
  test.each(all)('%s: %s', (label, line) => {
    expect(compareClasses(foundClass(line), label)).toBeGreaterThanOrEqual(0);
  });
});

test('no line that does more comes out as reading', () => {
  expect(all.filter(([label, line]) => label !== 'reads' && foundClass(line) === 'reads')).toEqual([]);
});

test('of the lines that only read, 95 in 100 come out so', () => {
  const found = labelledLines.reads.filter((line) => foundClass(line) === 'reads');
  expect(found.length / labelledLines.reads.length).toBeGreaterThanOrEqual(0.95);
});
