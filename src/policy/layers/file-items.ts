import { privatePlaces, systemReads } from '../builtin/defaults.ts';
import { everyOperation, fileRuleClauses, readOperations, writeOperations } from '../kinds/file.ts';
import { knownPath } from '../kinds/known-pattern.ts';
import type { Effect } from '../kinds/signal.ts';
import { type Answer, builtinFile, type Origin } from '../origin.ts';
import { type ResolvedPath, resolvePath } from '../patterns/resolve-path.ts';
import type { FileUse } from './layer.ts';
import { answerByRule, type Atom, effectOf, grantBy, type LayerSource, refusalBy, type RuleAtom } from './source.ts';

/** One path that a layer names, with its statement. */
export interface FileItem {
  /** `private` places are made new for each box. */
  readonly use: FileUse | 'private';
  readonly pattern: ResolvedPath;
  /** Bits of the operations that it covers. */
  readonly operations: number;
  readonly effect: Effect;
  readonly origin: Origin;
  readonly says: Saying;
}

/** The statement about a path, evaluated only when needed. */
type Saying =
  | { readonly kind: 'grant' | 'refusal'; readonly atom: Atom }
  | { readonly kind: 'rule'; readonly atom: RuleAtom<'file'> };

/** Returns the answer of an item. */
export function itemAnswer(source: LayerSource, { says }: FileItem): Answer {
  switch (says.kind) {
    case 'grant':
      return grantBy(source, says.atom);
    case 'refusal':
      return refusalBy(source, says.atom, 'deny-set');
    case 'rule':
      return answerByRule(source, says.atom);
  }
}

export interface FileItems {
  /** Items in the order in which they are tried. */
  readonly items: readonly FileItem[];
  /** Number of items that deny, regardless of the layer's other items. */
  readonly denials: number;
}

/** Denials, then rules, then grants. The first match is the layer's answer. */
export function fileItems(source: LayerSource): FileItems {
  const denials = [...atomItems(source, 'files.deny'), ...atomItems(source, 'files.protect')];
  return {
    items: [
      ...denials,
      ...ruleItems(source),
      ...builtinItems(source),
      ...atomItems(source, 'files.ephemeral'),
      ...atomItems(source, 'files.write'),
      ...atomItems(source, 'files.read'),
    ],
    denials: denials.length,
  };
}

type FileList = 'files.deny' | 'files.protect' | 'files.ephemeral' | 'files.write' | 'files.read';

function atomItems(source: LayerSource, list: FileList): readonly FileItem[] {
  const { use, effect } = listMeaning[list];
  const operations = operationsOf(source, list);
  const kind = effect === 'restricts' ? 'refusal' : 'grant';
  const letters = lettersOf(effect);
  return (source.lists[list] ?? []).map((atom) => ({
    use,
    pattern: resolvePath(knownPath(atom.text), source.roots, letters),
    operations,
    effect,
    origin: atom.origin,
    says: { kind, atom },
  }));
}

const listMeaning: Readonly<Record<FileList, { readonly use: FileUse; readonly effect: Effect }>> = {
  'files.deny': { use: 'deny', effect: 'restricts' },
  'files.protect': { use: 'protect', effect: 'restricts' },
  'files.ephemeral': { use: 'ephemeral', effect: 'allows' },
  'files.write': { use: 'write', effect: 'allows' },
  'files.read': { use: 'read', effect: 'allows' },
};

/** Writing implies reading. If a ceiling has no list for writing, readable paths are also writable. */
function operationsOf(source: LayerSource, list: FileList): number {
  if (list === 'files.protect') return writeOperations;
  if (list !== 'files.read') return everyOperation;
  return source.role === 'ceiling' && source.lists['files.write'] === undefined ? everyOperation : readOperations;
}

/** A restriction also covers other spellings of a name. */
function lettersOf(effect: Effect): 'folded' | 'exact' {
  return effect === 'restricts' ? 'folded' : 'exact';
}

function ruleItems(source: LayerSource): readonly FileItem[] {
  return source.rules.file.flatMap((atom) => {
    const effect = effectOf(atom.rule.decision);
    return fileRuleClauses(atom.rule, { value: atom, effect }).map(({ matcher: { pattern: written, operations } }) => {
      const pattern = resolvePath(written, source.roots, lettersOf(effect));
      return {
        use: useOf(atom, operations, pattern),
        pattern,
        operations,
        effect,
        origin: atom.origin,
        says: { kind: 'rule', atom },
      };
    });
  });
}

/**
 * Maps a rule's effect on a path to the names of lists. The planner asks `decide` for the rest. Paths that a supervisor
 * allows or redirects are closed to the box itself, so that no race with the supervisor opens them. Paths of `stage`
 * rules may be read.
 */
function useOf({ rule }: RuleAtom<'file'>, operations: number, pattern: ResolvedPath): FileUse {
  switch (rule.decision) {
    case 'deny':
    case 'ask':
    case 'redirect':
      return (operations & readOperations) !== 0 ? 'deny' : 'protect';
    case 'stage':
      return (operations & writeOperations) === 0 ? 'audit' : 'protect';
    case 'audit':
    case 'allow':
      // A glob cannot be mounted, but it can be audited.
      if (rule.decision === 'audit' && pattern.kind !== 'subtree') return 'audit';
      return (operations & writeOperations) === 0 ? 'read' : 'write';
  }
}

/** A ceiling limits the user's host files, not the box's own `/tmp` or the C library. */
function builtinItems(source: LayerSource): readonly FileItem[] {
  const hasCeiling = source.lists['files.read'] !== undefined || source.lists['files.write'] !== undefined;
  if (source.role === 'ceiling' && !hasCeiling) return [];
  return [
    ...privatePlaces.map((grant) =>
      builtinItem(source, { use: 'private', name: 'private', operations: everyOperation, ...grant }),
    ),
    ...systemReads.map((grant) =>
      builtinItem(source, { use: 'read', name: 'system', operations: readOperations, ...grant }),
    ),
  ];
}

interface BuiltinGrant {
  readonly use: 'private' | 'read';
  readonly name: string;
  readonly operations: number;
  readonly pattern: string;
  readonly reason: string;
}

function builtinItem(source: LayerSource, { use, name, operations, pattern, reason }: BuiltinGrant): FileItem {
  const origin: Origin = { rule: `${name}:${pattern}`, layer: source.kind, file: builtinFile, line: 0 };
  const atom: Atom = { text: pattern, origin, reason };
  return {
    use,
    pattern: resolvePath(knownPath(pattern), source.roots, 'exact'),
    operations,
    effect: 'allows',
    origin,
    says: { kind: 'grant', atom },
  };
}
