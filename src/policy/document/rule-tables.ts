import type { PolicyValue, RuleOf, RuleTable } from './types.ts';

export const ruleTables: readonly RuleTable[] = ['file', 'exec', 'connect', 'http', 'dns', 'socket', 'signal', 'env', 'tool', 'trust', 'registry_rule'];

/** A rule with where it stands. */
export interface PlacedRule {
  readonly table: RuleTable;
  readonly index: number;
  /** `exec[2]`. */
  readonly at: string;
  readonly rule: RuleOf<RuleTable>;
}

/** Every rule of a document. */
export function placedRules(value: PolicyValue): readonly PlacedRule[] {
  return ruleTables.flatMap((table) => {
    const rules: readonly RuleOf<RuleTable>[] = value[table] ?? [];
    return rules.map((rule, index) => ({ table, index, at: `${table}[${index}]`, rule }));
  });
}
