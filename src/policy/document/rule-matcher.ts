import { envFinder, envQuery, envRuleClauses } from '../kinds/env.ts';
import { execIndex, execRuleClauses } from '../kinds/exec.ts';
import { fileIndex, fileQuery, fileRuleClauses } from '../kinds/file.ts';
import { connectQuery, connectRuleClauses, dnsQuery, dnsRuleClauses, hostFinder, type HostQuery, httpQuery, httpRuleClauses } from '../kinds/host.ts';
import type { HostIndex } from '../patterns/host-index.ts';
import { registryFinder, registryQuery, registryRuleClauses } from '../kinds/registry.ts';
import { signalFinder, signalRuleClauses } from '../kinds/signal.ts';
import { socketFinder, socketQuery, socketRuleClauses } from '../kinds/socket.ts';
import { toolFinder, toolQuery, toolRuleClauses } from '../kinds/tool.ts';
import { trustFinder, trustQuery, trustRuleClauses } from '../kinds/trust.ts';
import { effectOf } from '../layers/source.ts';
import type { PolicyRequest } from '../request.ts';
import { examplePlaces } from './example-request.ts';
import type { RuleOf, RuleTable } from './types.ts';

/** Says which of these rules is the first to match a request, by its position. Built from what decides later on. */
export function ruleMatcher(table: RuleTable, rules: readonly RuleOf<RuleTable>[]): (request: PolicyRequest) => number | undefined {
  const find = finderOf({ table, rules } as RuleSet);
  return (request) => find(request);
}

/** Rules with the table that they are from. */
type RuleSet = { readonly [Table in RuleTable]: { readonly table: Table; readonly rules: readonly RuleOf<Table>[] } }[RuleTable];

type Find = (request: PolicyRequest) => number | undefined;

function finderOf(set: RuleSet): Find {
  switch (set.table) {
    case 'file': {
      const index = fileIndex(clausesOf(set.rules, fileRuleClauses<number>), examplePlaces);
      return (request) => (request.kind === 'file' ? through(fileQuery(request), (query) => index.first(query)?.value) : undefined);
    }
    case 'exec': {
      const index = execIndex(clausesOf(set.rules, execRuleClauses<number>), examplePlaces);
      return (request) => (request.kind === 'exec' ? (index.first(request)?.value ?? index.first({ ...request, context: 'nested' })?.value) : undefined);
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

type ClauseOf<Rule, Item> = (rule: Rule, clause: { readonly value: number; readonly effect: 'allows' | 'restricts' }) => readonly Item[];

function clausesOf<Rule extends RuleOf<RuleTable>, Item>(rules: readonly Rule[], read: ClauseOf<Rule, Item>): readonly Item[] {
  return rules.flatMap((rule, value) => read(rule, { value, effect: effectOf(rule.decision) }));
}

function through<Query, Value>(query: Query | undefined, find: (query: Query) => Value | undefined): Value | undefined {
  return query === undefined ? undefined : find(query);
}

function hostValue<Request>(index: HostIndex<number, Request>, query: HostQuery<Request> | undefined): number | undefined {
  return query === undefined ? undefined : index.first(query.host, query.port, query.request)?.value;
}
