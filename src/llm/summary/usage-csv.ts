import { csvLine } from '../../text/index.ts';
import type { Dimension, UsageRow } from './usage-json.ts';

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

/**
 * RFC 4180, with a line of names. A cost that is not known is an empty cell. `by` names the columns where there are no
 * rows.
 */
export function usageCsv(rows: readonly UsageRow[], by: readonly Dimension[]): string {
  const lines = rows.map(({ key, tables, ...row }) => [
    ...key.map(({ value }) => value ?? ''),
    ...numbers.map((name) => numberText(row[name])),
    tables.join(' '),
  ]);
  return [[...by, ...numbers, 'tables'], ...lines].map(csvLine).join('');
}

/** Without an exponent, which some spreadsheets take for text. */
function numberText(value: number | null): string {
  if (value === null) return '';
  return Number.isInteger(value) ? String(value) : value.toFixed(9).replace(/0+$/u, '');
}
