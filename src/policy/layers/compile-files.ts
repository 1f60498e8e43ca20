import type { Answer } from '../answer.ts';
import type { BuiltinName } from '../builtin/builtin-name.ts';
import { defaultWrites, privatePlaces, systemReads } from '../builtin/defaults.ts';
import { changingOperations, deleting, everyOperation, type FileClause, fileIndex, fileRuleClauses, isWriting, readOperations, writeOperations } from '../kinds/file.ts';
import { knownPath } from '../kinds/known-pattern.ts';
import { foldName } from '../patterns/fold-name.ts';
import { type PathEntry, pathIndex, type PathIndex, type PathQuery } from '../patterns/path-index.ts';
import { resolvePath } from '../patterns/resolve-path.ts';
import { compileWildcard } from '../patterns/wildcard.ts';
import type { VerdictCode } from '../verdict.ts';
import { answerByRule, answerIn, type Atom, effectOf, grantBy, type LayerSource, type NameAtom, refusalBy, unmatched } from './source.ts';

type Answerer = (query: PathQuery) => Answer | undefined;

/** Deny sets, then built-in names, then rules, then grants, then what the layer says to everything else. */
export function compileFiles(source: LayerSource): Answerer {
  const denials = denialClauses(source);
  const index = fileIndex([...denials, ...ruleClauses(source), ...grantClauses(source)], source.places);
  const guard = compileGuard(source);
  const unread = unmatched(source, 'files.read');
  const unwritten = unmatched(source, 'files.write') ?? unread;
  return (query) => {
    const hit = index.first(query);
    if (hit !== undefined && hit.order < denials.length) return hit.value;
    const guarded = guard?.(query);
    if (guarded !== undefined) return guarded;
    return hit === undefined ? (isWriting(query) ? unwritten : unread) : hit.value;
  };
}

function denialClauses(source: LayerSource): readonly FileClause<Answer>[] {
  const { lists } = source;
  return [
    ...(lists['files.deny'] ?? []).map((atom) => refusing(source, atom, everyOperation)),
    ...(lists['files.protect'] ?? []).map((atom) => refusing(source, atom, writeOperations)),
  ];
}

function refusing(source: LayerSource, atom: Atom, operations: number): FileClause<Answer> {
  return { matcher: { pattern: knownPath(atom.text), operations }, value: refusalBy(source, atom, 'deny-set'), effect: 'restricts' };
}

function ruleClauses(source: LayerSource): readonly FileClause<Answer>[] {
  return source.rules.file.flatMap((atom) => fileRuleClauses(atom.rule, { value: answerByRule(source, atom), effect: effectOf(atom.rule.decision) }));
}

/** Writing implies reading. Where a ceiling says nothing of writing, what may be read may also be written. */
function grantClauses(source: LayerSource): readonly FileClause<Answer>[] {
  const { lists } = source;
  const readable = source.role === 'ceiling' && lists['files.write'] === undefined ? everyOperation : readOperations;
  return [
    ...builtinClauses(source),
    ...(lists['files.ephemeral'] ?? []).map((atom) => granting(source, atom, everyOperation)),
    ...(lists['files.write'] ?? []).map((atom) => granting(source, atom, everyOperation)),
    ...(lists['files.read'] ?? []).map((atom) => granting(source, atom, readable)),
  ];
}

/** A ceiling is about files of the host that matter to the user, not about the box's own `/tmp` or the C library. */
function builtinClauses(source: LayerSource): readonly FileClause<Answer>[] {
  const hasCeiling = source.lists['files.read'] !== undefined || source.lists['files.write'] !== undefined;
  if (source.role === 'ceiling' && !hasCeiling) return [];
  const builtin = (name: string, pattern: string, reason: string): Atom => ({ text: pattern, origin: { rule: `${name}:${pattern}`, layer: source.kind, file: 'built-in', line: 0 }, reason });
  return [
    ...privatePlaces.map(({ pattern, reason }) => granting(source, builtin('private', pattern, reason), everyOperation)),
    ...systemReads.map(({ pattern, reason }) => granting(source, builtin('system', pattern, reason), readOperations)),
  ];
}

function granting(source: LayerSource, atom: Atom, operations: number): FileClause<Answer> {
  return { matcher: { pattern: knownPath(atom.text), operations }, value: grantBy(source, atom), effect: 'allows' };
}

/** Built-in names and places, unless released or in a place that is thrown away. Undefined when the layer has none. */
function compileGuard(source: LayerSource): Answerer | undefined {
  if (source.names.length === 0) return undefined;
  const places = fileIndex(source.hiddenPlaces.map((atom) => refusing(source, atom, everyOperation)), source.places);
  const names = pathIndex(source.names.map((atom, order) => nameEntry(source, atom, order)));
  const released = textsIndex(source, atomTexts(source.lists['files.release']));
  const passing = textsIndex(source, [...privatePlaces.map(({ pattern }) => pattern), ...atomTexts(source.lists['files.ephemeral'])]);
  const lasting = textsIndex(source, atomTexts(source.lists['files.write'], defaultWrites.map(({ pattern }) => pattern)));
  const isPassing = (query: PathQuery): boolean => passing.first(query) !== undefined && lasting.first(query) === undefined;
  return (query) => {
    const name = names.first(query);
    const hit = name !== undefined && !isPassing(query) ? name : places.first(query);
    return hit === undefined || released.first(query) !== undefined ? undefined : hit.value;
  };
}

function atomTexts(atoms: readonly Atom[] | undefined, otherwise: readonly string[] = []): readonly string[] {
  return atoms?.map(({ text }) => text) ?? otherwise;
}

function textsIndex(source: LayerSource, texts: readonly string[]): PathIndex<string> {
  return fileIndex(texts.map((text) => ({ matcher: { pattern: knownPath(text), operations: everyOperation }, value: text, effect: 'allows' })), source.places);
}

function nameEntry(source: LayerSource, { name, origin }: NameAtom, order: number): PathEntry<Answer> {
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
    value: answerIn(source, origin, { decision: 'deny', code: codeOf(name), reason }),
  };
}

function codeOf(name: BuiltinName): VerdictCode {
  if (name.kind === 'holdfast') return 'policy-file';
  return name.effect === 'hidden' ? 'hidden-file' : 'protected-path';
}
