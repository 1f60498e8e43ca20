import { escapeJson } from '../text/escape-json.ts';

/** What `--json` prints: names that a box chose are in it, and a terminal may be what reads it. */
export function jsonText(value: unknown): string {
  return `${escapeJson(JSON.stringify(value, undefined, 2))}\n`;
}

/** The same on one line. */
export function jsonLine(value: unknown): string {
  return `${escapeJson(JSON.stringify(value))}\n`;
}
