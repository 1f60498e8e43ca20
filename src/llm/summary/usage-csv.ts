import { escapeHidden } from '../../text/index.ts';
import type { Dimension, UsageRow } from './types.ts';

const numbers = ['calls', 'failed', 'partial', 'toolCalls', 'uncachedInput', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning', 'usd', 'unpriced', 'untold'] as const;

/** RFC 4180, with a line of names. A cost that is not known is an empty cell. `by` names the columns where there are no rows. */
export function usageCsv(rows: readonly UsageRow[], by: readonly Dimension[]): string {
  const lines = rows.map(({ key, tables, ...row }) => [...key.map(({ value }) => value ?? ''), ...numbers.map((name) => numberText(row[name])), tables.join(' ')]);
  return [[...by, ...numbers, 'tables'], ...lines].map((line) => `${line.map(cellOf).join(',')}\r\n`).join('');
}

/** Without an exponent, which some spreadsheets take for text. */
function numberText(value: number | null): string {
  if (value === null) return '';
  return Number.isInteger(value) ? String(value) : value.toFixed(9).replace(/0+$/u, '');
}

/**
 * Spreadsheets take cells that begin so, also in full width, for formulas, which could send data away, and names of models and agents
 * come from servers and boxes. An apostrophe makes them text, as in `holdfast audit export`: no name of ours begins so, and who reads
 * the file by program and wants exact names has JSON. https://owasp.org/www-community/attacks/CSV_Injection
 */
const formula = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r]/u;

function cellOf(text: string): string {
  const shown = escapeHidden(text);
  const safe = formula.test(shown) ? `'${shown}` : shown;
  return /[",\s]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
