import { envFinder, envQuery, envRuleClauses } from '../kinds/env.ts';
import { execIndex, execRuleClauses } from '../kinds/exec.ts';
import { fileIndex, fileQuery, fileRuleClauses } from '../kinds/file.ts';
import {
  connectQuery,
  connectRuleClauses,
  dnsQuery,
  dnsRuleClauses,
  hostFinder,
  type HostOfRequest,
  httpQuery,
  httpRuleClauses,
} from '../kinds/host.ts';
import { registryFinder, registryQuery, registryRuleClauses } from '../kinds/registry.ts';
import { signalFinder, signalRuleClauses } from '../kinds/signal.ts';
import { toolFinder, toolQuery, toolRuleClauses } from '../kinds/tool.ts';
import {
  socketFinder,
  socketQuery,
  socketRuleClauses,
  trustFinder,
  trustQuery,
  trustRuleClauses,
} from '../kinds/trust.ts';
import { effectOf } from '../layers/source.ts';
import type { HostIndex } from '../patterns/host-index.ts';
import type { PolicyRequest } from '../request.ts';
import { exampleForms, examplePlaces, exampleRequest } from './example-request.ts';
import { type PlacedRule, ruleTables } from './rule-findings.ts';
import type { RuleOf, RuleTable } from './rule-schema.ts';
import type { PolicyValue } from './types.ts';

/** The result of one example. */
export interface ExampleResult {
  /** Path in the document: `exec[2].match[0]`. */
  readonly at: string;
  readonly rule: string;
  readonly expects: 'match' | 'no match';
  readonly example: string;
  readonly outcome:
    | { readonly kind: 'passed' }
    | { readonly kind: 'failed'; readonly message: string; readonly remedy: string };
}

/** Tries every `match` and `not_match` of every rule with the code that later decides. */
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

/** An example must be decided by its own rule, so no earlier rule of the table may match it. */
function tryMatches(
  { table, index, at, rule }: PlacedRule,
  rules: readonly RuleOf<RuleTable>[],
  first: ReturnType<typeof ruleMatcher>,
): readonly ExampleResult[] {
  return (rule.match ?? []).map((example, position) => {
    const request = requestOf(table, example);
    const found = request === undefined ? undefined : first(request);
    const outcome =
      request === undefined
        ? malformed(table, example)
        : found === index
          ? passed
          : missed(rule.name, example, found === undefined || found > index ? undefined : rules[found]?.name);
    return { at: `${at}.match[${position}]`, rule: rule.name, expects: 'match', example, outcome };
  });
}

function tryNoMatches({ table, at, rule }: PlacedRule): readonly ExampleResult[] {
  if (rule.not_match === undefined) return [];
  const first = ruleMatcher(table, [rule]);
  return rule.not_match.map((example, position) => {
    const request = requestOf(table, example);
    const outcome =
      request === undefined
        ? malformed(table, example)
        : first(request) === undefined
          ? passed
          : failed(`"${rule.name}" matches "${example}", which it must not`, 'change the rule or the example');
    return { at: `${at}.not_match[${position}]`, rule: rule.name, expects: 'no match', example, outcome };
  });
}

function requestOf(table: RuleTable, example: string): PolicyRequest | undefined {
  const request = exampleRequest(table, example);
  return request !== undefined && isRepresentable(request) ? request : undefined;
}

function missed(rule: string, example: string, taken: string | undefined): ExampleResult['outcome'] {
  if (taken === undefined)
    return failed(`"${rule}" does not match its example "${example}"`, 'change the rule or the example');
  return failed(
    `"${rule}" never decides its example "${example}": the earlier rule "${taken}" matches it`,
    'move the rule above the other one, or narrow the other one',
  );
}

function malformed(table: RuleTable, example: string): ExampleResult['outcome'] {
  return failed(`"${example}" is not an example of a ${table} request`, `write it as ${exampleForms[table]}`);
}

function failed(message: string, remedy: string): ExampleResult['outcome'] {
  return { kind: 'failed', message, remedy };
}

/** Whether any rule could match the request. If not, it cannot show that a rule leaves a request alone. */
function isRepresentable(request: PolicyRequest): boolean {
  return queryOf(request) !== undefined;
}

function queryOf(request: PolicyRequest): object | undefined {
  switch (request.kind) {
    case 'file':
      return fileQuery(request);
    case 'connect':
      return connectQuery(request);
    case 'http':
      return httpQuery(request);
    case 'dns':
      return dnsQuery(request);
    case 'socket':
      return socketQuery(request);
    case 'env':
      return envQuery(request);
    case 'tool':
      return toolQuery(request);
    case 'trust':
      return trustQuery(request);
    case 'registry':
      return registryQuery(request);
    case 'exec':
    case 'signal':
      return request;
  }
}

