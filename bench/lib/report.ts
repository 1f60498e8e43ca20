import { type Budget, verdictOf } from './budget.ts';
import type { Result } from './measure.ts';
import { table } from './table.ts';

/** What a bench has found. `baseline` names the row that the last column compares with. */
export interface Report {
  readonly title: string;
  readonly baseline: string;
  readonly results: readonly Result[];
  readonly budgets: readonly Budget[];
}

/** Milliseconds with p10 and p90, the ratio to the baseline, and each budget with its verdict. */
export function render(report: Report): string {
  const base = medianOf(report.results, report.baseline);
  const rows = report.results.map((result) => row(result, base));
  const missing = report.results.flatMap((result) => (result.kind === 'absent' ? [`${result.name}: ${result.reason}`] : []));
  const parts = [report.title, table(columns(report.baseline), rows), missing.join('\n'), renderBudgets(report.budgets)];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Absent when that row could not be measured. */
export function medianOf(results: readonly Result[], name: string): number | undefined {
  const result = results.find((candidate) => candidate.name === name);
  return result?.kind === 'measured' ? result.time.median : undefined;
}

/** Absent when one of them is. */
export function ratio(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a / b;
}

/** Absent when one of them is. */
export function difference(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a - b;
}

export function renderBudgets(budgets: readonly Budget[]): string {
  const rows = budgets.map((budget) => [
    verdictOf(budget),
    budget.claim,
    budget.measured === undefined ? '–' : `${budget.measured.toFixed(2)} ${budget.unit}`,
    `${budget.direction === 'at-most' ? '≤' : '≥'} ${budget.limit} ${budget.unit}`,
  ]);
  const left = { align: 'left' } as const;
  const right = { align: 'right' } as const;
  return table([{ title: '', ...left }, { title: 'budget', ...left }, { title: 'measured', ...right }, { title: 'limit', ...right }], rows);
}

function columns(baseline: string) {
  const titles = ['median ms', 'p10', 'p90', `× ${baseline}`];
  return [{ title: '', align: 'left' as const }, ...titles.map((title) => ({ title, align: 'right' as const }))];
}

function row(result: Result, base: number | undefined): readonly string[] {
  if (result.kind === 'absent') return [result.name, 'absent'];
  const { median, p10, p90 } = result.time;
  const times = [median, p10, p90].map((time) => time.toFixed(2));
  return [result.name, ...times, base === undefined ? '–' : (median / base).toFixed(2)];
}
