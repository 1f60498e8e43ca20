import type { PolicyDocument } from '../../policy/index.ts';
import { lineOf, type RuleTable } from '../../policy/document/types.ts';
import type { AlwaysRule } from './rule-for.ts';

/**
 * The policy with a rule more. The first that matches decides, so it stands before the rule that asked where that is one of this
 * file, above the comments that belong to it, and at the end otherwise. Every other line stays as it is.
 */
export function insertRule(policy: string, document: Pick<PolicyDocument, 'value' | 'lines'> | undefined, rule: AlwaysRule & { readonly asked: string }): string {
  if (policy.trim() === '') return `version = 1\n\n${rule.text}`;
  const line = document === undefined ? 0 : lineOfRule(document, rule.table, rule.asked);
  if (line === 0) return `${policy}${policy.endsWith('\n') ? '' : '\n'}\n${rule.text}`;
  const lines = policy.split('\n');
  let at = line - 1;
  while (at > 0 && /^\s*#/u.test(lines[at - 1] ?? '')) at -= 1;
  return [...lines.slice(0, at), ...rule.text.split('\n'), ...lines.slice(at)].join('\n');
}

/** Where the header of a rule stands; 0 where no table of its own has this name. */
function lineOfRule({ value, lines }: Pick<PolicyDocument, 'value' | 'lines'>, table: RuleTable, name: string): number {
  const rules: readonly { readonly name: string }[] = value[table] ?? [];
  const index = rules.findIndex((rule) => rule.name === name);
  return index === -1 ? 0 : lineOf({ lines }, `${table}[${index}]`);
}