/** Returns the position of the first rule that matches a request. Built from the code that later decides. */
function ruleMatcher(
  table: RuleTable,
  rules: readonly RuleOf<RuleTable>[],
): (request: PolicyRequest) => number | undefined {
  const find = finderOf({ table, rules } as RuleSet);
  return (request) => find(request);
}

/** Rules, with the name of their table. */
type RuleSet = {
  readonly [Table in RuleTable]: { readonly table: Table; readonly rules: readonly RuleOf<Table>[] };
}[RuleTable];

type Find = (request: PolicyRequest) => number | undefined;

function finderOf(set: RuleSet): Find {
  switch (set.table) {
    case 'file': {
      const index = fileIndex(clausesOf(set.rules, fileRuleClauses<number>), examplePlaces);
      return (request) =>
        request.kind === 'file' ? through(fileQuery(request), (query) => index.first(query)?.value) : undefined;
    }
    case 'exec': {
      const index = execIndex(clausesOf(set.rules, execRuleClauses<number>), examplePlaces);
      return (request) =>
        request.kind === 'exec'
          ? (index.first(request)?.value ?? index.first({ ...request, context: 'nested' })?.value)
          : undefined;
    }
    case 'connect': {
      const index = hostFinder(clausesOf(set.rules, connectRuleClauses<number>));
      return (request) => (request.kind === 'connect' ? hostValue(index, connectQuery(request)) : undefined);
    }
    case 'http': {
      const index = hostFinder(clausesOf(set.rules, httpRuleClauses<number>));
      return (request) => (request.kind === 'http' ? hostValue(index, httpQuery(request)) : undefined);
    }
    case 'dns': {
      const index = hostFinder(clausesOf(set.rules, dnsRuleClauses<number>));
      return (request) => (request.kind === 'dns' ? hostValue(index, dnsQuery(request)) : undefined);
    }
    default:
      return otherFinder(set);
  }
}

function otherFinder(set: Exclude<RuleSet, { readonly table: 'file' | 'exec' | 'connect' | 'http' | 'dns' }>): Find {
  switch (set.table) {
    case 'socket': {
      const find = socketFinder(clausesOf(set.rules, socketRuleClauses<number>), examplePlaces);
      return (request) => (request.kind === 'socket' ? through(socketQuery(request), find) : undefined);
    }
    case 'signal': {
      const find = signalFinder(clausesOf(set.rules, signalRuleClauses<number>));
      return (request) => (request.kind === 'signal' ? find(request) : undefined);
    }
    case 'env': {
      const find = envFinder(clausesOf(set.rules, envRuleClauses<number>));
      return (request) => (request.kind === 'env' ? through(envQuery(request), find) : undefined);
    }
    case 'tool': {
      const find = toolFinder(clausesOf(set.rules, toolRuleClauses<number>));
      return (request) => (request.kind === 'tool' ? through(toolQuery(request), find) : undefined);
    }
    case 'trust': {
      const find = trustFinder(clausesOf(set.rules, trustRuleClauses<number>), examplePlaces);
      return (request) => (request.kind === 'trust' ? through(trustQuery(request), find) : undefined);
    }
    case 'registry_rule': {
      const find = registryFinder(clausesOf(set.rules, registryRuleClauses<number>));
      return (request) => (request.kind === 'registry' ? through(registryQuery(request), find) : undefined);
    }
  }
}

type ClauseOf<Rule, Item> = (
  rule: Rule,
  clause: { readonly value: number; readonly effect: 'allows' | 'restricts' },
) => readonly Item[];

function clausesOf<Rule extends RuleOf<RuleTable>, Item>(
  rules: readonly Rule[],
  read: ClauseOf<Rule, Item>,
): readonly Item[] {
  return rules.flatMap((rule, value) => read(rule, { value, effect: effectOf(rule.decision) }));
}

function through<Query, Value>(query: Query | undefined, find: (query: Query) => Value | undefined): Value | undefined {
  return query === undefined ? undefined : find(query);
}

function hostValue<Request>(
  index: HostIndex<number, Request>,
  query: HostOfRequest<Request> | undefined,
): number | undefined {
  return query === undefined ? undefined : index.first(query.host, query.port, query.request)?.value;
}
