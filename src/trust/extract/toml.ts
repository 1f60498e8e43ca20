import { parse, TomlError } from 'smol-toml';
import { deepest, type MapEntry, map, emptyMap, type ParsedValue, scalar, type Value } from './value.ts';

/** Parses TOML 1.0. Never throws. A repeated key is an error to every reader. */
export function parseToml(text: string): ParsedValue {
  try {
    return { value: valueOf(parse(text, { integersAsBigInt: true, maxDepth: deepest }), 0) };
  } catch (error) {
    if (error instanceof TomlError) return { value: emptyMap, problem: `it is not TOML from line ${error.line} on` };
    if (error instanceof RangeError) return { value: emptyMap, problem: `it is nested more than ${deepest} deep` };
    throw error;
  }
}

function valueOf(value: unknown, depth: number): Value {
  if (depth > deepest) throw new RangeError('too deep');
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => valueOf(item, depth + 1)) };
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return scalar(value instanceof Date ? value.toISOString() : String(value));
  return map(Object.entries(value).map(([key, inner]): MapEntry => [key, valueOf(inner, depth + 1)]));
}
