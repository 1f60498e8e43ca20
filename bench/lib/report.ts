import { type Budget, verdictOf } from './budget.ts';
import type { Result } from './measure.ts';
import { summarise } from './stats.ts';
import { type Column, table } from './table.ts';

/** The result of a bench. */
export interface Report {
  readonly title: string;
  /** Tables and notes, in the order of the output. */
  readonly parts: readonly string[];
  readonly budgets: readonly Budget[];
}

export function render(report: Report): string {
  const parts = [report.title, ...report.parts, budgetTable(report.budgets)];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Medians with p10 and p90, beside the ratio to the row `baseline`. The reasons for absent rows follow. */
export function timeTable(results: readonly Result[], baseline: string): string {
  const base = results.find(({ name }) => name === baseline);
  const median = base?.kind === 'measured' ? summarise(base.samples).median : undefined;
  const rows = results.map((result) => timeRow(result, median));
  const missing = results.flatMap((result) =>
    result.kind === 'absent' ? [`${result.name} is absent: ${result.reason}`] : [],
  );
  return [table(titles('', ['median ms', 'p10', 'p90', `× ${baseline}`]), rows), ...missing].join('\n');
}

/** The first column is left-aligned, the others are figures. */
export function titles(first: string, figures: readonly string[]): readonly Column[] {
  return [{ title: first, align: 'left' }, ...figures.map((title) => ({ title, align: 'right' as const }))];
}

function timeRow(result: Result, base: number | undefined): readonly string[] {
  if (result.kind === 'absent') return [result.name, 'absent'];
  const { median, p10, p90 } = summarise(result.samples);
  const times = [median, p10, p90].map((time) => time.toFixed(2));
  return [result.name, ...times, base === undefined ? '–' : (median / base).toFixed(2)];
}

function budgetTable(budgets: readonly Budget[]): string {
  const rows = budgets.map((budget) => [
    budget.claim,
    budget.measured === undefined ? '–' : `${budget.measured.toFixed(2)} ${budget.unit}`,
    `${budget.direction === 'at-most' ? '≤' : '≥'} ${budget.limit} ${budget.unit}`,
    verdictOf(budget),
  ]);
  return table(titles('budget', ['measured', 'limit', '']), rows);
}
