import { globSync, readFileSync, statSync } from 'node:fs';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { defaultRules, rulePacks } from '../src/dlp/rules/index.ts';
import { createScanner } from '../src/dlp/scan/scanner.ts';
import type { Scanner } from '../src/dlp/types.ts';
import { exactFinder } from '../src/llm/session/content-rules.ts';
import { positives } from '../test/fixtures/dlp/corpus.ts';
import { knownExamples } from '../test/fixtures/dlp/known-examples.ts';
import { negatives } from '../test/fixtures/dlp/negatives.ts';
import { type Report, titles } from './lib/report.ts';
import { realSource } from './lib/source.ts';
import { table } from './lib/table.ts';

const sourceSize = 20_000_000;
const rounds = 9;

/** The cost of a search for secrets, and the number of findings, beside secretlint. */
export async function dlp(): Promise<Report> {
  const source = realSource(sourceSize);
  const scanner = createScanner({ rules: defaultRules });
  const all = createScanner({ rules: Object.values(rulePacks).flat() });
  const secrets = Array.from({ length: 40 }, (_, index) => `session-secret-${index}-of-the-bench`);
  const withSecrets = createScanner({ rules: defaultRules, exact: exactFinder(secrets) });
  const rate = rateOf(source, (text) => scanner.find(text));
  const withExact = rateOf(source, (text) => withSecrets.find(text));
  const ours =
    positives.filter(({ text, rule, start, end }) =>
      all.find(text).some((finding) => finding.rule === rule && finding.start <= start && finding.end >= end),
    ).length / positives.length;
  const theirs = await flaggedBySecretlint(positives.map(({ text }) => text));
  const fooled = [
    negatives.filter(([, text]) => scanner.find(text).length > 0).length,
    await flaggedBySecretlint(negatives.map(([, text]) => text)),
  ] as const;
  const { falseHits, examples, megabytes } = hitsInAllSource(scanner);
  const rows = [
    ['Holdfast, default packs', rate.toFixed(0), (100 * ours).toFixed(1), String(fooled[0])],
    ['Holdfast, with 40 secrets of a session', withExact.toFixed(0), '', ''],
    ['secretlint, recommended', '', ((100 * theirs) / positives.length).toFixed(1), String(fooled[1])],
  ];
  return {
    title: 'dlp: what looking for secrets costs, and finds',
    parts: [
      table(titles('', ['MB/s', '% of the corpus', `of ${negatives.length} that fool others`]), rows),
      [
        `In ${megabytes.toFixed(0)} MB of source of the dependencies: ${falseHits.length} false hits, and ${examples} of published examples.`,
        ...falseHits,
      ].join('\n'),
    ],
    budgets: [
      {
        claim: 'the default packs over real source',
        measured: rate / 1000,
        limit: 0.2,
        unit: 'GB/s',
        direction: 'at-least',
      },
      {
        claim: 'false hits in 10 MB of source',
        measured: (10 * falseHits.length) / megabytes,
        limit: 1,
        unit: 'hits',
        direction: 'at-most',
      },
      { claim: 'found of the corpus', measured: 100 * ours, limit: 98, unit: '%', direction: 'at-least' },
    ],
  };
}

function rateOf(text: string, run: (text: string) => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    run(text);
    return performance.now() - start;
  }).toSorted((a, b) => a - b);
  return text.length / 1000 / (times[Math.floor(rounds / 2)] ?? Number.NaN);
}

interface SourceHits {
  /** Rule and file of each. */
  readonly falseHits: readonly string[];
  /** Documented keys, found rightly. */
  readonly examples: number;
  readonly megabytes: number;
}

function hitsInAllSource(scanner: Scanner): SourceHits {
  const falseHits: string[] = [];
  let [examples, size] = [0, 0];
  for (const file of globSync('node_modules/**/*.{js,ts,json,md}')
    .toSorted()
    .filter((each) => statSync(each).isFile())) {
    const text = readFileSync(file, 'utf8');
    size += Buffer.byteLength(text);
    for (const { rule, start, end } of scanner.find(text)) {
      if (knownExamples.some((example) => example.rule === rule && text.slice(start, end).startsWith(example.begins)))
        examples += 1;
      else falseHits.push(`${rule} in ${file} at ${start}`);
    }
  }
  return { falseHits, examples, megabytes: size / 1e6 };
}

async function flaggedBySecretlint(texts: readonly string[]): Promise<number> {
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }] };
  let flagged = 0;
  for (const [index, content] of texts.entries()) {
    const { messages } = await lintSource({
      source: { filePath: `/corpus/${index}.txt`, content, ext: '.txt', contentType: 'text' },
      options: { config, noPhysicFilePath: true },
    });
    flagged += messages.length > 0 ? 1 : 0;
  }
  return flagged;
}
