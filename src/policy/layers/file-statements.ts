import { builtinFile } from '../answer.ts';
import { systemReads } from '../builtin/defaults.ts';
import { knownPath } from '../kinds/known-pattern.ts';
import { fileRuleClauses, readOperations, writeOperations } from '../kinds/file.ts';
import { type Places, resolvePath, type ResolvedPath } from '../patterns/resolve-path.ts';
import type { FileStatement, FileUse, NameStatement } from './layer.ts';
import type { LayerSource, ListName, RuleAtom } from './source.ts';

const uses: readonly (readonly [ListName, FileUse])[] = [
  ['files.deny', 'deny'],
  ['files.protect', 'protect'],
  ['files.ephemeral', 'ephemeral'],
  ['files.write', 'write'],
  ['files.read', 'read'],
  ['files.release', 'release'],
];

/** Every path that a layer names, for the planner to ask about. Private places are not among them: each box makes its own. */
export function fileStatements(source: LayerSource): readonly FileStatement[] {
  const { lists, places } = source;
  const listed = uses.flatMap(([name, use]) => (lists[name] ?? []).map(({ text, origin }): FileStatement => ({ use, pattern: resolved(text, use, places), origin })));
  const hidden = source.hiddenPlaces.map(({ text, origin }): FileStatement => ({ use: 'deny', pattern: resolved(text, 'deny', places), origin }));
  return [...listed, ...hidden, ...source.rules.file.flatMap((atom) => ruleStatements(atom, places)), ...systemStatements(source)];
}

export function nameStatements(source: LayerSource): readonly NameStatement[] {
  const released = (source.lists['files.release'] ?? []).map(({ text }) => resolved(text, 'release', source.places));
  return source.names.map(({ name, origin }) => ({ name, released, origin }));
}

function systemStatements(source: LayerSource): readonly FileStatement[] {
  if (source.role !== 'base') return [];
  return systemReads.map(({ pattern }) => ({ use: 'read', pattern: resolved(pattern, 'read', source.places), origin: { rule: `system:${pattern}`, layer: source.kind, file: builtinFile, line: 0 } }));
}

/** What a rule does to a path in the words of the lists; the planner asks `decide` for the rest. */
function ruleStatements(atom: RuleAtom<'file'>, places: Places): readonly FileStatement[] {
  const clauses = fileRuleClauses(atom.rule, { value: atom.origin, effect: 'allows' });
  return clauses.map(({ matcher, value }) => {
    const use = useOf(atom, matcher.operations);
    return { use, pattern: resolvePath(matcher.pattern, places, use === 'deny' || use === 'protect' ? 'folded' : 'exact'), origin: value };
  });
}

function useOf({ rule }: RuleAtom<'file'>, operations: number): FileUse {
  const reads = (operations & readOperations) !== 0;
  if (rule.decision === 'deny') return reads ? 'deny' : 'protect';
  return (operations & writeOperations) === 0 ? 'read' : 'write';
}

function resolved(text: string, use: FileUse, places: Places): ResolvedPath {
  return resolvePath(knownPath(text), places, use === 'deny' || use === 'protect' ? 'folded' : 'exact');
}
