import type { AnyValue, KeyValue } from './proto-json.ts';

/** What SDKs keep by default: https://opentelemetry.io/docs/specs/otel/common/#configurable-parameters */
const mostAttributes = 128;
const longestText = 8192;
const mostElements = 100;
const deepest = 8;

/**
 * Fields as attributes with dotted names: `{ request: { path } }` becomes `holdfast.request.path`. Bounded in number,
 * depth and length, because a box chooses some of these texts.
 */
export function attributesOf(prefix: string, fields: Readonly<Record<string, unknown>>): readonly KeyValue[] {
  const attributes: KeyValue[] = [];
  flatten({ prefix, depth: deepest, attributes }, fields);
  return attributes;
}

interface Flattening {
  readonly prefix: string;
  readonly depth: number;
  readonly attributes: KeyValue[];
}

function flatten({ prefix, depth, attributes }: Flattening, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (attributes.length >= mostAttributes) return;
    const key = `${prefix}.${name.toWellFormed()}`;
    const scalar = valueOf(value);
    if (scalar !== undefined) attributes.push({ key, value: scalar });
    else if (typeof value === 'object' && value !== null && depth > 0)
      flatten({ prefix: key, depth: depth - 1, attributes }, value as Readonly<Record<string, unknown>>);
  }
}

/** Undefined for what has parts of its own. */
export function valueOf(value: unknown): AnyValue | undefined {
  switch (typeof value) {
    case 'string':
      return { stringValue: (value.length > longestText ? `${value.slice(0, longestText)}…` : value).toWellFormed() };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      if (Number.isSafeInteger(value)) return { intValue: String(value) };
      // JSON reads 1e999, and cannot write what it reads.
      return Number.isFinite(value) ? { doubleValue: value } : { stringValue: String(value) };
    default:
      return Array.isArray(value) ? arrayOf(value) : undefined;
  }
}

function arrayOf(values: readonly unknown[]): AnyValue | undefined {
  const scalars = values
    .slice(0, mostElements)
    .flatMap((value) => (Array.isArray(value) ? [] : (valueOf(value) ?? [])));
  return scalars.length === Math.min(values.length, mostElements) ? { arrayValue: { values: scalars } } : undefined;
}
