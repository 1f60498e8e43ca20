import { isShown } from './unicode/classes.ts';

/**
 * Escapes Holdfast's own messages, because they may quote names that a box chose. Escape sequences would repaint the
 * screen, direction marks would swap words, and line breaks would forge a second message. Hidden characters become
 * `\u{…}`. Backslashes stay unchanged, so the result is only for people to read. `lines` keeps line breaks and tabs,
 * for messages with several lines.
 */
export function escapeHidden(text: string, keep: 'lines' | 'nothing' = 'nothing'): string {
  if (plain[keep].test(text)) return text;
  let shown = '';
  for (const character of text) shown += isKept(character.codePointAt(0) ?? 0, keep) ? character : escaped(character);
  return shown;
}

/** Most texts match this pattern. For them, the Unicode tables, which take 10 ms to load, stay unloaded. */
const plain = { lines: /^[\x20-\x7e\n\t]*$/u, nothing: /^[\x20-\x7e]*$/u } as const;

function isKept(point: number, keep: 'lines' | 'nothing'): boolean {
  return point < 0x20 ? keep === 'lines' && (point === 0x0a || point === 0x09) : isShown(point);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

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

/**
 * Returns JSON with visible characters only. Others become escapes such as `\u200b`, which a parser reads as the same
 * text.
 */
export function escapeJson(json: string): string {
  if (/^[\n\x20-\x7e]*$/u.test(json)) return json;
  let written = '';
  for (const character of json) written += isShown(character.codePointAt(0) ?? 0) ? character : unitsOf(character);
  return written;
}

/** JSON escapes UTF-16 code units, not code points. */
function unitsOf(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
