import { loadsCode } from '../../shell/loads-code.ts';
import { findRegistryKey } from '../builtin/find-registry-key.ts';
import type { RuleTable } from '../document/rule-schema.ts';
import { type EnvClause, envFinder, envRuleClauses } from '../kinds/env.ts';
import { everyRegistryOperation, everyTargetIn, registryFinder, registryRuleClauses } from '../kinds/registry.ts';
import { type Clause, type Effect, signalFinder, signalRuleClauses } from '../kinds/signal.ts';
import { toolFinder, toolRuleClauses } from '../kinds/tool.ts';
import {
  trustFinder,
  trustRuleClauses,
  everySocketOperation,
  socketFinder,
  socketRuleClauses,
} from '../kinds/trust.ts';
import type { Answer } from '../origin.ts';
import type { SignalRequest } from '../request.ts';
import type { Answerers } from './layer.ts';
import {
  answerByRule,
  answerIn,
  effectOf,
  grantBy,
  type LayerSource,
  type ListName,
  refusalBy,
  type RuleAtom,
  unmatched,
} from './source.ts';

export function compileSocket(source: LayerSource): Answerers['socket'] {
  const list = (name: ListName) =>
    listClauses(source, name, (pattern) => ({ pattern, operations: everySocketOperation }));
  const find = socketFinder(
    [...list('sockets.deny'), ...ruleClauses(source, 'socket', socketRuleClauses<Answer>), ...list('sockets.allow')],
    source.roots,
  );
  const otherwise = unmatched(source, 'sockets.allow');
  return (query) => find(query) ?? otherwise;
}

/** Signals stay inside the box. Only the required layer refuses others, so that no grant can let signals out. */
export function compileSignal(source: LayerSource): Answerers['signal'] {
  const find = signalFinder(ruleClauses(source, 'signal', signalRuleClauses<Answer>));
  const otherwise = source.role === 'base' ? byDefault(source, 'signal', 'allow') : undefined;
  const outside =
    source.kind === 'required'
      ? answerIn(
          source,
          { rule: 'signal.outside-box', layer: 'required', file: 'built-in', line: 0 },
          { decision: 'deny', code: 'deny-set', reason: 'signals cannot leave the box' },
        )
      : undefined;
  return (query) => (leavesBox(query) ? outside : undefined) ?? find(query) ?? otherwise;
}

function leavesBox({ target }: SignalRequest): boolean {
  return target === 'supervisor' || target === 'outside';
}

/**
 * A variable that a layer sets also passes, with the layer's value and not the host's. A variable that makes programs
 * load code never comes from the host.
 */
export function compileEnv(source: LayerSource): Answerers['env'] {
  const list = (name: ListName) => listClauses(source, name, (text) => text);
  const set = source.settings.variables.map(({ name, origin }) => ({
    matcher: name,
    value: answerIn(source, origin, { decision: 'allow', code: 'granted' }),
    effect: 'allows' as const,
  }));
  const fromOutside = (clauses: readonly EnvClause<Answer>[]) =>
    clauses.filter(({ matcher, effect }) => effect === 'restricts' || !loadsCode(matcher));
  const find = envFinder([
    ...list('environment.deny'),
    ...fromOutside(ruleClauses(source, 'env', envRuleClauses<Answer>)),
    ...set,
    ...fromOutside(list('environment.pass')),
  ]);
  const otherwise = unmatched(source, 'environment.pass');
  return (query) => find(query) ?? otherwise;
}

export function compileTool(source: LayerSource): Answerers['tool'] {
  const list = (name: ListName) => listClauses(source, name, (tool) => ({ tool }));
  const find = toolFinder([
    ...list('tools.deny'),
    ...ruleClauses(source, 'tool', toolRuleClauses<Answer>),
    ...list('tools.ask'),
    ...list('tools.allow'),
  ]);
  const otherwise = source.role === 'base' ? byDefault(source, 'tools', 'ask') : unmatched(source, 'tools.allow');
  return (query) => find(query) ?? otherwise;
}

/** There is no list of trusted paths: trust is about content, by rules with a hash or by a person. */
export function compileTrust(source: LayerSource): Answerers['trust'] {
  const find = trustFinder(ruleClauses(source, 'trust', trustRuleClauses<Answer>), source.roots);
  const otherwise = source.role === 'base' ? byDefault(source, 'trust', 'ask') : undefined;
  return (query) => find(query) ?? otherwise;
}

export function compileRegistry(source: LayerSource): Answerers['registry'] {
  const list = (name: ListName) => listClauses(source, name, (key) => ({ key, operations: everyRegistryOperation }));
  const find = registryFinder([
    ...list('registry.deny'),
    ...ruleClauses(source, 'registry_rule', registryRuleClauses<Answer>),
    ...list('registry.allow'),
  ]);
  const guard = registryGuard(source);
  const otherwise = unmatched(source, 'registry.allow');
  return (query) => guard(query) ?? find(query) ?? otherwise;
}

/**
 * The built-in keys come first, so that granting a whole hive does not open them. A release grants nothing by itself.
 */
function registryGuard(source: LayerSource): Answerers['registry'] {
  const isReleased = everyTargetIn((source.lists['registry.release'] ?? []).map(({ text }) => text));
  return (query) => {
    const found = source.registryKeys.length === 0 ? undefined : findRegistryKey(query);
    const atom = found === undefined ? undefined : source.registryKeys[found];
    return atom === undefined || isReleased(query) ? undefined : refusalBy(source, atom, 'protected-path');
  };
}

/** The effect follows from the list's name: `…deny` and `…ask` restrict, and every other list allows. */
export function listClauses<Matcher>(
  source: LayerSource,
  name: ListName,
  match: (text: string) => Matcher,
): readonly Clause<Matcher, Answer>[] {
  const decision = name.endsWith('.deny') ? 'deny' : name.endsWith('.ask') ? 'ask' : 'allow';
  const effect: Effect = decision === 'allow' ? 'allows' : 'restricts';
  return (source.lists[name] ?? []).map((atom) => {
    const value =
      decision === 'deny'
        ? refusalBy(source, atom, 'deny-set')
        : decision === 'ask'
          ? answerIn(source, atom.origin, { decision, code: 'rule', reason: atom.reason })
          : grantBy(source, atom);
    return { matcher: match(atom.text), value, effect };
  });
}

function ruleClauses<Table extends RuleTable, Item>(
  source: LayerSource,
  table: Table,
  read: (rule: RuleAtom<Table>['rule'], clause: { readonly value: Answer; readonly effect: Effect }) => readonly Item[],
): readonly Item[] {
  const atoms: readonly RuleAtom<Table>[] = source.rules[table];
  return atoms.flatMap((atom) =>
    read(atom.rule, { value: answerByRule(source, atom), effect: effectOf(atom.rule.decision) }),
  );
}

export function byDefault(source: LayerSource, subject: string, decision: 'allow' | 'ask'): Answer {
  const origin = { rule: `${subject}.default`, layer: source.kind, file: 'built-in', line: 0 };
  return answerIn(source, origin, { decision, code: decision === 'allow' ? 'granted' : 'not-granted' });
}
