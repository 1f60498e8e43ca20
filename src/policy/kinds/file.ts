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
  /** Bits of the operations that it covers. */
  readonly operations: number;
}

export type FileClause<Value> = Clause<FileMatcher, Value>;

/** Bits for removing a file or a directory: for the path itself, and for everything beneath it. */
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
/** Operations that remove a file or change its type. Creating a new one does not count. */
export const changingOperations = bits.write | bits.delete;
export const deleting = along;
export const everyOperation = readOperations | writeOperations;

/** Undefined for an invalid path. */
export function fileQuery(request: FileRequest): PathInParts | undefined {
  const components = pathComponents(request.path);
  return components === undefined ? undefined : pathQuery(components, bits[request.operation]);
}

/** Asks whether the path itself may be removed, without its content. Undefined for an invalid path. */
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
 * A restricting clause also covers other spellings of a name, and directories that contain the file: removing one would
 * remove the file.
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
