import { escapeHidden } from '../../text/index.ts';

/**
 * A text for the page: on one line, nothing in it hidden, and no longer than somebody reads. Anything but a string
 * shows as what it is.
 */
export function shown(value: unknown, longest = 400): string {
  return cut(value, longest, 'nothing');
}

/** The same with its line breaks. */
export function shownLines(value: unknown, longest = 4000): string {
  return cut(value, longest, 'lines');
}

/** An event as indented JSON. Long texts are cut where they stand. */
export function shownJson(value: unknown): string {
  return shownLines(
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? shown(part, longestField) : part), 2) ?? '',
    longestDetail,
  );
}

const longestField = 2000;
const longestDetail = 64_000;

function cut(value: unknown, longest: number, keep: 'lines' | 'nothing'): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text.length <= longest) return escapeHidden(text, keep);
  return `${escapeHidden(text.slice(0, longest), keep)}… (${text.length - longest} more characters)`;
}

/**
 * Drops the oldest of a map when it has twice as many as are kept: seldom, so that it costs little however many come.
 */
export function newestOf<Value extends { readonly seq: number }>(map: Map<string, Value>, kept: number): void {
  if (map.size <= 2 * kept) return;
  const oldest = [...map].toSorted(([, a], [, b]) => b.seq - a.seq).slice(kept);
  for (const [key] of oldest) map.delete(key);
}
