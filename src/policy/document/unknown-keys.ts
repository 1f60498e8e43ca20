import type { Finding } from './problem.ts';
import { nearest } from './suggest.ts';

/** Every key that the schema does not know, with the one that was probably meant. The schema itself stops at one per table. */
export function unknownKeys(schema: unknown, value: unknown, path = ''): readonly Finding[] {
  const shape = unwrap(schema);
  if (Array.isArray(value)) {
    const item = shape['item'];
    return item === undefined ? [] : value.flatMap((entry, index) => unknownKeys(item, entry, `${path}[${index}]`));
  }
  const entries = shape['entries'];
  if (!isObject(entries) || !isObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return Object.hasOwn(entries, key) ? unknownKeys(entries[key], entry, at) : [unknownKey(key, at, Object.keys(entries))];
  });
}

function unknownKey(key: string, at: string, known: readonly string[]): Finding {
  const meant = nearest(key, known);
  const remedy = meant === undefined ? `use one of: ${known.join(', ')}` : `did you mean "${meant}"?`;
  return { at, message: `unknown key "${key.slice(0, 100)}"`, remedy };
}

/** Schemas wrap one another: `optional` holds `wrapped`, a pipe is its first member. */
function unwrap(schema: unknown): Readonly<Record<string, unknown>> {
  let shape = isObject(schema) ? schema : {};
  while (isObject(shape['wrapped'])) shape = shape['wrapped'];
  return shape;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
