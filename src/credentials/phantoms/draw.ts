import { createHmac } from 'node:crypto';

/** Characters of an alphabet of at most 256, each as likely as the others. */
export type Draw = (alphabet: string, count: number) => string;

/** The same key and label give the same characters; without the key they are as good as random (HMAC-SHA-256 of a counter). */
export function createDraw(key: Buffer, label: string): Draw {
  const bytes = stream(key, label);
  return (alphabet, count) => Array.from({ length: count }, () => drawOne(alphabet, bytes)).join('');
}

function drawOne(alphabet: string, bytes: Generator<number, never>): string {
  // What is over the last whole multiple would make the first characters likelier.
  const fair = 256 - (256 % alphabet.length);
  for (;;) {
    const { value } = bytes.next();
    if (value < fair) return alphabet.charAt(value % alphabet.length);
  }
}

function* stream(key: Buffer, label: string): Generator<number, never> {
  for (let block = 0; ; block += 1) yield* createHmac('sha256', key).update(`${block} ${label}`).digest();
}
