import { csvLine } from '../../text/index.ts';

export type Dimension = 'session' | 'agent' | 'model' | 'provider' | 'repository' | 'day';

/** Sums for the calls of one group. */
export interface UsageRow {
  /** In the requested order. Null if a record lacks the value. Days are in UTC: `2026-01-31`. */
  readonly key: readonly { readonly by: Dimension; readonly value: string | null }[];
  readonly calls: number;
  /** Calls without an answer, or with a status of 400 or more. */
  readonly failed: number;
  /** Calls whose answer ended before it was complete. */
  readonly partial: number;
  readonly toolCalls: number;
  readonly uncachedInput: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  /** Included in `output`. */
  readonly reasoning: number;
  /** Sum over the calls with a price. Null without such calls. */
  readonly usd: number | null;
  /** Successful calls whose cost is unknown. */
  readonly unpriced: number;
  /** Successful calls without usage. */
  readonly untold: number;
  /** All sources of prices, sorted by name. */
  readonly tables: readonly string[];
}

/** `{ "rows": [{ "key": { "model": … }, "calls": …, … }], "unread": 0 }` and a line break. An unknown cost is null. */
export function usageJson(rows: readonly UsageRow[], unread: number): string {
  const written = rows.map(({ key, ...row }) => ({
    key: Object.fromEntries(key.map(({ by, value }) => [by, value])),
    ...row,
  }));
  return `${JSON.stringify({ rows: written, unread }, null, 2)}\n`;
}

const numbers = [
  'calls',
  'failed',
  'partial',
  'toolCalls',
  'uncachedInput',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
  'reasoning',
  'usd',
  'unpriced',
  'untold',
] as const;

/** RFC 4180, with a header line. An unknown cost is an empty cell. `by` names the columns if there are no rows. */
export function usageCsv(rows: readonly UsageRow[], by: readonly Dimension[]): string {
  const lines = rows.map(({ key, tables, ...row }) => [
    ...key.map(({ value }) => value ?? ''),
    ...numbers.map((name) => numberText(row[name])),
    tables.join(' '),
  ]);
  return [[...by, ...numbers, 'tables'], ...lines].map(csvLine).join('');
}

/** Never uses an exponent, because some spreadsheets would take it for text. */
function numberText(value: number | null): string {
  if (value === null) return '';
  return Number.isInteger(value) ? String(value) : value.toFixed(9).replace(/(?<!0)0+$/u, '');
}
