import { HoldfastError } from '../../errors/index.ts';
import { pathComponents } from '../normalise/path.ts';
import { foldName } from './fold-name.ts';
import type { PathPattern } from './path-pattern.ts';
import { compileWildcard, type Wildcard } from './wildcard.ts';

/** Where `~` and relative patterns point. Both absolute. */
export interface Places {
  readonly home: string;
  readonly workspace: string;
}

/** A path pattern made absolute. All three forms also match everything beneath what they match. */
export type ResolvedPath = SubtreePath | GlobPath | NamePath;

export interface SubtreePath {
  readonly kind: 'subtree';
  readonly source: string;
  readonly base: readonly string[];
}

export interface GlobPath {
  readonly kind: 'glob';
  readonly source: string;
  /** The literal components before the first wildcard. */
  readonly base: readonly string[];
  readonly rest: readonly Segment[];
}

/** A chain of names at any depth, such as `.git/hooks`. */
export interface NamePath {
  readonly kind: 'name';
  readonly source: string;
  readonly chain: readonly Wildcard[];
  readonly letters: Letters;
}

/** `folded` compares without regard to case, as case-insensitive file systems do: a deny set has to hold on those too. */
export type Letters = 'exact' | 'folded';

/** One component, or any number of them. */
export type Segment = Wildcard | 'any-depth';

/** Pure: `~` and the workspace come from `places`. */
export function resolvePath(pattern: PathPattern, places: Places, letters: Letters): ResolvedPath {
  const { source, components } = pattern;
  if (pattern.anchor === 'anywhere') return resolveAnywhere(pattern, letters);
  const base = [...baseOf(pattern.anchor, places)];
  const segments = components.map(segmentOf);
  while (true) {
    const next = segments[0];
    if (next === undefined || next === 'any-depth' || next.literal === undefined) break;
    base.push(next.literal);
    segments.shift();
  }
  return segments.length === 0 ? { kind: 'subtree', source, base } : { kind: 'glob', source, base, rest: segments };
}

function resolveAnywhere({ source, components }: PathPattern, letters: Letters): ResolvedPath {
  if (components.includes('**')) {
    return { kind: 'glob', source, base: [], rest: ['any-depth', ...components.map(segmentOf)] };
  }
  const chain = components.map((component) => compileWildcard(letters === 'folded' ? foldName(component) : component));
  return { kind: 'name', source, chain, letters };
}

function baseOf(anchor: 'root' | 'home' | 'workspace', places: Places): readonly string[] {
  if (anchor === 'root') return [];
  const base = pathComponents(places[anchor]);
  if (base === undefined) throw unusablePlace(anchor, places[anchor]);
  return base;
}

/** Falling back to `/` would turn a grant of the workspace into a grant of everything. */
function unusablePlace(anchor: 'home' | 'workspace', path: string): HoldfastError {
  return new HoldfastError('HF_PATH_UNREPRESENTABLE', `the ${anchor} ${JSON.stringify(path)} is not an absolute path`, {
    remedy: `give the ${anchor} as an absolute path without NUL`,
  });
}

function segmentOf(component: string): Segment {
  return component === '**' ? 'any-depth' : compileWildcard(component);
}
