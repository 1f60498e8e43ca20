/** All string leaves of a document at places that patterns name: a slow reference. */
export function leavesAt(document: unknown, patterns: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const pattern of patterns) walk(document, { pattern: pattern.split('.'), path: [], found });
  return [...found].map((path) => String(valueAt(document, JSON.parse(path) as readonly (string | number)[])));
}

interface Walk {
  readonly pattern: readonly string[];
  readonly path: readonly (string | number)[];
  readonly found: Set<string>;
}

function walk(value: unknown, { pattern, path, found }: Walk): void {
  const [head, ...rest] = pattern;
  if (head === undefined) {
    if (typeof value === 'string') found.add(JSON.stringify(path));
    return;
  }
  if (head === '**') walk(value, { pattern: rest, path, found });
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    if (head === '**') walk(member, { pattern, path: [...path, step], found });
    else if (head === '*' || head === key) walk(member, { pattern: rest, path: [...path, step], found });
  }
}

export function valueAt(document: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Readonly<Record<string | number, unknown>>)[key], document);
}
