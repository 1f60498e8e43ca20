/** The value at a path of parsed JSON; undefined where there is none. What objects inherit is not theirs. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[key];
  }
  return at;
}
