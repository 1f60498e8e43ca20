import type { Delta, EventReading, NamedTool } from '../types.ts';
import { at, textAt } from '../usage/hostile-json.ts';

export const emptyReading: EventReading = { deltas: [], closes: [] };

/** The string at `path` as a piece on `channel`; nothing where there is none, or an empty one. */
export function piece(event: unknown, delta: Delta): readonly Delta[] {
  return (textAt(event, ...delta.path) ?? '') === '' ? [] : [delta];
}

/** The object at `path` as a value whose leaves are whole; nothing for an empty or missing one. */
export function valuePiece(event: unknown, { channel, path }: Pick<Delta, 'channel' | 'path'>): readonly Delta[] {
  const value = at(event, ...path);
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
    ? [{ channel, kind: 'arguments-value', path }]
    : [];
}

/** The tool that a channel's arguments are for; nothing where no name is told. */
export function namedTool(channel: string, name: string | undefined): readonly NamedTool[] {
  return name === undefined || name === '' ? [] : [{ channel, name }];
}

/**
 * Members of an event for another one like it. Attack: a list 100,000 deep cannot be written, and who tries has no
 * answer any more.
 */
export function headOf(like: unknown, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    keys
      .map((key) => [key, at(like, key)] as const)
      .filter(([, value]) => value === null || /^(?:string|number|boolean)$/u.test(typeof value)),
  );
}

/** The index that stands in a channel behind a name: 3 for `content` in `content.3`. */
export function indexIn(channel: string, name: string): number {
  const parts = channel.split('.');
  const found = Number(parts[parts.indexOf(name) + 1]);
  return parts.includes(name) && Number.isInteger(found) ? found : 0;
}
