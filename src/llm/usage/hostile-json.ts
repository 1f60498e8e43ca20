/**
 * Returns the value at a path of parsed JSON. Undefined for a missing value. Reads own members only, so `__proto__` and
 * `constructor` are ordinary keys.
 */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Readonly<Record<string | number, unknown>>)[key];
  }
  return here;
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the index that a server sent, or else `otherwise`. Bounded, because it becomes part of a channel's name. */
export function indexAt(value: unknown, key: string, otherwise: number): number {
  const found = at(value, key);
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 && found < 1e6 ? found : otherwise;
}
