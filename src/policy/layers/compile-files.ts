import type { BuiltinName } from '../builtin/builtin-name.ts';
import { changingOperations, deleting, everyOperation, isDeleting, isWriting, writeOperations } from '../kinds/file.ts';
import { knownPath } from '../kinds/known-pattern.ts';
import { lazily } from '../lazily.ts';
import type { Answer } from '../origin.ts';
import { pathIndex } from '../patterns/path-index.ts';
import {
  type PathEntry,
  type PathIndex,
  type PathInParts,
  type ResolvedPath,
  pathQuery,
  resolvePath,
} from '../patterns/resolve-path.ts';
import { compileWildcard, foldName } from '../patterns/wildcard.ts';
import { goesAhead, type VerdictCode } from '../verdict.ts';
import { type FileItem, type FileItems, itemAnswer } from './file-items.ts';
import { answerIn, type LayerSource, type NameAtom, refusalBy, unmatched } from './source.ts';

/** The order is denials, built-in names, rules, grants, and then the layer's default. */
export function compileFiles(
  source: LayerSource,
  { items, denials }: FileItems,
): (query: PathInParts) => Answer | undefined {
  const entries = items.map(entryOf);
  const everywhere = pathIndex(entries);
  const onHost = hostIndex(source, entries);
  const guard = compileGuard(source, items);
  const unread = unmatched(source, 'files.read');
  const unwritten = unmatched(source, 'files.write') ?? unread;
  const outside: Answer | undefined = unwritten === undefined ? undefined : { ...unwritten, held: 'outside', memo: {} };
  const unmatchedAt = (query: PathInParts): Answer | undefined =>
    isDeleting(query) && !isInWorkspace(query, source) ? outside : isWriting(query) ? unwritten : unread;
  const answers: (Answer | undefined)[] = [];
  const answerAt = ({ order, value }: PathEntry<FileItem>): Answer => (answers[order] ??= itemAnswer(source, value));
  return (query) => {
    const hit = onHost.covers(query) ? onHost.index().first(query) : everywhere.first(query);
    if (hit !== undefined && hit.order < denials) return answerAt(hit);
    const otherwise = hit === undefined ? unmatchedAt(query) : answerAt(hit);
    const guarded = guard?.(query);
    if (guarded === undefined) return otherwise;
    return otherwise === undefined || goesAhead(otherwise.decision) ? guarded : { ...guarded, also: otherwise };
  };
}

function isInWorkspace({ components }: PathInParts, { roots }: LayerSource): boolean {
  return roots.workspaceComponents.every((component, depth) => components[depth] === component);
}

/**
 * A workspace may be inside a path that is private in the box, such as `/tmp`. It is still the host's, and so is a path
 * that a policy names there: `--read /tmp/data` shows the host's directory. The private place around it does not make
 * it writable.
 */
function hostIndex(source: LayerSource, entries: readonly PathEntry<FileItem>[]) {
  const bases = (isPrivate: boolean) =>
    entries.flatMap(({ value, pattern }) =>
      (value.use === 'private') === isPrivate && pattern.kind === 'subtree' ? [pattern.base] : [],
    );
  const privatePlaces = bases(true);
  const starts = new Set(privatePlaces.map(([first]) => first));
  const lies = (base: readonly string[]) =>
    privatePlaces.some(
      (place) => place.length < base.length && place.every((component, depth) => base[depth] === component),
    );
  const shadowed = [source.roots.workspaceComponents, ...bases(false)].filter(
    (base) => starts.has(base[0]) && lies(base),
  );
  const named = pathIndex(
    shadowed.map((base) => ({
      pattern: { kind: 'subtree', source: '.', base },
      order: 0,
      operations: everyOperation,
      above: 0,
      value: true,
    })),
  );
  return {
    covers: (query: PathInParts): boolean => shadowed.length > 0 && named.first(query) !== undefined,
    index: lazily(() => pathIndex(entries.filter(({ value }) => value.use !== 'private'))),
  };
}

/** A restricting item also covers directories that contain the file: removing one would remove the file. */
function entryOf(item: FileItem, order: number): PathEntry<FileItem> {
  const { pattern, operations, effect } = item;
  return { pattern, order, operations, above: effect === 'restricts' ? operations & deleting : 0, value: item };
}

