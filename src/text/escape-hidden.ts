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
