import { escapeHidden } from './escape-hidden.ts';

/**
 * Spreadsheets take cells with these first characters, also in full width, for formulas, which could send data away.
 * Names of models, agents and files come from servers and boxes. An apostrophe makes them text: no name of ours begins
 * with one, and programs that need exact names have JSON. https://owasp.org/www-community/attacks/CSV_Injection
 */
const formula = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r]/u;

/** Returns a line of RFC 4180 with its end. Hidden characters are escaped. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(text: string): string {
  const shown = escapeHidden(text);
  const safe = formula.test(shown) ? `'${shown}` : shown;
  return /[",\s]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
