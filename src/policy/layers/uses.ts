import { builtinFile } from '../origin.ts';
import type { Decision } from '../decision.ts';
import type { RuleOf, RuleTable } from '../document/types.ts';
import type { RequestKind } from '../request.ts';
import type { NetworkFeature, Use } from './layer.ts';
import type { LayerSource, ListName } from './source.ts';

/** Lists that need more than mounts and an environment: something has to be there that decides while the box runs. */
const listUses: readonly (readonly [ListName, RequestKind | NetworkFeature, Decision])[] = [
  ['network.hosts', 'connect', 'allow'],
  ['network.presets', 'connect', 'allow'],
  ['network.passthrough', 'passthrough', 'allow'],
  ['network.forward', 'forward', 'allow'],
  ['network.ca', 'ca', 'allow'],
  ['sockets.allow', 'socket', 'allow'],
  ['commands.ask', 'exec', 'ask'],
  ['commands.deny', 'exec', 'deny'],
  ['commands.allow', 'exec', 'deny'],
  ['tools.allow', 'tool', 'allow'],
  ['tools.ask', 'tool', 'ask'],
  ['tools.deny', 'tool', 'deny'],
  ['registry.allow', 'registry', 'allow'],
  ['registry.deny', 'registry', 'deny'],
];

/** Every decision that files of the user can lead to, to be checked against what is there to carry it out. */
export function usesOf(source: LayerSource): readonly Use[] {
  const lists = listUses.flatMap(([name, kind, decision]) => (source.lists[name] ?? []).filter(({ origin }) => origin.file !== builtinFile).map(({ origin }): Use => ({ kind, decision, origin, from: 'list' })));
  const tables = Object.keys(source.rules) as RuleTable[];
  const rules = tables.flatMap((table) => source.rules[table].map(({ rule, origin }): Use => ({ kind: featureOf(rule) ?? kindOf(table), decision: rule.decision, origin, from: 'rule', ...operationsOf(rule) })));
  const credentials = source.credentials.map(({ origin }): Use => ({ kind: 'credential', decision: 'allow', origin, from: 'list' }));
  return [...lists, ...rules, ...realAddresses(source), ...credentials];
}

function operationsOf(rule: RuleOf<RuleTable>): Pick<Use, 'operations'> {
  return 'operations' in rule && rule.operations !== undefined ? { operations: rule.operations } : {};
}

/** A closed network refuses UDP anyway; to let it through is another matter. */
function featureOf(rule: RuleOf<RuleTable>): NetworkFeature | undefined {
  return 'protocol' in rule && rule.protocol === 'udp' && rule.decision !== 'deny' ? 'udp' : undefined;
}

function realAddresses({ settings: { dns } }: LayerSource): readonly Use[] {
  return dns?.value === 'real' ? [{ kind: 'real-dns', decision: 'allow', origin: dns.origin, from: 'list' }] : [];
}

function kindOf(table: RuleTable): RequestKind {
  return table === 'registry_rule' ? 'registry' : table;
}
