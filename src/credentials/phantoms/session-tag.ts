import { createHmac } from 'node:crypto';
import { base64Alignments } from '../masking/encodings.ts';
import { createMatcher, type Matcher } from '../masking/matcher.ts';

/**
 * Seven digits that all phantoms of one session have near their beginning, so that traffic is searched for one text and
 * not for every phantom. Digits from 2 to 7 are in every alphabet that keys are written in.
 */
export function sessionTag(key: Buffer): string {
  return createDraw(key, 'tag')('234567', 7);
}

/** How a tag is written where it stands. `skipped`: characters of its first base64 group that stand before it. */
export type TagSpelling =
  | { readonly kind: 'plain' }
  | { readonly kind: 'hex' }
  | { readonly kind: 'base64'; readonly before: number; readonly skipped: number };

/** The digits of a tag are the same in hexadecimal of both cases, and in base64 of both alphabets. */
export function tagMatcher(tag: string): Matcher<TagSpelling> {
  const bytes = Buffer.from(tag);
  return createMatcher<TagSpelling>([
    { bytes, of: { kind: 'plain' } },
    { bytes: Buffer.from(bytes.toString('hex')), of: { kind: 'hex' } },
    ...base64Alignments(bytes).map((text, before) => ({
      bytes: Buffer.from(text),
      of: { kind: 'base64', before, skipped: Math.ceil((before * 4) / 3) } as const,
    })),
  ]);
}

/** Characters of an alphabet of at most 256, each as likely as the others. */
export type Draw = (alphabet: string, count: number) => string;

/**
 * The same key and label give the same characters; without the key they are as good as random (HMAC-SHA-256 of a
 * counter).
 */
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
