import type { Value } from '../value.ts';

/** A comparable form for keys of any type: maps as pairs, scalars as text. Also accepts results of `JSON.parse`. */
export function plain(value: unknown): unknown {
  if (isValue(value)) {
    if (value.kind === 'scalar') return value.text;
    return value.kind === 'list'
      ? value.items.map(plain)
      : { pairs: sorted(value.entries.map(([key, inner]) => [key, plain(inner)])) };
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null)
    return { pairs: sorted(Object.entries(value).map(([key, inner]) => [key, plain(inner)])) };
  return typeof value === 'number' && Object.is(value, -0) ? '-0' : String(value);
}

function isValue(value: unknown): value is Value {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    ((value.kind === 'scalar' && 'text' in value) ||
      (value.kind === 'list' && 'items' in value) ||
      (value.kind === 'map' && 'entries' in value))
  );
}

/** If a key of JSON is repeated, the last one counts. */
function sorted(pairs: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  return [...new Map(pairs)].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
