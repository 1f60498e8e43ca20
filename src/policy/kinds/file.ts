import type { RuleOf } from '../document/rule-schema.ts';
import { pathComponents } from '../normalise/path.ts';
import { pathIndex } from '../patterns/path-index.ts';
import type { PathPattern } from '../patterns/path-pattern.ts';
import {
  type PathEntry,
  type PathIndex,
  type PathInParts,
  pathQuery,
  resolvePath,
  type Roots,
} from '../patterns/resolve-path.ts';
import type { FileAccess, FileRequest } from '../request.ts';
import { knownPath } from './known-pattern.ts';
import type { Clause } from './signal.ts';

export interface FileMatcher {
  readonly pattern: PathPattern;
  /** Bits of the operations it is about. */
  readonly operations: number;
}

export type FileClause<Value> = Clause<FileMatcher, Value>;

/** Taking away a file or a directory: what lies beneath goes along, and has a bit of its own. */
const [itself, along] = [8, 32];
const bits: Readonly<Record<FileAccess, number>> = {
  read: 1,
  write: 2,
  create: 4,
  delete: itself | along,
  execute: 16,
};
export const readOperations = bits.read | bits.execute;
export const writeOperations = bits.write | bits.create | bits.delete;
/** What takes a file away or changes what it is; making a new one is not among them. */
export const changingOperations = bits.write | bits.delete;
export const deleting = along;
export const everyOperation = readOperations | writeOperations;

/** Undefined when the path is none. */
export function fileQuery(request: FileRequest): PathInParts | undefined {
  const components = pathComponents(request.path);
  return components === undefined ? undefined : pathQuery(components, bits[request.operation]);
}

/** Whether the place may be taken away, whatever lies beneath. Undefined when the path is none. */
export function deletionQuery({ path }: FileRequest): PathInParts | undefined {
  const components = pathComponents(path);
  return components === undefined ? undefined : pathQuery(components, itself);
}

export function isDeleting(query: PathInParts): boolean {
  return (query.operations & bits.delete) !== 0;
}

export function isWriting(query: PathInParts): boolean {
  return (query.operations & writeOperations) !== 0;
}

export function fileRuleClauses<Value>(
  rule: RuleOf<'file'>,
  clause: Omit<FileClause<Value>, 'matcher'>,
): readonly FileClause<Value>[] {
  const operations = rule.operations?.reduce((sum, operation) => sum | bits[operation], 0) ?? everyOperation;
  return rule.paths.map((path) => ({ ...clause, matcher: { pattern: knownPath(path), operations } }));
}

/**
 * What restricts also holds for other spellings of a name, and for a directory whose removal would take the file along.
 */
export function fileIndex<Value>(clauses: readonly FileClause<Value>[], roots: Roots): PathIndex<Value> {
  return pathIndex(clauses.map((clause, order) => fileEntry(clause, order, roots)));
}

function fileEntry<Value>(
  { matcher, value, effect }: FileClause<Value>,
  order: number,
  roots: Roots,
): PathEntry<Value> {
  const { pattern, operations } = matcher;
  const restricts = effect === 'restricts';
  return {
    pattern: resolvePath(pattern, roots, restricts ? 'folded' : 'exact'),
    order,
    operations,
    above: restricts ? operations & deleting : 0,
    value,
  };
}
