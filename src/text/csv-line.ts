import { escapeHidden } from './escape-hidden.ts';

/**
 * Spreadsheets take cells that begin with these characters, also in full width, for formulas, and a formula could
 * exfiltrate data. Names of models, agents and files come from servers and boxes. An apostrophe turns such a cell into
 * text. Holdfast's own names never begin with one, and programs that need exact names can use JSON.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const formula = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r]/u;

/** Returns one line of RFC 4180 with its line end. Hidden characters are escaped. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(text: string): string {
  const shown = escapeHidden(text);
  const safe = formula.test(shown) ? `'${shown}` : shown;
  return /[",\s]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
