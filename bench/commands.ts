import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from '../src/shell/analyse/analyse.ts';
import { hostileTexts } from '../src/shell/analyse/testing/hostile-texts.ts';
import { type Report, titles } from './lib/report.ts';
import { quantile } from './lib/stats.ts';
import { table } from './lib/table.ts';

const place = { cwd: '/srv/project', home: '/home/dev' } as const;
const corpus = join(import.meta.dirname, '../src/shell/corpus');
/** A round is one pass over all lines. The median round of each line counts. */
const rounds = 41;
const warmups = 20;

/** The cost of analysing a command line: of lines that people and agents write, and of expensive lines. */
export async function commands(): Promise<Report> {
  const lines = realisticLines();
  const microseconds = measureLines(lines).toSorted((a, b) => a.cost - b.cost);
  const costs = microseconds.map(({ cost }) => cost);
  const hostile = hostileTexts
    .map(({ name, text }) => ({ name, ...measureHostile(text) }))
    .toSorted((a, b) => b.best - a.best);
  const dearest = microseconds.slice(-3).toReversed();
  return {
    title: `commands: analysing one of ${lines.length} realistic command lines, and hostile ones`,
    parts: [
      table(titles('', ['median µs', 'p90 µs', 'dearest µs']), [
        ['realistic lines', ...[0.5, 0.9, 1].map((share) => quantile(costs, share).toFixed(1))],
      ]),
      table(
        titles('dearest realistic lines', ['µs']),
        dearest.map(({ line, cost }) => [line.slice(0, 80), cost.toFixed(1)]),
      ),
      table(
        titles('dearest hostile texts', ['best ms', 'of 5, worst ms']),
        hostile.slice(0, 8).map(({ name, best, worst }) => [name, best.toFixed(1), worst.toFixed(1)]),
      ),
    ],
    budgets: [
      {
        claim: 'a realistic command line at the median',
        measured: quantile(costs, 0.5),
        limit: 30,
        unit: 'µs',
        direction: 'at-most',
      },
      { claim: 'the dearest hostile text', measured: hostile[0]?.best, limit: 50, unit: 'ms', direction: 'at-most' },
    ],
  };
}

/** The understood lines of the corpus, alone and in the frames that agents put around them. */
function realisticLines(): readonly string[] {
  const plain = globSync(`${corpus}/{read,write,network,code}/*.txt`)
    .toSorted()
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('json:') ? String(JSON.parse(line.slice(5))) : line));
  const short = plain.filter((line) => !/['\n]/u.test(line));
  return [
    ...plain,
    ...plain.filter((line) => !line.includes('\n')).map((line) => `cd packages/core && ${line}`),
    ...short.map((line) => `${line} 2>&1 | tail -n 40`),
    ...short.map((line) => `timeout 60 bash -c '${line}'`),
  ];
}

function measureLines(lines: readonly string[]): readonly { readonly line: string; readonly cost: number }[] {
  const samples = lines.map((): number[] => []);
  for (let round = -warmups; round < rounds; round += 1) {
    lines.forEach((line, index) => {
      const start = process.hrtime.bigint();
      analyse({ kind: 'script', text: line, shell: 'bash' }, place);
      if (round >= 0) samples[index]?.push(Number(process.hrtime.bigint() - start) / 1000);
    });
  }
  return lines.map((line, index) => ({
    line,
    cost: quantile(
      (samples[index] ?? []).toSorted((a, b) => a - b),
      0.5,
    ),
  }));
}

/** Milliseconds. The best of five shows the cost of the text. The worst shows the machine's share. */
function measureHostile(text: string): { readonly best: number; readonly worst: number } {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    analyse({ kind: 'script', text, shell: 'bash' }, place);
    return performance.now() - start;
  });
  return { best: Math.min(...times), worst: Math.max(...times) };
}
