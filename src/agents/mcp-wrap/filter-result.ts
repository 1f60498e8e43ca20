import { type BoundaryName, present } from '../../text/present.ts';
import type { RpcOutcome, Params } from './rpc.ts';

type Boundary = Extract<BoundaryName, 'tool-result' | 'tool-description'>;

/** Members that carry bytes or names that are given back as they are: what is filtered there would be another thing. */
const kept: ReadonlySet<string> = new Set(['data', 'blob', 'uri', 'mimeType', 'cursor', 'nextCursor', 'uriTemplate']);
/** What would make a client fetch something by itself, or is meant for no model. */
const dropped: ReadonlySet<string> = new Set(['icons', '_meta']);
/** Below these a server has names of its own: `icons` may be an argument of a tool. */
const named: ReadonlySet<string> = new Set(['structuredContent', 'inputSchema', 'outputSchema', 'requestedSchema']);

/**
 * Everything that an agent may read of what a server gave: each text, keys among them, with what does not show written
 * out. Bytes of images, sound and files stay as they are.
 */
export function filteredParams(boundary: Boundary, value: Params): Params {
  return filtered(boundary, value) as Params;
}

/** An answer that is passed on: its result, or the words of its error. */
export function shownAnswer(answer: RpcOutcome): RpcOutcome {
  if ('result' in answer) return { result: filteredParams('tool-result', answer.result) };
  const { code, message } = answer.error;
  return { error: { code, message: String(filteredParams('tool-result', { message })['message']) } };
}

function filtered(boundary: Boundary, value: unknown): unknown {
  return walked(value, boundary, (holder, key, item) => {
    if (dropped.has(key)) return [];
    if (named.has(key)) return [[key, texts(boundary, item)]];
    return [[shownText(boundary, key), keptAs(holder, key) && isPlain(item) ? item : filtered(boundary, item)]];
  });
}

function texts(boundary: Boundary, value: unknown): unknown {
  return walked(value, boundary, (_holder, key, item) => [[shownText(boundary, key), texts(boundary, item)]]);
}

type Member = (holder: object, key: string, item: unknown) => readonly (readonly [string, unknown])[];

function walked(value: unknown, boundary: Boundary, member: Member): unknown {
  if (typeof value === 'string') return shownText(boundary, value);
  if (Array.isArray(value)) return value.map((item) => walked(item, boundary, member));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]: readonly [string, unknown]) => member(value, key, item)),
  );
}

/** For the first time: a mark that stands in it already is one that the server has forged. */
function shownText(boundary: Boundary, text: string): string {
  return present(boundary, text).text;
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