/**
 * Built-in names and places, except released ones and those that are discarded with the box. Undefined if the layer has
 * none. Names that only protect are separate, so that reads skip them.
 */
function compileGuard(
  source: LayerSource,
  items: readonly FileItem[],
): ((query: PathInParts) => Answer | undefined) | undefined {
  if (source.names.length === 0) return undefined;
  const places = lazily(() => placeEntries(source));
  const reading = lazily(() =>
    pathIndex([
      ...places(),
      ...nameEntries(
        source,
        source.names.filter(({ name }) => name.effect === 'hidden'),
      ),
    ]),
  );
  const writing = lazily(() => pathIndex([...places(), ...nameEntries(source, source.names)]));
  const released = lazily(() =>
    patternIndex(
      (source.lists['files.release'] ?? []).map(({ text }) => resolvePath(knownPath(text), source.roots, 'exact')),
    ),
  );
  const isPassing = lazily(() => passingTest(source, items));
  return (query) => {
    const hit = (isWriting(query) ? writing() : reading()).first(query);
    if (hit === undefined || released().first(query) !== undefined) return undefined;
    return hit.pattern.kind === 'name' && isPassing()(query) ? undefined : hit.value();
  };
}

/**
 * Whether nothing at a path outlives the box. The path is in a private or ephemeral place, and not in a granted host
 * directory below it.
 */
function passingTest(source: LayerSource, items: readonly FileItem[]): (query: PathInParts) => boolean {
  const passing = patternIndex(
    items.flatMap(({ use, pattern }) => (use === 'private' || use === 'ephemeral' ? [pattern] : [])),
  );
  const written = items.flatMap(({ use, pattern }) => (use === 'write' ? [pattern] : []));
  const workspace: ResolvedPath = { kind: 'subtree', source: '.', base: source.roots.workspaceComponents };
  // A grant of a private place, or above one, does not show the host's content there.
  const isBelowPassing = (base: readonly string[]): boolean =>
    passing.first(pathQuery(base.slice(0, -1), everyOperation)) !== undefined;
  const shown = items.flatMap(({ use, pattern }) =>
    use === 'read' && pattern.kind !== 'name' && isBelowPassing(pattern.base) ? [pattern] : [],
  );
  const lasting = patternIndex([workspace, ...written, ...shown]);
  return (query) => passing.first(query) !== undefined && lasting.first(query) === undefined;
}

function patternIndex(patterns: readonly ResolvedPath[]): PathIndex<ResolvedPath> {
  return pathIndex(
    patterns.map((pattern, order) => ({ pattern, order, operations: everyOperation, above: 0, value: pattern })),
  );
}

/** Places come before names: a hidden path in a cache stays hidden, although the cache itself is discarded. */
function placeEntries(source: LayerSource): readonly PathEntry<() => Answer>[] {
  return source.hiddenPlaces.map((atom, index) => ({
    pattern: resolvePath(knownPath(atom.text), source.roots, 'folded'),
    order: index - source.hiddenPlaces.length,
    operations: everyOperation,
    above: deleting,
    value: lazily(() => refusalBy(source, atom, 'hidden-file')),
  }));
}

function nameEntries(source: LayerSource, names: readonly NameAtom[]): readonly PathEntry<() => Answer>[] {
  return names.map((atom, order) => nameEntry(source, atom, order));
}

function nameEntry(source: LayerSource, { name, origin }: NameAtom, order: number): PathEntry<() => Answer> {
  const { components, effect, except, scope, depth, reason } = name;
  const operations = depth === 'itself' ? changingOperations : effect === 'hidden' ? everyOperation : writeOperations;
  return {
    pattern: {
      kind: 'name',
      source: `**/${components.join('/')}`,
      chain: components.map((component) => compileWildcard(foldName(component))),
      letters: 'folded',
    },
    order,
    operations,
    above: depth === 'itself' ? 0 : operations & deleting,
    exceptions: except,
    scope,
    depth,
    value: lazily(() => answerIn(source, origin, { decision: 'deny', code: codeOf(name), reason })),
  };
}

function codeOf(name: BuiltinName): VerdictCode {
  if (name.kind === 'holdfast') return 'policy-file';
  return name.effect === 'hidden' ? 'hidden-file' : 'protected-path';
}
