import { wildcardMatcher } from '../../policy/patterns/wildcard.ts';
import type { SurfaceField } from '../types.ts';
import type { Value } from './value.ts';

export interface MatchedField {
  readonly path: readonly string[];
  readonly text: string;
  readonly pattern: SurfaceField;
}

/**
 * Returns the scalars at or below the paths of a pattern. The first matching pattern decides the effect. Values outside
 * every pattern are not visited.
 */
export function matchFields(
  value: Value,
  patterns: readonly SurfaceField[],
  found: (field: MatchedField) => void,
): void {
  const compiled = patterns.map(compile);
  const starts = compiled.map((_, pattern) => ({ pattern, at: 0 }));
  descend(value, { compiled, patterns, found }, { path: [], states: closure(compiled, starts) });
}

interface Matching {
  readonly compiled: readonly (readonly Segment[])[];
  readonly patterns: readonly SurfaceField[];
  readonly found: (field: MatchedField) => void;
}

interface State {
  readonly pattern: number;
  /** Number of matched segments. */
  readonly at: number;
}

interface Place {
  readonly path: readonly string[];
  readonly states: readonly State[];
}

type Segment = { readonly kind: 'any-number' } | { readonly kind: 'one'; readonly matches: (key: string) => boolean };

function descend(value: Value, matching: Matching, { path, states }: Place): void {
  if (states.length === 0) return;
  if (value.kind === 'scalar') {
    const first = states.find(({ pattern, at }) => at === matching.compiled[pattern]?.length);
    const pattern = first === undefined ? undefined : matching.patterns[first.pattern];
    if (pattern !== undefined) matching.found({ path, text: value.text, pattern });
    return;
  }
  const inner =
    value.kind === 'list' ? value.items.map((item, index) => [String(index), item] as const) : value.entries;
  for (const [key, item] of inner)
    descend(item, matching, { path: [...path, key], states: step(matching.compiled, states, key) });
}

function step(compiled: Matching['compiled'], states: readonly State[], key: string): readonly State[] {
  return closure(
    compiled,
    states.flatMap((state): readonly State[] => {
      const segment = compiled[state.pattern]?.[state.at];
      if (segment === undefined || segment.kind === 'any-number') return [state];
      return segment.matches(key) ? [{ pattern: state.pattern, at: state.at + 1 }] : [];
    }),
  );
}

/** `**` also matches no key. Each state occurs once. */
function closure(compiled: Matching['compiled'], states: readonly State[]): readonly State[] {
  const seen = new Map<number, State>();
  const add = (state: State): void => {
    const key = state.pattern * longestPattern + state.at;
    if (seen.has(key)) return;
    seen.set(key, state);
    if (compiled[state.pattern]?.[state.at]?.kind === 'any-number') add({ pattern: state.pattern, at: state.at + 1 });
  };
  for (const state of states) add(state);
  return [...seen.values()].sort((a, b) => a.pattern - b.pattern);
}

const longestPattern = 32;

function compile({ path }: SurfaceField): readonly Segment[] {
  const known = compiledPatterns.get(path);
  if (known !== undefined) return known;
  const compiled = splitPath(path).map(
    (segment): Segment =>
      segment === '**' ? { kind: 'any-number' } : { kind: 'one', matches: wildcardMatcher(segment) },
  );
  compiledPatterns.set(path, compiled);
  return compiled;
}

/** Patterns come from the table, so their number is bounded. */
const compiledPatterns = new Map<string, readonly Segment[]>();

/** Splits a pattern into keys. A backslash comes before a dot within a key. */
export function splitPath(path: string): readonly string[] {
  return path.split(/(?<!\\)\./u).map((segment) => segment.replaceAll('\\.', '.'));
}
