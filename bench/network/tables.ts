import type { Result } from '../lib/measure.ts';
import { titles } from '../lib/report.ts';
import { quantile } from '../lib/stats.ts';
import { table } from '../lib/table.ts';

interface TableOptions {
  readonly figures: readonly string[];
  readonly row: (sorted: readonly number[], baseline: readonly number[] | undefined) => readonly string[];
  readonly baseline: string;
}

/** Samples are milliseconds. The table has microseconds. */
export function latencyTable(results: readonly Result[], baseline: string): string {
  const figures = ['median µs', 'p10', 'p90', 'p99', 'p99 ÷ median', `× ${baseline}`];
  const row: TableOptions['row'] = (sorted, base) => {
    const [median, ...others] = [0.5, 0.1, 0.9, 0.99].map((share) => quantile(sorted, share)) as [
      number,
      number,
      number,
      number,
    ];
    return [
      ...[median, ...others].map((time) => (time * 1000).toFixed(0)),
      (others[2] / median).toFixed(2),
      times(median, base),
    ];
  };
  return resultTable(results, { figures, row, baseline });
}

/** Samples are rates of `unit`: more is better. */
export function rateTable(
  results: readonly Result[],
  { unit, baseline, digits }: { readonly unit: string; readonly baseline: string; readonly digits: number },
): string {
  const row: TableOptions['row'] = (sorted, base) => {
    const [median, low, high] = [0.5, 0.1, 0.9].map((share) => quantile(sorted, share)) as [number, number, number];
    return [...[median, low, high].map((rate) => rate.toFixed(digits)), times(median, base)];
  };
  return resultTable(results, { figures: [`median ${unit}`, 'p10', 'p90', `× ${baseline}`], row, baseline });
}

function resultTable(results: readonly Result[], { figures, row, baseline }: TableOptions): string {
  const base = sortedSamples(results.find(({ name }) => name === baseline));
  const rows = results.map((result) => {
    const sorted = sortedSamples(result);
    return sorted === undefined ? [result.name, 'absent'] : [result.name, ...row(sorted, base)];
  });
  const missing = results.flatMap((result) =>
    result.kind === 'absent' ? [`${result.name} is absent: ${result.reason}`] : [],
  );
  return [table(titles('', figures), rows), ...missing].join('\n');
}

function sortedSamples(result: Result | undefined): readonly number[] | undefined {
  return result?.kind === 'measured' ? result.samples.toSorted((a, b) => a - b) : undefined;
}

function times(median: number, base: readonly number[] | undefined): string {
  return base === undefined ? '–' : (median / quantile(base, 0.5)).toFixed(2);
}
