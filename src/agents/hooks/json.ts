import { HoldfastError } from '../../errors/index.ts';
import type { JsonObject } from './types.ts';

/** @throws HoldfastError `HF_HOOK_INVALID` for a text that is not a JSON object. */
export function parseObject(text: string): JsonObject {
  const value = parse(text);
  if (!isObject(value)) throw invalidCall('the hook was called with JSON that is not an object');
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidCall('the hook was called with input that is not JSON');
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a required member. */
export function stringOf(object: JsonObject, member: string): string {
  const value = Object.hasOwn(object, member) ? object[member] : undefined;
  if (typeof value === 'string') return value;
  throw invalidCall(`expected a text as ${member}, got ${value === undefined ? 'nothing' : typeof value}`);
}

export function objectOf(object: JsonObject, member: string): JsonObject {
  const value = Object.hasOwn(object, member) ? object[member] : undefined;
  if (isObject(value)) return value;
  throw invalidCall(`expected an object as ${member}`);
}

/** Returns the texts of an optional member, which is one text or a list. */
export function memberTexts(object: JsonObject, member: string): readonly string[] {
  const value = Object.hasOwn(object, member) ? object[member] : undefined;
  if (value === undefined || value === null) return [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((each) => {
    if (typeof each === 'string') return each;
    throw invalidCall(`expected a text as ${member}`);
  });
}

export function invalidCall(message: string): HoldfastError {
  return new HoldfastError('HF_HOOK_INVALID', message, {
    remedy:
      'use versions of the agent and Holdfast that fit together; until then run the agent inside `holdfast run`, or use the tools of `holdfast mcp`',
  });
}

/** Maximum items of one call. Attack: a call with so many that all others wait for it. */
const most = 1000;

/** @throws HoldfastError `HF_HOOK_INVALID` */
export function few<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length <= most) return items;
  throw invalidCall(`a call names more than ${most} paths or hosts`);
}
