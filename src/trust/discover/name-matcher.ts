import { wildcardMatcher } from '../../policy/patterns/wildcard.ts';
import type { Surface } from '../types.ts';

/**
 * Position of a directory in the chains of the table. All directories that are in no chain share one empty position.
 */
export interface ChainStates {
  /** Rows that continue in the directory. */
  readonly going: readonly Step[];
  /** Rows that match everything in the directory. */
  readonly within: readonly number[];
}

interface Step {
  readonly row: number;
  /** Number of matched components. */
  readonly at: number;
}

export interface SurfaceMatch {
  /** Surface of a file of this name. */
  readonly surface: Surface | undefined;
  /** Position of a directory of this name. */
  readonly standing: ChainStates;
}

export const nowhere: ChainStates = { going: [], within: [] };

/** Finds the surface of a name below a directory. */
export interface NameMatcher {
  /** `of`: matches `any` chain that begins or continues here, or only chains that are `going`. */
  match(name: string, where: ChainStates, of: 'any' | 'going'): SurfaceMatch;
}

/** Hidden rows come first: everything in a hidden directory is hidden, even if it matches other rows. */
export function nameMatcher(table: readonly Surface[]): NameMatcher {
  const rows = [...table.filter(({ gate }) => gate === 'hidden'), ...table.filter(({ gate }) => gate === 'listed')];
  const chains = rows.map(({ components }) => components.map(component));
  const firsts = firstComponents(chains);
  return {
    match(name, where, of) {
      const lower = lowered(name);
      const begun = of === 'any' ? firsts(lower) : noRows;
      if (begun.length === 0 && where.going.length === 0 && where.within.length === 0) return nothingThere;
      const going = where.going.filter(({ row, at }) => chains[row]?.[at]?.matches(lower) === true);
      return result(
        rows,
        [...begun.map((row) => ({ row, at: 1 })), ...going.map(({ row, at }) => ({ row, at: at + 1 }))],
        where.within,
      );
    },
  };
}

const noRows: readonly number[] = [];
const nothingThere: SurfaceMatch = { surface: undefined, standing: nowhere };

/**
 * A row `x/**` also matches a file named `x`, and a hidden row `x` matches everything in a directory of that name.
 * Programs that read one do not read the other, but a launcher hides the name in both cases.
 */
function result(rows: readonly Surface[], steps: readonly Step[], within: readonly number[]): SurfaceMatch {
  const length = (row: number): number => rows[row]?.components.length ?? 0;
  const isTree = ({ row, at }: Step): boolean => at === length(row) - 1 && rows[row]?.components[at] === '**';
  const complete = steps.filter((step) => step.at === length(step.row) || isTree(step)).map(({ row }) => row);
  const best = Math.min(...complete, ...within);
  const standing = {
    going: steps.filter((step) => step.at < length(step.row) && !isTree(step)),
    within: [
      ...within,
      ...steps
        .filter((step) => isTree(step) || (step.at === length(step.row) && rows[step.row]?.gate === 'hidden'))
        .map(({ row }) => row),
    ],
  };
  return {
    surface: rows[best],
    standing: standing.going.length === 0 && standing.within.length === 0 ? nowhere : standing,
  };
}

interface Component {
  readonly source: string;
  /** Undefined for a pattern. */
  readonly literal: string | undefined;
  readonly matches: (lower: string) => boolean;
}

function component(pattern: string): Component {
  const source = lowered(pattern);
  return { source, literal: /[*?]/u.test(source) ? undefined : source, matches: wildcardMatcher(source) };
}

/** Most names begin no chain. Look-ups by the whole name, its first character and its last one exclude them quickly. */
function firstComponents(chains: readonly (readonly Component[])[]): (lower: string) => readonly number[] {
  const rows = [...chains.keys()];
  const first = (row: number): Component | undefined => chains[row]?.[0];
  const literal = Map.groupBy(rows, (row) => first(row)?.literal);
  const patterns = literal.get(undefined) ?? [];
  const beginning = Map.groupBy(patterns, (row) => first(row)?.source[0]);
  const floating = beginning.get('*') ?? [];
  const ending = Map.groupBy(floating, (row) => first(row)?.source.at(-1));
  return (lower) => {
    const exact = literal.get(lower) ?? noRows;
    const others = [beginning.get(lower[0]), ending.get(lower.at(-1)), ending.get('*')].flatMap(
      (some) => some?.filter((row) => first(row)?.matches(lower)) ?? noRows,
    );
    return others.length === 0 ? exact : [...exact, ...others];
  };
}

/** Lower-cases only ASCII, as the launcher compares: U+212A does not become `k`. */
export function lowered(name: string): string {
  return /[A-Z]/u.test(name) ? name.replaceAll(/[A-Z]+/gu, (letters) => letters.toLowerCase()) : name;
}
