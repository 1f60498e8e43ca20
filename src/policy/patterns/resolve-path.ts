import { HoldfastError } from '../../errors/index.ts';
import { pathComponents } from '../normalise/path.ts';
import { type NameShape, shapeOf } from './name-filter.ts';
import type { PathPattern } from './path-pattern.ts';
import { compileWildcard, foldName, type Wildcard } from './wildcard.ts';

/** Bases of `~` and of relative patterns. Both are absolute. */
export interface PatternBase {
  readonly home: string;
  readonly workspace: string;
}

/** The bases with their components, split once. */
export interface Roots extends PatternBase {
  readonly homeComponents: readonly string[];
  readonly workspaceComponents: readonly string[];
}

export function patternRoots({ home, workspace }: PatternBase): Roots {
  return {
    home,
    workspace,
    homeComponents: componentsOf('home', home),
    workspaceComponents: componentsOf('workspace', workspace),
  };
}

/** An absolute path pattern. All three forms also match everything beneath their matches. */
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
  readonly rest: readonly PatternSegment[];
}

/** A chain of names at any depth, such as `.git/hooks`. */
export interface NamePath {
  readonly kind: 'name';
  readonly source: string;
  readonly chain: readonly Wildcard[];
  readonly letters: Letters;
}

/** `folded` ignores case, as case-insensitive file systems do: a denial must hold on those too. */
export type Letters = 'exact' | 'folded';

/** One component, or any number of them. */
export type PatternSegment = Wildcard | 'any-depth';

/** Pure: `~` and the workspace come from `roots`. */
export function resolvePath(pattern: PathPattern, roots: Roots, letters: Letters): ResolvedPath {
  const { source, components } = pattern;
  if (pattern.anchor === 'anywhere') return resolveAnywhere(pattern, letters);
  const base = baseOf(pattern.anchor, roots);
  if (pattern.form === 'literal') return { kind: 'subtree', source, base: [...base, ...components] };
  const segments = components.map(segmentOf);
  const literals = leadingLiterals(segments);
  if (literals.length === segments.length) return { kind: 'subtree', source, base: [...base, ...literals] };
  return { kind: 'glob', source, base: [...base, ...literals], rest: segments.slice(literals.length) };
}

function resolveAnywhere({ source, components }: PathPattern, letters: Letters): ResolvedPath {
  if (components.includes('**')) {
    return { kind: 'glob', source, base: [], rest: ['any-depth', ...components.map(segmentOf)] };
  }
  const chain = components.map((component) => compileWildcard(letters === 'folded' ? foldName(component) : component));
  return { kind: 'name', source, chain, letters };
}

function leadingLiterals(segments: readonly PatternSegment[]): readonly string[] {
  const literals: string[] = [];
  for (const segment of segments) {
    if (segment === 'any-depth' || segment.literal === undefined) break;
    literals.push(segment.literal);
  }
  return literals;
}

function baseOf(anchor: 'root' | 'home' | 'workspace', roots: Roots): readonly string[] {
  if (anchor === 'root') return [];
  return anchor === 'home' ? roots.homeComponents : roots.workspaceComponents;
}

function componentsOf(place: 'home' | 'workspace', path: string): readonly string[] {
  const components = pathComponents(path);
  if (components === undefined) throw unusablePlace(place, path);
  return components;
}

/** Falling back to `/` would turn a grant of the workspace into a grant of everything. */
function unusablePlace(anchor: 'home' | 'workspace', path: string): HoldfastError {
  return new HoldfastError('HF_PATH_UNREPRESENTABLE', `the ${anchor} ${JSON.stringify(path)} is not an absolute path`, {
    remedy: `${anchor === 'home' ? 'set HOME to' : 'give'} an absolute path without NUL`,
  });
}

function segmentOf(component: string): PatternSegment {
  return component === '**' ? 'any-depth' : compileWildcard(component);
}

/** A path pattern in a set, with its order and its value. */
export interface PathEntry<Value> {
  readonly pattern: ResolvedPath;
  /** Lower is tried first. */
  readonly order: number;
  /** Bits of the operations that it covers. */
  readonly operations: number;
  /**
   * Bits of the operations that the entry also decides on the directories above. Deleting or renaming `.git` would
   * remove `.git/hooks`, and make room for another one.
   */
  readonly above: number;
  readonly value: Value;
  /**
   * Exceptions: names that the last component of a name pattern matches, but that do not count, such as `.env.example`.
   */
  readonly exceptions?: readonly string[];
  /** `outside-packages`: does not apply below `node_modules`, or in references of git. Only for name patterns. */
  readonly scope?: 'anywhere' | 'outside-packages';
  /** `itself`: does not cover paths beneath a match. Only for name patterns. */
  readonly depth?: 'beneath' | 'itself';
}

export interface PathInParts {
  readonly components: readonly string[];
  /** Shape of each component. */
  readonly shapes: readonly NameShape[];
  /** Bits. An entry applies if it shares one of them. */
  readonly operations: number;
}

export function pathQuery(components: readonly string[], operations: number): PathInParts {
  const shapes: NameShape[] = [];
  for (const component of components) shapes.push(shapeOf(component));
  return { components, shapes, operations };
}

export interface PathIndex<Value> {
  /** Returns the matching entry with the lowest order. */
  readonly first: (query: PathInParts) => PathEntry<Value> | undefined;
}

/** Returns the entry that is tried first. */
export function earlier<Value>(
  a: PathEntry<Value> | undefined,
  b: PathEntry<Value> | undefined,
): PathEntry<Value> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.order < a.order ? b : a;
}
