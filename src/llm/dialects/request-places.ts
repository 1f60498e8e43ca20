import type { FieldPattern } from '../../dlp/types.ts';
import type { ModelRefusalAnswer } from '../types.ts';
import { isRecord, listAt } from '../usage/hostile-json.ts';

/** Every place below every prefix. A prefix ends with a dot, or is empty. */
export function placesBelow(prefixes: readonly string[], places: readonly string[]): readonly FieldPattern[] {
  return prefixes.flatMap((prefix) => places.map((place) => `${prefix}${place}`));
}

/** Beginnings of base64 of PDF, PNG, JPEG, GIF, WebP and ZIP, which are what sends files as base64. */
const base64Files = ['JVBERi', 'iVBORw0KGgo', '/9j/', 'R0lGOD', 'UklGR', 'UEsDB', 'data:'] as const;

/**
 * Whether a leaf of `requestTextOrBase64` is text to look into. Base64 of a file of another kind passes for text:
 * rather looked into than not.
 */
export function isTextLeaf(leaf: string): boolean {
  return !base64Files.some((beginning) => leaf.startsWith(beginning));
}

/** The last element of a list in a request, and its index; undefined for an empty one. */
export function lastElement(
  request: unknown,
  key: string,
): { readonly index: number; readonly value: unknown } | undefined {
  const list = listAt(request, key);
  const value = list.at(-1);
  return isRecord(value) ? { index: list.length - 1, value } : undefined;
}

/**
 * A refusal with what keeps clients from trying again. SDKs of OpenAI and Anthropic try 408, 409, 429 and 5xx again,
 * that of AWS 5xx and throttling; `x-should-retry: false` stops the first two. 429 is kept for rate limits, where
 * trying later is right.
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
