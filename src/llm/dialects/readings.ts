import type { Delta, EventReading, NamedTool } from '../types.ts';
import { at, textAt } from '../usage/hostile-json.ts';

export const emptyReading: EventReading = { deltas: [], closes: [] };

/** Returns the string at `path` as a piece on `channel`. Returns nothing if it is missing or empty. */
export function piece(event: unknown, delta: Delta): readonly Delta[] {
  return (textAt(event, ...delta.path) ?? '') === '' ? [] : [delta];
}

/** Returns the object at `path` as a value with whole leaves. Returns nothing if it is missing or empty. */
export function valuePiece(event: unknown, { channel, path }: Pick<Delta, 'channel' | 'path'>): readonly Delta[] {
  const value = at(event, ...path);
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
    ? [{ channel, kind: 'arguments-value', path }]
    : [];
}

/** Returns the tool that a channel's arguments are for. Returns nothing without a name. */
export function namedTool(channel: string, name: string | undefined): readonly NamedTool[] {
  return name === undefined || name === '' ? [] : [{ channel, name }];
}

/**
 * Returns the members of an event that a similar event needs. Attack: a list 100,000 levels deep cannot be written, and
 * the attempt would lose the answer.
 */
export function headOf(like: unknown, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    keys
      .map((key) => [key, at(like, key)] as const)
      .filter(([, value]) => value === null || /^(?:string|number|boolean)$/u.test(typeof value)),
  );
}

/** Returns the index after a name in a channel: 3 for `content` in `content.3`. */
export function indexIn(channel: string, name: string): number {
  const parts = channel.split('.');
  const found = Number(parts[parts.indexOf(name) + 1]);
  return parts.includes(name) && Number.isInteger(found) ? found : 0;
}
