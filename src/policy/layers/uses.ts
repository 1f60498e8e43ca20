import { builtinFile } from '../origin.ts';
import type { Decision } from '../decision.ts';
import type { RuleTable } from '../document/types.ts';
import type { RequestKind } from '../request.ts';
import type { Use } from './layer.ts';
import type { LayerSource, ListName } from './source.ts';

/** Lists that need more than mounts and an environment: something has to be there that decides while the box runs. */
const listUses: readonly (readonly [ListName, RequestKind, Decision])[] = [
  ['network.hosts', 'connect', 'allow'],
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
  const lists = listUses.flatMap(([name, kind, decision]) => (source.lists[name] ?? []).filter(({ origin }) => origin.file !== builtinFile).map(({ origin }) => ({ kind, decision, origin })));
  const tables = Object.keys(source.rules) as RuleTable[];
  const rules = tables.flatMap((table) => source.rules[table].map(({ rule, origin }) => ({ kind: kindOf(table), decision: rule.decision, origin })));
  return [...lists, ...rules];
}

export function kindOf(table: RuleTable): RequestKind {
  return table === 'registry_rule' ? 'registry' : table;
}
