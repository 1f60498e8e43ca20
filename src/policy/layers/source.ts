import type { BuiltinName } from '../builtin/builtin-name.ts';
import type { CredentialGroup } from '../credentials/credential-group.ts';
import type { RuleOf, RuleTable } from '../document/rule-schema.ts';
import { type Answer, answerOf, type AnswerParts, builtinFile, type Origin } from '../origin.ts';
import { commandPatternOf } from '../patterns/command-pattern.ts';
import type { Roots } from '../patterns/resolve-path.ts';
import type { LayerKind, VerdictCode } from '../verdict.ts';
import type { LayerSettings } from './settings.ts';

/** Names of all lists of patterns. */
export const listNames = [
  'files.read',
  'files.write',
  'files.deny',
  'files.protect',
  'files.ephemeral',
  'files.release',
  'network.hosts',
  'network.deny',
  'network.presets',
  'network.passthrough',
  'network.forward',
  'network.ca',
  'sockets.allow',
  'sockets.deny',
  'commands.allow',
  'commands.ask',
  'commands.deny',
  'environment.pass',
  'environment.deny',
  'tools.allow',
  'tools.ask',
  'tools.deny',
  'registry.allow',
  'registry.deny',
  'registry.release',
] as const;
export type ListName = (typeof listNames)[number];

/** One item of a list, with its origin. */
export interface Atom {
  readonly text: string;
  readonly origin: Origin;
  readonly reason?: string;
  /** Set if the built-in reason is more specific than the list's name. */
  readonly code?: VerdictCode;
}

export interface RuleAtom<Table extends RuleTable> {
  readonly rule: RuleOf<Table>;
  readonly origin: Origin;
}

export interface NameAtom {
  readonly name: BuiltinName;
  readonly origin: Origin;
}

/** All statements of one layer, read from a file or built in. `compileSource` turns it into a `Layer`. */
export interface LayerSource {
  readonly kind: LayerKind;
  readonly file: string;
  /** The file in which a person would add a grant. */
  readonly editFile: string;
  readonly roots: Roots;
  /**
   * `base`: denies every request that it does not grant. `ceiling`: abstains without a list for a request, and denies
   * requests that its list does not match.
   */
  readonly role: 'base' | 'ceiling';
  /** An absent list is not an empty one: only a present list is a ceiling. */
  readonly lists: Readonly<Partial<Record<ListName, readonly Atom[]>>>;
  /** Line of each present list. */
  readonly listOrigins: Readonly<Partial<Record<ListName, Origin>>>;
  readonly rules: { readonly [Table in RuleTable]: readonly RuleAtom<Table>[] };
  /** Built-in names that are protected or hidden here, unless `files.release` releases them. */
  readonly names: readonly NameAtom[];
  /** Built-in paths that are hidden here, unless `files.release` releases them. */
  readonly hiddenPlaces: readonly Atom[];
  /**
   * All built-in registry keys in their order, or none. They are denied here unless `registry.release` releases them.
   */
  readonly registryKeys: readonly Atom[];
  readonly credentials: readonly CredentialGroup[];
  readonly settings: LayerSettings;
}

/** All answers of one layer point to the same file to edit. */
export function answerIn(source: LayerSource, origin: Origin, parts: Omit<AnswerParts, 'editFile'>): Answer {
  return answerOf(origin, { ...parts, editFile: source.editFile });
}

/** Returns the answer of a denying atom. */
export function refusalBy(source: LayerSource, atom: Atom, code: VerdictCode): Answer {
  return answerIn(source, atom.origin, { decision: 'deny', code: atom.code ?? code, reason: atom.reason });
}

/** Returns the answer of a granting atom. */
export function grantBy(source: LayerSource, atom: Atom): Answer {
  return answerIn(source, atom.origin, { decision: 'allow', code: 'granted', reason: atom.reason });
}

/** Returns the answer of a rule. */
export function answerByRule<Table extends RuleTable>(source: LayerSource, { rule, origin }: RuleAtom<Table>): Answer {
  const target = 'redirect_to' in rule ? rule.redirect_to : undefined;
  const redirectTo = typeof target === 'object' ? commandPatternOf(target) : target;
  return answerIn(source, origin, { decision: rule.decision, code: 'rule', reason: rule.reason, redirectTo });
}

/** Returns a layer's answer to a request that none of its statements match. `list` is the list that would grant it. */
export function unmatched(source: LayerSource, list: ListName): Answer | undefined {
  if (source.role === 'base') {
    const origin: Origin = { rule: `${list}.default`, layer: source.kind, file: builtinFile, line: 0 };
    return answerIn(source, origin, { decision: 'deny', code: 'not-granted' });
  }
  const origin = source.listOrigins[list];
  return origin === undefined ? undefined : answerIn(source, origin, { decision: 'deny', code: 'outside-ceiling' });
}

export function effectOf(decision: Answer['decision']): 'allows' | 'restricts' {
  return decision === 'deny' || decision === 'ask' || decision === 'stage' ? 'restricts' : 'allows';
}
