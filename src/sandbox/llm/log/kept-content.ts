import type { KeptContent } from './line-types.ts';
import type { Redactor } from './redactor.ts';

/** Characters of a request, and of an answer, that are kept. */
export const longestContent = 4 * 1024 * 1024;

/** What is kept of a content: texts without what may not lie on the disk, of anything else only its size. */
export function keptContent(bytes: Buffer | undefined, type: string | undefined, redactor: Redactor): KeptContent {
  if (bytes === undefined || bytes.length === 0) return { none: true };
  const whole = bytes.toString();
  const text = redactor.json(whole) ?? (isText(type) ? redactor.text(whole) : undefined);
  if (text === undefined) return { bytes: bytes.length, type: redactor.text(type ?? 'no type').slice(0, longestType) };
  return text.length <= longestContent ? { text } : { text: text.slice(0, longestContent), cut: true };
}

const longestType = 100;

function isText(type = ''): boolean {
  return /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/iu.test(type);
}
