import type { KnownSecret } from '../types.ts';
import { encodingsOf } from './encodings.ts';
import { createMatcher, type Matcher } from './matcher.ts';

/**
 * Bytes of the shortest secret that is looked for inside of other text. Shorter ones stand in ordinary content by
 * chance: masking would damage it, and would tell the secret by what it damages.
 */
const shortestSecret = 8;

/**
 * Gives a matcher of the secrets that are known at the moment, by the name of their credential. Made again when those
 * are others.
 */
export function secretMatcher(known: () => readonly KnownSecret[]): () => Matcher<string> {
  let of: readonly KnownSecret[] = [];
  let matcher = createMatcher<string>([]);
  return () => {
    const now = known();
    if (!areSame(now, of)) {
      of = [...now];
      matcher = createMatcher(
        of
          .filter(isLong)
          .flatMap(({ text, credential }) => encodingsOf(text).map((bytes) => ({ bytes, of: credential }))),
      );
    }
    return matcher;
  };
}

/** Asked for every chunk, mostly of one and the same list. */
function areSame(some: readonly KnownSecret[], others: readonly KnownSecret[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index += 1) {
    if (some[index]?.text !== others[index]?.text || some[index]?.credential !== others[index]?.credential)
      return false;
  }
  return true;
}

/** Whether it is looked for inside of other text. */
export function isLong({ text }: KnownSecret): boolean {
  return Buffer.byteLength(text) >= shortestSecret;
}
