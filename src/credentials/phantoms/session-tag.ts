import { base64Alignments } from '../masking/encodings.ts';
import { createMatcher, type Matcher } from '../masking/matcher.ts';
import { createDraw } from './draw.ts';

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
    ...base64Alignments(bytes).map((text, before) => ({ bytes: Buffer.from(text), of: { kind: 'base64', before, skipped: Math.ceil((before * 4) / 3) } as const })),
  ]);
}
