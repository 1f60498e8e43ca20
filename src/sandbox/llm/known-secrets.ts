import type { ExactFinder } from '../../dlp/index.ts';
import { exactFinder } from './exact-finder.ts';

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
