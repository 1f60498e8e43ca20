import { createMatcher, encodingsOf } from '../../credentials/index.ts';
import type { ExactFinder } from '../../dlp/index.ts';

/** Secrets of a session as they are at one time, ready to be looked for. */
export interface KnownSecrets {
  readonly texts: readonly string[];
  readonly exact: ExactFinder;
}

/** Gives the same object while the secrets are the same: a matcher of many spellings costs more to make than to use. */
export function knownSecrets(secrets: () => readonly string[]): () => KnownSecrets {
  let known: KnownSecrets | undefined;
  return () => {
    const texts = secrets();
    if (known === undefined || !hasSame(known.texts, texts)) known = { texts: [...texts], exact: exactFinder(texts) };
    return known;
  };
}

/** Whether two lists have the same things in the same order. */
export function hasSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** Shorter ones stand in texts by accident. */
const shortest = 8;

/** Finds known secrets in every spelling that programs give them. */
export function exactFinder(secrets: readonly string[]): ExactFinder {
  const known = [...new Set(secrets)].filter(({ length }) => length >= shortest);
  if (known.length === 0) return { find: () => [] };
  const matcher = createMatcher(known.flatMap((secret) => encodingsOf(secret).map((bytes) => ({ bytes, of: secret }))));
  return {
    find(text) {
      const bytes = Buffer.from(text);
      const matches = matcher.find(bytes);
      if (matches.length === 0) return [];
      const unitAt = bytes.length === text.length ? (at: number): number => at : unitsIn(bytes);
      return matches.map(({ start, end }) => ({ start: unitAt(start), end: unitAt(end) }));
    },
  };
}

/**
 * Octets are code units where all is ASCII. Attack: elsewhere they would be counted from the front for each of a
 * million finds.
 */
function unitsIn(bytes: Buffer): (at: number) => number {
  let known = 0;
  let units = 0;
  return (at) => {
    for (; known < at; known += 1) units += unitsOf(bytes[known]);
    for (; known > at; known -= 1) units -= unitsOf(bytes[known - 1]);
    return units;
  };
}

/** Of the character that an octet begins: UTF-16 has two for what has four octets in UTF-8. */
function unitsOf(byte = 0): number {
  if (byte >= 0xf0) return 2;
  return (byte & 0xc0) === 0x80 ? 0 : 1;
}
