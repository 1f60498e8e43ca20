import { isShown } from './unicode/classes.ts';

/**
 * Holdfast's own messages, which may quote names that a box chose: escapes in them would repaint the screen, direction
 * marks swap its words, and line breaks forge a second message. All that does not show is written `\u{…}`; a backslash
 * stays as it is, so the result is for reading only. `lines` keeps line breaks and tabs, for messages that have lines
 * of their own.
 */
export function escapeHidden(text: string, keep: 'lines' | 'nothing' = 'nothing'): string {
  if (plain[keep].test(text)) return text;
  let shown = '';
  for (const character of text) shown += isKept(character.codePointAt(0) ?? 0, keep) ? character : escaped(character);
  return shown;
}

/** Most texts: the tables of Unicode take 10 ms to load, which nobody pays for them. */
const plain = { lines: /^[\x20-\x7e\n\t]*$/u, nothing: /^[\x20-\x7e]*$/u } as const;

function isKept(point: number, keep: 'lines' | 'nothing'): boolean {
  return point < 0x20 ? keep === 'lines' && (point === 0x0a || point === 0x09) : isShown(point);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
