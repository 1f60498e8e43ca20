import { shown } from '../mcp/shown.ts';
import type { Params } from './rpc.ts';

/** Members that carry bytes or names that are given back as they are: what is filtered there would be another thing. */
const kept: ReadonlySet<string> = new Set(['data', 'blob', 'uri', 'mimeType', 'cursor', 'nextCursor', 'uriTemplate']);
/** What would make a client fetch something by itself, or is meant for no model. */
const dropped: ReadonlySet<string> = new Set(['icons', '_meta']);

/** Everything that an agent may read of what a server gave: each text, keys among them, with what does not show written out. Bytes of images, sound and files stay as they are. */
export function filterResult(boundary: 'tool-result' | 'tool-description', value: Params): Params {
  return filtered(boundary, value) as Params;
}

function filtered(boundary: 'tool-result' | 'tool-description', value: unknown): unknown {
  if (typeof value === 'string') return shown(boundary, value);
  if (Array.isArray(value)) return value.map((item) => filtered(boundary, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): readonly (readonly [string, unknown])[] => {
      if (dropped.has(key)) return [];
      // What a tool gives as data has names of its own.
      if (key === 'structuredContent') return [[key, shown(boundary, item)]];
      return [[shown(boundary, key), keptAs(value, key) && isPlain(item) ? item : filtered(boundary, item)]];
    }),
  );
}

/** Bytes only beside what says that they are some. */
function keptAs(holder: object, key: string): boolean {
  if (!kept.has(key)) return false;
  if (key === 'data') return 'type' in holder && (holder.type === 'image' || holder.type === 'audio');
  return key === 'blob' ? 'uri' in holder : true;
}

/** Base64, an address, a media type: what shows is no text in disguise. */
function isPlain(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21-\x7e]*$/u.test(value);
}
