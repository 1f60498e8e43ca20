import { isShown } from './unicode/classes.ts';

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
