import type { Answer } from '../answer.ts';
import { deleting, everyOperation, isWriting } from '../kinds/file.ts';
import { lazily } from '../lazily.ts';
import { type PathEntry, pathIndex, type PathQuery } from '../patterns/path-index.ts';
import { compileGuard } from './compile-guard.ts';
import type { FileItem, FileItems } from './file-items.ts';
import { type LayerSource, unmatched } from './source.ts';

/** Deny sets, then built-in names, then rules, then grants, then what the layer says to everything else. */
export function compileFiles(source: LayerSource, { items, denials }: FileItems): (query: PathQuery) => Answer | undefined {
  const everywhere = pathIndex(items.map(entryOf));
  const inWorkspace = workspaceIndex(source, items);
  const guard = compileGuard(source, items);
  const unread = unmatched(source, 'files.read');
  const unwritten = unmatched(source, 'files.write') ?? unread;
  return (query) => {
    const hit = inWorkspace.covers(query) ? inWorkspace.index().first(query) : everywhere.first(query);
    if (hit !== undefined && hit.order < denials) return hit.value();
    const guarded = guard?.(query);
    if (guarded !== undefined) return guarded;
    return hit === undefined ? (isWriting(query) ? unwritten : unread) : hit.value();
  };
}

/** A workspace may lie in a place whose name is private inside: under `/tmp`, say. It is the host's all the same. */
function workspaceIndex(source: LayerSource, items: readonly FileItem[]) {
  const base = source.roots.workspaceComponents;
  const isShadowed = items.some(({ use, pattern }) => use === 'private' && pattern.kind === 'subtree' && pattern.base.every((component, depth) => base[depth] === component));
  const workspace = pathIndex([{ pattern: { kind: 'subtree', source: '.', base }, order: 0, operations: everyOperation, above: 0, value: true }]);
  return {
    covers: (query: PathQuery): boolean => isShadowed && workspace.first(query) !== undefined,
    index: lazily(() => pathIndex(items.filter(({ use }) => use !== 'private').map(entryOf))),
  };
}

/** What restricts also holds for a directory whose removal would take the file along. */
function entryOf({ pattern, operations, effect, answer }: FileItem, order: number): PathEntry<() => Answer> {
  return { pattern, order, operations, above: effect === 'restricts' ? operations & deleting : 0, value: lazily(answer) };
}
