import type { Delta, EventReading } from '../types.ts';
import { at, textAt } from '../usage/hostile-json.ts';

export const nothing: EventReading = { deltas: [], closes: [] };

/** The string at `path` as a piece on `channel`; nothing where there is none, or an empty one. */
export function piece(event: unknown, delta: Delta): readonly Delta[] {
  return (textAt(event, ...delta.path) ?? '') === '' ? [] : [delta];
}

/** The object at `path` as a value whose leaves are whole; nothing for an empty or missing one. */
export function valuePiece(event: unknown, { channel, path }: Pick<Delta, 'channel' | 'path'>): readonly Delta[] {
  const value = at(event, ...path);
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? [{ channel, kind: 'arguments-value', path }] : [];
}

/** The index that stands in a channel behind a name: 3 for `content` in `content.3`. */
export function indexIn(channel: string, name: string): number {
  const parts = channel.split('.');
  const found = Number(parts[parts.indexOf(name) + 1]);
  return parts.includes(name) && Number.isInteger(found) ? found : 0;
}
