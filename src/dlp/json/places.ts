/** A pattern for the keys of a path, and its owner. */
export interface PlacePattern<Of> {
  /**
   * `*` is one key or index, and `**` is any number of them, including none. With `matches: 'exactly'` neither is
   * special.
   */
  readonly keys: readonly string[];
  /** `in-any-case`: compares keys as `foldCase` folds them. */
  readonly matches: 'patterns' | 'patterns-in-any-case' | 'exactly';
  readonly of: Of;
}

/** A position in a document, as far as the patterns distinguish positions. */
export interface JsonPlace<Of> {
  /** The patterns that match here. */
  readonly ends: readonly Of[];
  /** Whether a pattern matches here, or can match deeper. */
  readonly isLive: boolean;
  /** Whether the next key or index matters. */
  readonly namesKeys: boolean;
  readonly namesIndexes: boolean;
  /** Returns the position below. Without a key, the key does not matter. */
  under(key?: string): JsonPlace<Of>;
}

/** Patterns with many `**` have too many sets of positions to keep them all in memory. */
const mostKept = 1000;

/** A step of a pattern. All patterns are in one list, and each ends with an `end`. */
type Step<Of> =
  | { readonly kind: 'key'; readonly key: string; readonly folded: boolean }
  | { readonly kind: 'one' }
  | { readonly kind: 'any-number' }
  | { readonly kind: 'end'; readonly of: Of };

/**
 * Folds a key as Go does (encoding/json, `foldName`). Go reads both `Content` and a spelling with a long s as the same
 * field. Some other parsers do too.
 */
export function foldCase(key: string): string {
  return key.toUpperCase().toLowerCase();
}

/**
 * Returns the position at the top of a document. Each position is a set of states of the patterns, created on demand.
 */
export function topPlace<Of>(patterns: readonly PlacePattern<Of>[]): JsonPlace<Of> {
  const steps: Step<Of>[] = [];
  const firsts: number[] = [];
  for (const pattern of patterns) {
    firsts.push(steps.length);
    steps.push(...stepsOf(pattern));
  }
  return placesOver(steps).at(firsts);
}

function stepsOf<Of>({ keys, matches, of }: PlacePattern<Of>): readonly Step<Of>[] {
  const folded = matches === 'patterns-in-any-case';
  const steps = keys.map((key): Step<Of> => {
    if (matches !== 'exactly' && key === '*') return { kind: 'one' };
    if (matches !== 'exactly' && key === '**') return { kind: 'any-number' };
    return { kind: 'key', key: folded ? foldCase(key) : key, folded };
  });
  return [...steps, { kind: 'end', of }];
}

interface Places<Of> {
  at(positions: Iterable<number>): JsonPlace<Of>;
  /** Returns true if more positions may be kept. All positions share one limit. */
  hasRoom(): boolean;
}

function placesOver<Of>(steps: readonly Step<Of>[]): Places<Of> {
  const kept = new Map<string, JsonPlace<Of>>();
  const places: Places<Of> = {
    hasRoom: () => kept.size < mostKept,
    at(positions) {
      const all = [...withSkipped(steps, positions)].sort((a, b) => a - b);
      const name = all.join(' ');
      const known = kept.get(name);
      if (known !== undefined) return known;
      const place = makePlace(
        all.map((position) => ({ position, step: steps[position] ?? { kind: 'one' } })),
        places,
      );
      if (places.hasRoom()) kept.set(name, place);
      return place;
    },
  };
  return places;
}

/** `**` may match nothing, so the state after it belongs to the set too. */
function withSkipped<Of>(steps: readonly Step<Of>[], positions: Iterable<number>): ReadonlySet<number> {
  const all = new Set<number>();
  for (const first of positions) {
    for (let at = first; !all.has(at); at += 1) {
      all.add(at);
      if (steps[at]?.kind !== 'any-number') break;
    }
  }
  return all;
}

interface Standing<Of> {
  readonly position: number;
  readonly step: Step<Of>;
}

function makePlace<Of>(standing: readonly Standing<Of>[], places: Places<Of>): JsonPlace<Of> {
  const keys = standing.flatMap(({ step }) => (step.kind === 'key' ? [step] : []));
  const named = new Set(keys.map(({ key }) => key));
  const folded = new Set(keys.filter((step) => step.folded).map(({ key }) => key));
  // Keeps no more entries than the patterns have keys, however a document spells its own.
  const kept = { spelled: new Map<string, JsonPlace<Of>>(), folded: new Map<string, JsonPlace<Of>>() };
  let others: JsonPlace<Of> | undefined;
  const make = (next: NextKey): JsonPlace<Of> => places.at(standing.flatMap((each) => after(each, next)));
  const keep = (known: Map<string, JsonPlace<Of>>, name: string, next: NextKey): JsonPlace<Of> => {
    const place = make(next);
    if (places.hasRoom()) known.set(name, place);
    return place;
  };
  const underOthers = (): JsonPlace<Of> => {
    const place = others ?? make({});
    if (places.hasRoom()) others = place;
    return place;
  };
  return {
    ends: standing.flatMap(({ step }) => (step.kind === 'end' ? [step.of] : [])),
    isLive: standing.length > 0,
    namesKeys: named.size > 0,
    namesIndexes: [...named].some((key) => /^\d+$/u.test(key)),
    under(key) {
      if (key === undefined) return underOthers();
      if (named.has(key)) return kept.spelled.get(key) ?? keep(kept.spelled, key, { key, folded: foldCase(key) });
      const other = foldCase(key);
      return folded.has(other)
        ? (kept.folded.get(other) ?? keep(kept.folded, other, { folded: other }))
        : underOthers();
    },
  };
}

/** A key as the patterns see it. All keys that no pattern names are alike. */
interface NextKey {
  readonly key?: string;
  readonly folded?: string;
}

/** Returns the states of a pattern after a key. */
function after<Of>({ position, step }: Standing<Of>, next: NextKey): readonly number[] {
  switch (step.kind) {
    case 'key':
      return step.key === (step.folded ? next.folded : next.key) ? [position + 1] : [];
    case 'one':
      return [position + 1];
    case 'any-number':
      return [position];
    case 'end':
      return [];
  }
}
