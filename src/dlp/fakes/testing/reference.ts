import type { FakeMap, Restorer } from '../../types.ts';

/**
 * The slow reference for a restorer's result. After the last replacement, it takes the fake that ends first, and of
 * these the longest.
 */
export function replacedSlowly(text: string, map: FakeMap): string {
  const fakes = [...map.fakes()].sort((a, b) => b.length - a.length);
  let shown = '';
  let rest = '';
  for (const unit of text.split('')) {
    rest += unit;
    const fake = fakes.find((each) => rest.endsWith(each));
    if (fake === undefined) continue;
    shown += rest.slice(0, -fake.length) + (map.realOf(fake) ?? '');
    rest = '';
  }
  return shown + rest;
}

/** The same in all strings and keys of a parsed document. */
export function replacedInDocument(value: unknown, map: FakeMap): unknown {
  if (typeof value === 'string') return replacedSlowly(value, map);
  if (Array.isArray(value)) return value.map((each) => replacedInDocument(each, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [replacedSlowly(key, map), replacedInDocument(each, map)]),
  );
}

/** Length of the longest end of a text that is the beginning of an incomplete fake. */
export function undecidedSlowly(text: string, map: FakeMap): number {
  for (let length = text.length; length > 0; length -= 1)
    if (map.fakes().some((fake) => fake.length > length && fake.startsWith(text.slice(-length)))) return length;
  return 0;
}

export function runOf(restorer: Restorer, pieces: readonly string[]): string {
  return pieces.map((piece) => restorer.push(piece)).join('') + restorer.end();
}

/** Cuts into pieces of these lengths, repeatedly. The last one is the rest. */
export function cutInto(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}
