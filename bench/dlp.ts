import { globSync, readFileSync, statSync } from 'node:fs';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { createScanner, defaultRules, rulePacks } from '../src/dlp/index.ts';
import { positives } from '../test/fixtures/dlp/corpus.ts';
import { type Report, titles } from './lib/report.ts';
import { table } from './lib/table.ts';

const sourceSize = 20_000_000;
const longestFile = 1_000_000;
const rounds = 9;

/** What it costs to look for secrets, and how many are found, beside secretlint. */
export async function dlp(): Promise<Report> {
  const source = realSource();
  const scanner = createScanner({ rules: defaultRules });
  const all = createScanner({ rules: Object.values(rulePacks).flat() });
  const secrets = Array.from({ length: 40 }, (_, index) => `session-secret-${index}-of-the-bench`);
  // A plain search for each: what the session gives instead is measured where it is made.
  const exact = { find: (text: string) => secrets.flatMap((secret) => (text.includes(secret) ? [{ start: text.indexOf(secret), end: text.indexOf(secret) + secret.length }] : [])) };
  const rate = rateOf(source, (text) => scanner.find(text));
  const withExact = rateOf(source, (text) => createScanner({ rules: defaultRules, exact }).find(text));
  const ours = positives.filter(({ text, rule, start, end }) => all.find(text).some((finding) => finding.rule === rule && finding.start <= start && finding.end >= end)).length / positives.length;
  const theirs = await secretlintRecall();
  const rows = [
    ['Holdfast, default packs', rate.toFixed(0), (100 * ours).toFixed(1), String(scanner.find(source).length)],
    ['Holdfast, with 40 exact secrets', withExact.toFixed(0), '', ''],
    ['secretlint, recommended', '', (100 * theirs).toFixed(1), ''],
  ];
  return {
    title: 'dlp: what looking for secrets costs, and finds',
    parts: [table(titles('', ['MB/s', '% of the corpus', `hits in ${sourceSize / 1e6} MB of source`]), rows)],
    budgets: [
      { claim: 'the default packs over real source', measured: rate / 1000, limit: 0.2, unit: 'GB/s', direction: 'at-least' },
      { claim: 'found of the corpus', measured: 100 * ours, limit: 98, unit: '%', direction: 'at-least' },
    ],
  };
}

function realSource(): string {
  const parts: string[] = [];
  let size = 0;
  for (const file of globSync('node_modules/**/*.{js,ts,json,md}').toSorted().filter((_, index) => index % 7 === 0)) {
    if (size > sourceSize) break;
    if (statSync(file).size > longestFile) continue;
    const text = readFileSync(file, 'latin1');
    parts.push(text);
    size += text.length;
  }
  return Buffer.from(parts.join(''), 'latin1').toString('latin1');
}

function rateOf(text: string, run: (text: string) => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    run(text);
    return performance.now() - start;
  }).toSorted((a, b) => a - b);
  return text.length / 1000 / (times[Math.floor(rounds / 2)] ?? Number.NaN);
}

async function secretlintRecall(): Promise<number> {
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] };
  let found = 0;
  for (const [index, { text }] of positives.entries()) {
    const { messages } = await lintSource({ source: { filePath: `/corpus/${index}.txt`, content: text, ext: '.txt', contentType: 'text' }, options: { config, noPhysicFilePath: true } });
    found += messages.length > 0 ? 1 : 0;
  }
  return found / positives.length;
}
