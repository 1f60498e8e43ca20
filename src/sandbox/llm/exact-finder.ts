import { createMatcher, encodingsOf } from '../../credentials/index.ts';
import type { ExactFinder } from '../../dlp/index.ts';

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
      // Octets are code units where all is ASCII; elsewhere they are counted up to each find.
      const unitAt = bytes.length === text.length ? (at: number): number => at : (at: number): number => bytes.toString('utf8', 0, at).length;
      return matches.map(({ start, end }) => ({ start: unitAt(start), end: unitAt(end) }));
    },
  };
}
