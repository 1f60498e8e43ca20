import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MetricRow, metricTable } from '../../src/metrics/table.ts';
import { code, markdownTable } from './markdown.ts';

const marks = /(?<=<!-- table of metrics -->\n)[^]*?(?=<!-- end of the table -->)/u;

/** The existing page about metrics, with the tables of the current code. */
export function metricsPage(): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8');
  return page.replace(marks, () => `${tables()}\n\n`).replace(/\n$/u, '');
}

const titles: readonly (readonly [MetricRow['of'], string])[] = [
  ['journal', '### New entries of the journal'],
  ['now', '### Now'],
  ['server', '### This server'],
  ['process', '### Its process'],
];

function tables(): string {
  return titles
    .map(([of, title]) => {
      const rows = Object.entries<MetricRow>(metricTable).filter(([, row]) => row.of === of);
      return `\n${title}\n\n${markdownTable(
        ['metric', 'type', 'meaning', 'labels'],
        rows.map(([name, { type, help, labels }]) => [code([name]), type, help, labelsText(labels)]),
      )}`;
    })
    .join('\n');
}

/** Lists the words if a person can read them in one line. */
function labelsText(labels: MetricRow['labels']): string {
  return Object.entries(labels)
    .map(([label, values]) =>
      values === 'few' || values.length > mostWords ? code([label]) : `${code([label])}: ${values.join(', ')}`,
    )
    .join('; ');
}

const mostWords = 6;
