import { globSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { positives } from '../../../test/fixtures/dlp/corpus.ts';
import { negatives } from '../../../test/fixtures/dlp/negatives.ts';
import { knownExamples } from '../../../test/fixtures/dlp/known-examples.ts';
import { createScanner } from '../scan/scanner.ts';
import { defaultRules, rulePacks } from './index.ts';

const scanner = createScanner({ rules: Object.values(rulePacks).flat() });
const usual = createScanner({ rules: defaultRules });

describe('the corpus', () => {
  test('has at least 300 positives, of every rule', () => {
    expect(positives.length).toBeGreaterThanOrEqual(300);
    expect(new Set(positives.map(({ rule }) => rule)).size).toBe(Object.values(rulePacks).flat().length);
  });

  test('is found: at least 98 of 100, each at its place and under its rule', () => {
    const missed = positives.filter(
      ({ text, rule, start, end }) =>
        !scanner.find(text).some((finding) => finding.rule === rule && finding.start === start && finding.end === end),
    );
    expect(
      1 - missed.length / positives.length,
      missed
        .slice(0, 20)
        .map(({ rule, where }) => `${rule} in ${where}`)
        .join('\n'),
    ).toBeGreaterThanOrEqual(0.98);
  });

  test.each(negatives)('does not find what fools others: %s', (_, text) => {
    expect(usual.find(text).map(({ rule, start, end }) => [rule, text.slice(start, end)])).toEqual([]);
  });

  test('does not find most of it with the personal pack either, for want of a word', () => {
    expect(negatives.flatMap(([, text]) => scanner.find(text)).map(({ rule }) => rule)).toEqual([]);
  });
});

const most = 60_000_000;
const longestFile = 4_000_000;

describe('source code of the dependencies', () => {
  test('has at most one false hit in 10 MB', () => {
    let size = 0;
    const hits: string[] = [];
    const files = globSync('node_modules/**/*.{js,ts,json,md}').toSorted();
    // Every file but those that would make it more than 60 MB, spread over all packages.
    for (const file of files.filter((_, index) => index % 3 === 0)) {
      const stats = statSync(file);
      const { size: length } = stats;
      if (!stats.isFile() || length > longestFile || size + length > most) continue;
      const text = readFileSync(file, 'utf8');
      size += length;
      for (const { rule, start, end } of usual.find(text)) {
        const value = text.slice(start, end);
        if (!knownExamples.some((example) => example.rule === rule && value.startsWith(example.begins)))
          hits.push(`${rule} in ${file}: ${value.slice(0, 12)}… (${value.length})`);
      }
    }
    expect(size).toBeGreaterThan(20_000_000);
    expect(hits.length, hits.join('\n')).toBeLessThanOrEqual(size / 10_000_000);
  });
});
