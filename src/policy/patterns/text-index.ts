import { compileWildcard, matchesWildcard, type Wildcard } from './wildcard.ts';

/** One text pattern in a set: in which order it is tried, and what it stands for. */
export interface TextEntry<Value> {
  readonly pattern: string;
  /** Lower is tried first. */
  readonly order: number;
  readonly value: Value;
  /** Whether a wildcard in the pattern also covers texts that are looked up as `guarded`. */
  readonly wildcards: 'cover-all' | 'spare-guarded';
}

export interface TextIndex<Value> {
  /** The entry with the lowest order that matches. A `guarded` text has to be named exactly by what would let it pass. */
  readonly first: (text: string, care: 'plain' | 'guarded') => TextEntry<Value> | undefined;
}

/** For names of variables, of tools and of abstract sockets. */
export function textIndex<Value>(entries: readonly TextEntry<Value>[]): TextIndex<Value> {
  const named = new Map<string, TextEntry<Value>>();
  const wild: { readonly entry: TextEntry<Value>; readonly wildcard: Wildcard }[] = [];
  for (const entry of entries.toSorted((a, b) => a.order - b.order)) {
    const wildcard = compileWildcard(entry.pattern);
    if (wildcard.literal === undefined) wild.push({ entry, wildcard });
    else if (!named.has(wildcard.literal)) named.set(wildcard.literal, entry);
  }
  const unguarded = wild.filter(({ entry }) => entry.wildcards === 'cover-all');
  return {
    first(text, care) {
      const exact = named.get(text);
      const candidates = care === 'guarded' ? unguarded : wild;
      const found = candidates.find(({ wildcard }) => matchesWildcard(wildcard, text))?.entry;
      if (exact === undefined || found === undefined) return exact ?? found;
      return exact.order < found.order ? exact : found;
    },
  };
}
