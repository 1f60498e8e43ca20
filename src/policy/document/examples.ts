import type { PolicyRequest } from '../request.ts';
import { exampleForms, exampleRequest } from './example-request.ts';
import { isRepresentable } from './representable.ts';
import { ruleMatcher } from './rule-matcher.ts';
import { type PlacedRule, ruleTables } from './rule-tables.ts';
import type { PolicyValue, RuleOf, RuleTable } from './types.ts';

/** One example of a rule, tried. */
export interface ExampleResult {
  /** Where it stands in the document: `exec[2].match[0]`. */
  readonly at: string;
  readonly rule: string;
  readonly expects: 'match' | 'no match';
  readonly example: string;
  readonly outcome: { readonly kind: 'passed' } | { readonly kind: 'failed'; readonly message: string; readonly remedy: string };
}

/** Tries every `match` and `not_match` of every rule with what decides later on. */
export function tryExamples(value: PolicyValue): readonly ExampleResult[] {
  return ruleTables.flatMap((table) => {
    const rules: readonly RuleOf<RuleTable>[] = value[table] ?? [];
    if (rules.every(({ match, not_match }) => match === undefined && not_match === undefined)) return [];
    const first = ruleMatcher(table, rules);
    return rules.flatMap((rule, index) => {
      const placed = { table, index, at: `${table}[${index}]`, rule };
      return [...tryMatches(placed, rules, first), ...tryNoMatches(placed)];
    });
  });
}

const passed: ExampleResult['outcome'] = { kind: 'passed' };

/** An example must be decided by its rule, and so must not be taken by an earlier one of the same table. */
function tryMatches({ table, index, at, rule }: PlacedRule, rules: readonly RuleOf<RuleTable>[], first: ReturnType<typeof ruleMatcher>): readonly ExampleResult[] {
  return (rule.match ?? []).map((example, position) => {
    const request = requestOf(table, example);
    const found = request === undefined ? undefined : first(request);
    const outcome = request === undefined ? malformed(table, example) : found === index ? passed : missed(rule.name, example, found === undefined || found > index ? undefined : rules[found]?.name);
    return { at: `${at}.match[${position}]`, rule: rule.name, expects: 'match', example, outcome };
  });
}

function tryNoMatches({ table, at, rule }: PlacedRule): readonly ExampleResult[] {
  if (rule.not_match === undefined) return [];
  const first = ruleMatcher(table, [rule]);
  return rule.not_match.map((example, position) => {
    const request = requestOf(table, example);
    const outcome = request === undefined ? malformed(table, example) : first(request) === undefined ? passed : failed(`"${rule.name}" matches "${example}", which it must not`, 'change the rule or the example');
    return { at: `${at}.not_match[${position}]`, rule: rule.name, expects: 'no match', example, outcome };
  });
}

function requestOf(table: RuleTable, example: string): PolicyRequest | undefined {
  const request = exampleRequest(table, example);
  return request !== undefined && isRepresentable(request) ? request : undefined;
}

function missed(rule: string, example: string, taken: string | undefined): ExampleResult['outcome'] {
  if (taken === undefined) return failed(`"${rule}" does not match its example "${example}"`, 'change the rule or the example');
  return failed(`"${rule}" does not get to its example "${example}": "${taken}" comes first and matches it`, 'put the rule before the other one, or narrow that');
}

function malformed(table: RuleTable, example: string): ExampleResult['outcome'] {
  return failed(`"${example}" is not an example of a ${table} request`, `write it as ${exampleForms[table]}`);
}

function failed(message: string, remedy: string): ExampleResult['outcome'] {
  return { kind: 'failed', message, remedy };
}
