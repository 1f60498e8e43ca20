import type { Field, Fields } from './message.ts';

export function field(name: string, value: string): Field {
  return { name, key: name.toLowerCase(), value };
}

/** The value of the first field of that name. `key` in lower case. */
export function valueOf(fields: Fields, key: string): string | undefined {
  return fields.find((candidate) => candidate.key === key)?.value;
}

/** The values of every field of that name, in order. */
export function valuesOf(fields: Fields, key: string): readonly string[] {
  return fields.filter((candidate) => candidate.key === key).map(({ value }) => value);
}

/** The members of a comma-separated list spread over any number of fields, in lower case. */
export function tokensOf(fields: Fields, key: string): readonly string[] {
  return valuesOf(fields, key).flatMap((value) =>
    value
      .toLowerCase()
      .split(',')
      .map((token) => token.trim())
      .filter((token) => token !== ''),
  );
}

/** Replaces every field of that name by one, at the place of the first, or appends it. */
export function withField(fields: Fields, name: string, value: string): Fields {
  const added = field(name, value);
  const first = fields.findIndex(({ key }) => key === added.key);
  if (first === -1) return [...fields, added];
  return fields.flatMap((candidate, index) =>
    index === first ? [{ ...added, name: candidate.name }] : candidate.key === added.key ? [] : [candidate],
  );
}

export function withoutField(fields: Fields, key: string): Fields {
  return fields.filter((candidate) => candidate.key !== key);
}
