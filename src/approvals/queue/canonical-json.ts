/**
 * JSON in one spelling: keys in one order, whatever the order in which they were written, no blanks, properties without
 * a value left out. Two values have the same text only if they are the same; lone surrogates are escaped, as
 * JSON.stringify does it (ECMA-262, well-formed JSON.stringify).
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isPlainObject(inner) ? sorted(inner) : inner));
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without a prototype: a key called `__proto__` is one like any other. */
function sorted(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value).toSorted()) result[key] = value[key];
  return result;
}
