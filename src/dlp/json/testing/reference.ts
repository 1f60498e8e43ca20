import type { FieldPattern, JsonPath } from '../../types.ts';

/** The result of `JSON.parse` for bytes: a value, or nothing. Removes one byte order mark, as `TextDecoder` does. */
export function parsed(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
  } catch {
    return undefined;
  }
}

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Every value of a parsed document with its path, by recursion. */
export function* valuesOf(
  value: unknown,
  path: JsonPath = [],
): Generator<{ readonly path: JsonPath; readonly value: unknown }> {
  yield { path, value };
  if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* valuesOf(each, [...path, index]);
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) yield* valuesOf(each, [...path, key]);
}

/** Whether a pattern matches a path, by trying every length for every `**`. */
export function isMatch(pattern: FieldPattern, path: JsonPath, fold = (key: string): string => key): boolean {
  const keys = pattern.split('.');
  const matchesFrom = (at: number, from: number): boolean => {
    const key = keys[at];
    if (key === undefined) return from === path.length;
    if (key === '**')
      return path.slice(from).some((_, more) => matchesFrom(at + 1, from + more)) || matchesFrom(at + 1, path.length);
    return (
      from < path.length && (key === '*' || fold(key) === fold(String(path[from]))) && matchesFrom(at + 1, from + 1)
    );
  };
  return matchesFrom(0, 0);
}
