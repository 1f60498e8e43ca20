import type { FakeMap } from '../types.ts';
import { isPayable, templateOf } from './fake-template.ts';
import type { Template } from './places.ts';
import { createTrie } from './trie.ts';

export interface FakeMapOptions {
  /** Keyed hash. The key belongs to the session and is used for nothing else. */
  readonly keyed: KeyedHash;
}

/** More values than any session of real work shows. */
const mostValues = 10_000;
/** Most characters of all fakes together. The search takes about 50 bytes for each. */
const mostCharacters = 1 << 20;
/** A draw is already taken once in 2^40 times. It does not repeat this often, unless the kept parts cause it. */
const mostAttempts = 8;

/**
 * Creates fakes for the values of one session, by `templateOf`. They are ASCII. None contains another, none is an
 * earlier value, and none has the checksum of a card number or an IBAN.
 *
 * A fake reveals the kept parts and the length of its value. For each position it also reveals whether the character is
 * a digit, a lower-case or an upper-case letter.
 */
export function createFakeMap({ keyed }: FakeMapOptions): FakeMap {
  const fakeOf = new Map<string, string>();
  const realOf = new Map<string, string>();
  const fakes: string[] = [];
  const trie = createTrie();
  let characters = 0;

  const isFree = (fake: string): boolean =>
    !fakeOf.has(fake) &&
    !isPayable(fake) &&
    !trie.standsIn(fake) &&
    !fakes.some((other) => other.length > fake.length && other.includes(fake));

  const mint = (rule: string, value: string): string | undefined => {
    const template = templateOf(rule, value);
    if (template === undefined || fakes.length >= mostValues || characters + template.length > mostCharacters)
      return undefined;
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

/** A keyed hash of a text: at least 16 bytes. Without the key, the bytes are indistinguishable from random ones. */
export type KeyedHash = (text: string) => Uint8Array;

interface DrawOptions {
  readonly keyed: KeyedHash;
  /** Seed of the draw. The same value gives the same text. */
  readonly value: string;
  /** 0, or more if earlier draws were taken. */
  readonly attempt: number;
}

/** Draws a text from a template. All possible texts are equally likely. */
function draw(template: Template, { keyed, value, attempt }: DrawOptions): string {
  // JSON writes lone surrogates as escapes. In UTF-8 all of them would be the same.
  const seed = Array.from(keyed(`fake ${JSON.stringify(value)}`), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
  const next = bytesOf(keyed, `fake ${attempt} ${seed}`);
  return template.map((alphabet) => (alphabet.length === 1 ? alphabet : drawOne(alphabet, next))).join('');
}

function drawOne(alphabet: string, next: () => number): string {
  // Bytes above the last whole multiple would favour the first characters of the alphabet.
  const fair = 256 - (256 % alphabet.length);
  let byte = next();
  while (byte >= fair) byte = next();
  return alphabet.charAt(byte % alphabet.length);
}

function bytesOf(keyed: KeyedHash, label: string): () => number {
  let bytes = new Uint8Array(0);
  let at = 0;
  let block = 0;
  return () => {
    if (at === bytes.length) {
      bytes = Uint8Array.from(keyed(`${label} ${block}`));
      block += 1;
      at = 0;
    }
    at += 1;
    return bytes[at - 1] ?? 0;
  };
}
