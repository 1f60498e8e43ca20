import type { FakeMap } from '../types.ts';
import { isPayable } from './checksums.ts';
import { draw, type KeyedHash } from './draw.ts';
import { templateOf } from './template.ts';
import { createTrie } from './trie.ts';

export interface FakeMapOptions {
  /** With a key of the session that nothing else is done with. */
  readonly keyed: KeyedHash;
}

/** A session that shows more secrets than this is no session of work. */
const mostValues = 10_000;
/** Characters of all fakes together. What looks for them takes about 50 bytes for each. */
const mostCharacters = 1 << 20;
/** A draw that is taken once in 2^40 times is not taken so often, unless by what is kept of it. */
const mostAttempts = 8;

/**
 * Fakes for the values of one session, by `templateOf`. They are ASCII. None stands in another one, none is a value that was
 * given before, and none is a card number or an IBAN by its checksum.
 *
 * What a fake tells of its value: what is kept of it, its length, and of each place whether it is a digit, a small or a capital letter.
 */
export function createFakeMap({ keyed }: FakeMapOptions): FakeMap {
  const fakeOf = new Map<string, string>();
  const realOf = new Map<string, string>();
  const fakes: string[] = [];
  const trie = createTrie();
  let characters = 0;

  const isFree = (fake: string): boolean =>
    !fakeOf.has(fake) && !isPayable(fake) && !trie.standsIn(fake) && !fakes.some((other) => other.length > fake.length && other.includes(fake));

  const mint = (rule: string, value: string): string | undefined => {
    const template = templateOf(rule, value);
    if (template === undefined || fakes.length >= mostValues || characters + template.length > mostCharacters) return undefined;
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const fake = draw(template, { keyed, value, attempt });
      if (fake !== value && isFree(fake)) return fake;
    }
    return undefined;
  };

  return {
    fakeFor(rule, value) {
      if (realOf.has(value)) return value;
      const known = fakeOf.get(value);
      if (known !== undefined) return known;
      const fake = mint(rule, value);
      if (fake === undefined) return undefined;
      fakeOf.set(value, fake);
      realOf.set(fake, value);
      fakes.push(fake);
      trie.add(fake);
      characters += fake.length;
      return fake;
    },
    realOf: (fake) => realOf.get(fake),
    fakes: () => fakes,
    automaton: () => trie.automaton(),
  };
}
