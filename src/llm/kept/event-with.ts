interface Replacement {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** A copy of parsed JSON with other values at some paths; those that are not there stay away. Throws for what is nested too deep. */
export function eventWith(event: unknown, replacements: readonly Replacement[]): unknown {
  const copy = structuredClone(event);
  for (const { path, value } of replacements) replaceAt(copy, path, value);
  return copy;
}

/** What two events have in common that differ in their values alone. Throws for what is nested too deep. */
export function shapeOf(event: unknown): string {
  return JSON.stringify(event, (_key, value: unknown) => (typeof value === 'object' ? value : typeof value));
}

function replaceAt(copy: unknown, path: Replacement['path'], value: unknown): void {
  let at = copy;
  for (const [index, key] of path.entries()) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return;
    const parent = at as Record<string | number, unknown>;
    if (index === path.length - 1) parent[key] = value;
    else at = parent[key];
  }
}
