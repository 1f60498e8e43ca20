import { exampleForms, exampleRequest } from './example-request.ts';
import type { Finding } from './problem.ts';
import { ruleMatcher } from './rule-matcher.ts';
import { type PlacedRule, ruleTables } from './rule-tables.ts';
import type { PolicyValue, RuleOf, RuleTable } from './types.ts';

/** Examples that do not come out as written: each rule carries its own tests. */
export function exampleFindings(value: PolicyValue): readonly Finding[] {
  return ruleTables.flatMap((table) => {
    const rules: readonly RuleOf<RuleTable>[] = value[table] ?? [];
    if (rules.every(({ match, not_match }) => match === undefined && not_match === undefined)) return [];
    const first = ruleMatcher(table, rules);
    return rules.flatMap((rule, index) => {
      const placed = { table, index, at: `${table}[${index}]`, rule };
      return [...matchFindings(placed, rules, first), ...noMatchFindings(placed)];
    });
  });
}

/** An example must be decided by its rule, and so must not be taken by an earlier one of the same table. */
function matchFindings(placed: PlacedRule, rules: readonly RuleOf<RuleTable>[], first: ReturnType<typeof ruleMatcher>): readonly Finding[] {
  const { table, index, at, rule } = placed;
  return (rule.match ?? []).flatMap((example, position): readonly Finding[] => {
    const request = exampleRequest(table, example);
    if (request === undefined) return [malformed(placed, `match[${position}]`, example)];
    const found = first(request);
    if (found === index) return [];
    const taken = found === undefined || found > index ? undefined : rules[found]?.name;
    const message = taken === undefined ? `"${rule.name}" does not match its example "${example}"` : `"${rule.name}" does not get to its example "${example}": "${taken}" comes first and matches it`;
    return [{ at: `${at}.match[${position}]`, message, remedy: taken === undefined ? 'change the rule or the example' : 'put the rule before the other one, or narrow that' }];
  });
}

function noMatchFindings(placed: PlacedRule): readonly Finding[] {
  const { table, at, rule } = placed;
  if (rule.not_match === undefined) return [];
  const first = ruleMatcher(table, [rule]);
  return rule.not_match.flatMap((example, position): readonly Finding[] => {
    const request = exampleRequest(table, example);
    if (request === undefined) return [malformed(placed, `not_match[${position}]`, example)];
    if (first(request) === undefined) return [];
    return [{ at: `${at}.not_match[${position}]`, message: `"${rule.name}" matches "${example}", which it must not`, remedy: 'change the rule or the example' }];
  });
}

function malformed({ table, at }: PlacedRule, key: string, example: string): Finding {
  return { at: `${at}.${key}`, message: `"${example}" is not an example of a ${table} request`, remedy: `write it as ${exampleForms[table]}` };
}

