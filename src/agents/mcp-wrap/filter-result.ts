import { type BoundaryName, present } from '../../text/present.ts';
import type { RpcOutcome, Params } from './rpc.ts';

type Boundary = Extract<BoundaryName, 'tool-result' | 'tool-description'>;

/** Members with bytes, or with names that the agent sends back unchanged. A filter would change their meaning. */
const kept: ReadonlySet<string> = new Set(['data', 'blob', 'uri', 'mimeType', 'cursor', 'nextCursor', 'uriTemplate']);
/** Members that would make a client fetch something by itself, or that are not for a model. */
const dropped: ReadonlySet<string> = new Set(['icons', '_meta']);
/** Below these a server chooses the names: `icons` may be an argument of a tool. */
const named: ReadonlySet<string> = new Set(['structuredContent', 'inputSchema', 'outputSchema', 'requestedSchema']);

/**
 * Returns a server's text in a form that an agent may read: hidden characters are written out in each text and key.
 * Bytes of images, sound and files stay.
 */
export function filteredParams(boundary: Boundary, value: Params): Params {
  return filtered(boundary, value) as Params;
}

/** Returns an answer in a form that is passed on: its result, or the text of its error. */
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

/** Filters a text for the first time: an existing mark in it is a forgery of the server. */
function shownText(boundary: Boundary, text: string): string {
  return present(boundary, text).text;
}

/** Bytes count as such only beside a member that says so. */
function keptAs(holder: object, key: string): boolean {
  if (!kept.has(key)) return false;
  if (key === 'data') return 'type' in holder && (holder.type === 'image' || holder.type === 'audio');
  return key === 'blob' ? 'uri' in holder : true;
}

/** Base64, an address, a media type: visible characters hide no text. */
function isPlain(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21-\x7e]*$/u.test(value);
}
