import type { FieldPattern } from '../../dlp/types.ts';
import type { ModelRefusalAnswer } from '../types.ts';
import { isRecord, listAt } from '../usage/hostile-json.ts';

/** Returns every position below every prefix. A prefix ends with a dot, or is empty. */
export function placesBelow(prefixes: readonly string[], places: readonly string[]): readonly FieldPattern[] {
  return prefixes.flatMap((prefix) => places.map((place) => `${prefix}${place}`));
}

/** The first characters of base64 for PDF, PNG, JPEG, GIF, WebP and ZIP, the usual files in base64. */
const base64Files = ['JVBERi', 'iVBORw0KGgo', '/9j/', 'R0lGOD', 'UklGR', 'UEsDB', 'data:'] as const;

/**
 * Returns true if a leaf of `requestTextOrBase64` is text to search. Base64 of any other file counts as text, because a
 * needless search is harmless.
 */
export function isTextLeaf(leaf: string): boolean {
  return !base64Files.some((beginning) => leaf.startsWith(beginning));
}

/** Returns the last element of a list in a request, and its index. Undefined if the list is empty. */
export function lastElement(
  request: unknown,
  key: string,
): { readonly index: number; readonly value: unknown } | undefined {
  const list = listAt(request, key);
  const value = list.at(-1);
  return isRecord(value) ? { index: list.length - 1, value } : undefined;
}

/**
 * Returns a refusal that clients do not retry. The SDKs of OpenAI and Anthropic retry 408, 409, 429 and 5xx, and the
 * SDK of AWS retries 5xx and throttling. `x-should-retry: false` stops the first two. 429 is kept for rate limits,
 * where a later attempt makes sense.
 */
export function modelRefusalAnswer(
  status: number,
  body: (status: number) => unknown,
  headers: Readonly<Record<string, string>> = {},
): ModelRefusalAnswer {
  const kept = refusalStatus(status);
  return {
    status: kept,
    headers: { 'content-type': 'application/json', ...(kept === 429 ? {} : { 'x-should-retry': 'false' }), ...headers },
    body: body(kept),
  };
}

export function refusalStatus(status: number): number {
  return Number.isInteger(status) && status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 425
    ? status
    : 403;
}
