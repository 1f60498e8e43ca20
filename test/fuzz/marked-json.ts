import { editJsonText } from '../../src/dlp/json/edit-json.ts';
import { marker } from './mutate.ts';

/**
 * The document with another text in place of the marker in every string leaf. Without a marker, or for invalid JSON,
 * the same text.
 */
export function withoutMarker(text: string, replacement: string): string {
  const edited = editJsonText(text, {
    fields: ['**'],
    edit: (leaf) => (leaf.includes(marker) ? leaf.replaceAll(marker, () => replacement) : undefined),
  });
  return edited.kind === 'json' ? edited.text : text;
}

const strings = /"(?:[^"\\]|\\[^])*"(\s*:)?/gu;

/** The expected text. `JSON.parse` decides validity, and a regular expression finds the strings. */
export function slowlyWithoutMarker(text: string, replacement: string): string {
  if (!isJson(text)) return text;
  return text.replaceAll(strings, (token, colon: string | undefined) => {
    const leaf = colon === undefined ? String(JSON.parse(token)) : '';
    return leaf.includes(marker) ? JSON.stringify(leaf.replaceAll(marker, () => replacement)) : token;
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/u, ''));
    return true;
  } catch {
    return false;
  }
}
