import { createHmac } from 'node:crypto';
import type { FakeMap } from '../../types.ts';
import { createFakeMap } from '../fake-map.ts';
import { createTrie } from '../trie.ts';

/** A session's map with this key. */
export function mapOf(key = 'a session'): FakeMap {
  return createFakeMap({ keyed: (text) => createHmac('sha256', key).update(text).digest() });
}

/**
 * A map with chosen fakes, also ones that no map makes: they overlap and contain each other. `<x>` follows each of
 * them.
 */
export function chosenMap(chosen: readonly string[]): FakeMap & { add(fake: string): void } {
  const trie = createTrie();
  const fakes: string[] = [];
  const add = (fake: string): void => {
    fakes.push(fake);
    trie.add(fake);
  };
  chosen.forEach(add);
  return {
    add,
    fakeFor: () => undefined,
    realOf: (fake) => (fakes.includes(fake) ? realOfChosen(fake) : undefined),
    fakes: () => fakes,
    automaton: () => trie.automaton(),
  };
}

/** Includes characters that JSON escapes. */
export function realOfChosen(fake: string): string {
  return `<${fake.toUpperCase()}"\\\n>`;
}
