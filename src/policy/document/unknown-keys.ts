import type { Finding } from './problem.ts';
import { nearest } from './suggest.ts';

/** Nobody reads more, and looking for what was meant takes its time: a hostile file may hold any number of them. */
const mostKeys = 100;

/** The keys that the schema does not know, each with the one that was probably meant. The schema itself stops at one per table. */
export function unknownKeys(schema: unknown, value: unknown): readonly Finding[] {
  const found: Finding[] = [];
  for (const finding of unknownIn(schema, value, '')) {
    found.push(finding);
    if (found.length === mostKeys) break;
  }
  return found;
}

function* unknownIn(schema: unknown, value: unknown, path: string): Generator<Finding> {
  const shape = unwrap(schema);
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) yield* unknownIn(shape['item'], entry, `${path}[${index}]`);
    return;
  }
  const entries = shape['entries'];
  if (!isObject(entries) || !isObject(value)) return;
  for (const [key, entry] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (Object.hasOwn(entries, key)) yield* unknownIn(entries[key], entry, at);
    else yield unknownKey(key, at, Object.keys(entries));
  }
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
