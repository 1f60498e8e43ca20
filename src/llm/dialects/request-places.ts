import type { FieldPattern } from '../../dlp/index.ts';
import { isObject, listAt } from '../usage/hostile-json.ts';

/** Every place below every prefix. A prefix ends with a dot, or is empty. */
export function below(prefixes: readonly string[], places: readonly string[]): readonly FieldPattern[] {
  return prefixes.flatMap((prefix) => places.map((place) => `${prefix}${place}`));
}

/** Beginnings of base64 of PDF, PNG, JPEG, GIF, WebP and ZIP, which are what sends files as base64. */
const base64Files = ['JVBERi', 'iVBORw0KGgo', '/9j/', 'R0lGOD', 'UklGR', 'UEsDB', 'data:'] as const;

/** Whether a leaf of `requestTextOrBase64` is text to look into. Base64 of a file of another kind passes for text: rather looked into than not. */
export function isTextLeaf(leaf: string): boolean {
  return !base64Files.some((beginning) => leaf.startsWith(beginning));
}

/** The last element of a list in a request, and its index; undefined for an empty one. */
export function lastOf(request: unknown, key: string): { readonly index: number; readonly value: unknown } | undefined {
  const list = listAt(request, key);
  const value = list.at(-1);
  return isObject(value) ? { index: list.length - 1, value } : undefined;
}
