import type { Answer } from '../answer.ts';
import { goesAhead } from '../decision.ts';
import { deleting, everyOperation, isWriting } from '../kinds/file.ts';
import { lazily } from '../lazily.ts';
import { type PathEntry, pathIndex, type PathQuery } from '../patterns/path-index.ts';
import { compileGuard } from './compile-guard.ts';
import { type FileItem, type FileItems, itemAnswer } from './file-items.ts';
import { type LayerSource, unmatched } from './source.ts';

/** Deny sets, then built-in names, then rules, then grants, then what the layer says to everything else. */
export function compileFiles(source: LayerSource, { items, denials }: FileItems): (query: PathQuery) => Answer | undefined {
  const entries = items.map(entryOf);
  const everywhere = pathIndex(entries);
  const onHost = hostIndex(source, entries);
  const guard = compileGuard(source, items);
  const unread = unmatched(source, 'files.read');
  const unwritten = unmatched(source, 'files.write') ?? unread;
  const answers: (Answer | undefined)[] = [];
  const answerAt = ({ order, value }: PathEntry<FileItem>): Answer => (answers[order] ??= itemAnswer(source, value));
  return (query) => {
    const hit = onHost.covers(query) ? onHost.index().first(query) : everywhere.first(query);
    if (hit !== undefined && hit.order < denials) return answerAt(hit);
    const otherwise = hit === undefined ? (isWriting(query) ? unwritten : unread) : answerAt(hit);
    const guarded = guard?.(query);
    if (guarded === undefined) return otherwise;
    return otherwise === undefined || goesAhead(otherwise.decision) ? guarded : { ...guarded, also: otherwise };
  };
}

/**
 * A workspace may lie in a place whose name is private inside: under `/tmp`, say. It is the host's all the same, and so is
 * what a policy names there: `--read /tmp/data` shows the host's directory, which is not to be written for its name.
 */
function hostIndex(source: LayerSource, entries: readonly PathEntry<FileItem>[]) {
  const bases = (isPrivate: boolean) => entries.flatMap(({ value, pattern }) => ((value.use === 'private') === isPrivate && pattern.kind === 'subtree' ? [pattern.base] : []));
  const privatePlaces = bases(true);
  const starts = new Set(privatePlaces.map(([first]) => first));
  const lies = (base: readonly string[]) => privatePlaces.some((place) => place.length < base.length && place.every((component, depth) => base[depth] === component));
  const shadowed = [source.roots.workspaceComponents, ...bases(false)].filter((base) => starts.has(base[0]) && lies(base));
  const named = pathIndex(shadowed.map((base) => ({ pattern: { kind: 'subtree', source: '.', base }, order: 0, operations: everyOperation, above: 0, value: true })));
  return {
    covers: (query: PathQuery): boolean => shadowed.length > 0 && named.first(query) !== undefined,
    index: lazily(() => pathIndex(entries.filter(({ value }) => value.use !== 'private'))),
  };
}

/** What restricts also holds for a directory whose removal would take the file along. */
function entryOf(item: FileItem, order: number): PathEntry<FileItem> {
  const { pattern, operations, effect } = item;
  return { pattern, order, operations, above: effect === 'restricts' ? operations & deleting : 0, value: item };
}
