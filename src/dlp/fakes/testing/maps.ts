import { createHmac } from 'node:crypto';
import type { FakeMap } from '../../types.ts';
import { createFakeMap } from '../fake-map.ts';
import { createTrie } from '../trie.ts';

/** A map of a session with this key. */
export function mapOf(key = 'a session'): FakeMap {
  return createFakeMap({ keyed: (text) => createHmac('sha256', key).update(text).digest() });
}

/**
 * A map whose fakes are chosen: also such as no map gives, that overlap and stand in one another. `<x>` is behind each
 * of them.
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

/** With characters that JSON escapes. */
export function realOfChosen(fake: string): string {
  return `<${fake.toUpperCase()}"\\\n>`;
}
