import type { Answer } from './types.ts';

/** What a program printed is the secret, without the line break that ends the last line. */
export function oneLine(text: string): Answer {
  return { kind: 'answer', value: text.replace(/\r?\n$/u, ''), fields: {} };
}
