import { knownPath } from '../kinds/known-pattern.ts';
import { builtinFile } from '../origin.ts';
import { resolvePath } from '../patterns/resolve-path.ts';
import type { FileItem } from './file-items.ts';
import type { FileStatement, NameStatement } from './layer.ts';
import type { LayerSource } from './source.ts';

/** Every path that a layer names, for the planner to ask about. Private places are not among them: each box makes its own. */
export function fileStatements(source: LayerSource, items: readonly FileItem[]): readonly FileStatement[] {
  const hidden = source.hiddenPlaces.map(({ text, origin }): FileStatement => ({ use: 'deny', pattern: resolvePath(knownPath(text), source.roots, 'folded'), origin }));
  const released = (source.lists['files.release'] ?? []).map(({ text, origin }): FileStatement => ({ use: 'release', pattern: resolvePath(knownPath(text), source.roots, 'exact'), origin }));
  const named = items.flatMap(({ use, pattern, origin }): FileStatement[] => (use === 'private' || isExemption(source, origin.file) ? [] : [{ use, pattern, origin }]));
  return [...named, ...hidden, ...released];
}

/** What a ceiling leaves alone is granted by the base, not by it. */
function isExemption({ role, kind }: LayerSource, file: string): boolean {
  return role === 'ceiling' && kind !== 'required' && file === builtinFile;
}

export function nameStatements(source: LayerSource): readonly NameStatement[] {
  const released = (source.lists['files.release'] ?? []).map(({ text }) => resolvePath(knownPath(text), source.roots, 'exact'));
  return source.names.map(({ name, origin }) => ({ name, released, origin }));
}
