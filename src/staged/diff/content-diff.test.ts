import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atMost } from '../../../scripts/testing/work-time.ts';
import { hunksBetween, type Hunk } from './content-diff.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/** Applies hunks to a text, using only their lines. */
function applied(before: string, hunks: readonly Hunk[]): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/gu) ?? [];
  const out: string[] = [];
  let at = 0;
  for (const { oldStart, oldLines, lines } of hunks) {
    const start = oldLines === 0 && oldStart > 0 && old.length === 0 ? 0 : oldStart - 1;
    out.push(...old.slice(at, start));
    at = start + oldLines;
    for (const [index, line] of lines.entries())
      if (line.startsWith('+') || line.startsWith(' '))
        out.push(lines[index + 1]?.startsWith('\\') === true ? line.slice(1) : `${line.slice(1)}\n`);
  }
  return [...out, ...old.slice(at)].join('');
}

describe('hunksBetween', () => {
  test('are those of a unified diff, with three lines around', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
    const hunks = hunksBetween(lines.join(''), lines.with(10, 'x\n').join(''));
    expect(hunks).toMatchObject([
      {
        oldStart: 8,
        oldLines: 7,
        newStart: 8,
        newLines: 7,
        lines: [' 7', ' 8', ' 9', '-10', '+x', ' 11', ' 12', ' 13'],
      },
    ]);
  });

  test('say where a text has no line break at its end', () => {
    expect(hunksBetween('a\n', 'a')?.[0]?.lines).toEqual(['-a', '+a', String.raw`\ No newline at end of file`]);
  });

  test('turn one text into the other', () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd\r\n', 'e'), { maxLength: 20 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => applied(before, hunksBetween(before, after) ?? []) === after),
      { numRuns: rounds(1000) },
    );
  });

  // Attack: a review that never ends, which nobody reads.
  test('are given up for texts that are slow to compare', () => {
    const text = (seed: number) =>
      Array.from({ length: 120_000 }, (_, index) => `${(index * seed) % 99_991}\n`).join('');
    const [before, after] = [text(7919), text(6007)];
    expect(atMost(6000, () => hunksBetween(before, after))).toBeUndefined();
  });
});
