import type { Answer } from '../answer.ts';
import type { BuiltinName } from '../builtin/builtin-name.ts';
import { changingOperations, deleting, everyOperation, isWriting, writeOperations } from '../kinds/file.ts';
import { knownPath } from '../kinds/known-pattern.ts';
import { lazily } from '../lazily.ts';
import { foldName } from '../patterns/fold-name.ts';
import { type PathEntry, pathIndex, type PathIndex, type PathQuery } from '../patterns/path-index.ts';
import { resolvePath, type ResolvedPath } from '../patterns/resolve-path.ts';
import { compileWildcard } from '../patterns/wildcard.ts';
import type { VerdictCode } from '../verdict.ts';
import type { FileItem } from './file-items.ts';
import { answerIn, type LayerSource, type NameAtom, refusalBy } from './source.ts';

/**
 * Built-in names and places, unless released or in a place that is thrown away. Undefined when the layer has none. Names
 * that only protect are kept apart, so that reading does not pass by them.
 */
export function compileGuard(source: LayerSource, items: readonly FileItem[]): ((query: PathQuery) => Answer | undefined) | undefined {
  if (source.names.length === 0) return undefined;
  const places = lazily(() => placeEntries(source));
  const reading = lazily(() => pathIndex([...places(), ...nameEntries(source, source.names.filter(({ name }) => name.effect === 'hidden'))]));
  const writing = lazily(() => pathIndex([...places(), ...nameEntries(source, source.names)]));
  const released = lazily(() => patternIndex((source.lists['files.release'] ?? []).map(({ text }) => resolvePath(knownPath(text), source.roots, 'exact'))));
  const isPassing = lazily(() => passingTest(source, items));
  return (query) => {
    const hit = (isWriting(query) ? writing() : reading()).first(query);
    if (hit === undefined || released().first(query) !== undefined) return undefined;
    return hit.pattern.kind === 'name' && isPassing()(query) ? undefined : hit.value();
  };
}

/** Whether a path lies where nothing outlives the box: in a private or ephemeral place, and in no writable root. */
function passingTest(source: LayerSource, items: readonly FileItem[]): (query: PathQuery) => boolean {
  const passing = patternIndex(items.flatMap(({ use, pattern }) => (use === 'private' || use === 'ephemeral' ? [pattern] : [])));
  const written = items.flatMap(({ use, pattern }) => (use === 'write' ? [pattern] : []));
  const workspace: ResolvedPath = { kind: 'subtree', source: '.', base: source.roots.workspaceComponents };
  const lasting = patternIndex([workspace, ...written]);
  return (query) => passing.first(query) !== undefined && lasting.first(query) === undefined;
}

function patternIndex(patterns: readonly ResolvedPath[]): PathIndex<ResolvedPath> {
  return pathIndex(patterns.map((pattern, order) => ({ pattern, order, operations: everyOperation, above: 0, value: pattern })));
}

/** Places are tried before names: what is hidden in a cache stays hidden, although the cache itself is thrown away. */
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
    pattern: { kind: 'name', source: `**/${components.join('/')}`, chain: components.map((component) => compileWildcard(foldName(component))), letters: 'folded' },
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
