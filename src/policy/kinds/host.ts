import type { RuleOf } from '../document/rule-schema.ts';
import { type Host, normaliseHost } from '../normalise/host.ts';
import { normaliseUrlPath } from '../normalise/url-path.ts';
import { type HostEntry, hostIndex, type HostIndex } from '../patterns/host-index.ts';
import type { HostPattern } from '../patterns/host-pattern.ts';
import { compileWildcard, matchesWildcard } from '../patterns/wildcard.ts';
import type { ConnectRequest, DnsRequest, HttpRequest } from '../request.ts';
import type { Clause } from './signal.ts';
import { knownHost, knownPorts } from './known-pattern.ts';

/** A request about a host, with its normal spelling. */
export interface HostOfRequest<Request> {
  readonly host: Host;
  /** 0 if the port does not matter. */
  readonly port: number;
  readonly request: Request;
}

export interface HostMatch<Request> {
  readonly pattern: HostPattern;
  readonly accepts?: ((request: Request) => boolean) | undefined;
}

export type HostClause<Request, Value> = Clause<HostMatch<Request>, Value>;

export function connectQuery(request: ConnectRequest): HostOfRequest<ConnectRequest> | undefined {
  return queryOf(request.host, request.port, request);
}

export function httpQuery(request: HttpRequest): HostOfRequest<HttpRequest> | undefined {
  return queryOf(request.host, request.port, { ...request, path: normaliseUrlPath(request.path) });
}

export function dnsQuery(request: DnsRequest): HostOfRequest<DnsRequest> | undefined {
  const host = normaliseHost(request.name);
  return host === undefined ? undefined : { host, port: 0, request };
}

export function hostFinder<Request, Value>(clauses: readonly HostClause<Request, Value>[]): HostIndex<Value, Request> {
  return hostIndex(
    clauses.map(({ matcher, value }, order): HostEntry<Value, Request> => {
      const entry = { pattern: matcher.pattern, order, value };
      return matcher.accepts === undefined ? entry : { ...entry, accepts: matcher.accepts };
    }),
  );
}

export function connectRuleClauses<Value>(
  rule: RuleOf<'connect'>,
  clause: Bare<Value>,
): readonly HostClause<ConnectRequest, Value>[] {
  const { protocol } = rule;
  const accepts = protocol === undefined ? undefined : (request: ConnectRequest) => request.protocol === protocol;
  return rulePatterns(rule).map((pattern) => ({ ...clause, matcher: { pattern, accepts } }));
}

export function httpRuleClauses<Value>(
  rule: RuleOf<'http'>,
  clause: Bare<Value>,
): readonly HostClause<HttpRequest, Value>[] {
  return rulePatterns(rule).map((pattern) => ({ ...clause, matcher: { pattern, accepts: httpCondition(rule) } }));
}

export function dnsRuleClauses<Value>(
  rule: RuleOf<'dns'>,
  clause: Bare<Value>,
): readonly HostClause<DnsRequest, Value>[] {
  const types = rule.types?.map((type) => type.toUpperCase());
  const accepts =
    types === undefined ? undefined : (request: DnsRequest) => types.includes(request.recordType.toUpperCase());
  return rule.names.map((name) => ({ ...clause, matcher: { pattern: knownHost(name), accepts } }));
}

/** Returns a pattern of the same hosts on every port, because a name is looked up before the port is known. */
export function onEveryPort({ kind, source, host }: HostPattern): HostPattern {
  return { kind, source, host };
}

type Bare<Value> = Omit<Clause<never, Value>, 'matcher'>;

function queryOf<Request>(text: string, port: number, request: Request): HostOfRequest<Request> | undefined {
  const host = normaliseHost(text);
  if (host === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  return { host, port, request };
}

/** A rule's `ports` apply to each of its hosts without ports of its own. */
export function rulePatterns(rule: RuleOf<'connect'> | RuleOf<'http'>): readonly HostPattern[] {
  return rule.hosts.map(knownHost).flatMap((pattern): readonly HostPattern[] => {
    if (rule.ports === undefined || pattern.ports !== undefined) return [pattern];
    return rule.ports.map((port) => ({ ...pattern, ports: knownPorts(port) }));
  });
}

function httpCondition(rule: RuleOf<'http'>): ((request: HttpRequest) => boolean) | undefined {
  const { schemes, methods, paths } = rule;
  if (schemes === undefined && methods === undefined && paths === undefined) return undefined;
  const allowed = methods?.map((method) => method.toUpperCase());
  const globs = paths?.map(compileWildcard);
  return ({ scheme, method, path }) =>
    (schemes?.includes(scheme) ?? true) &&
    (allowed?.includes(method.toUpperCase()) ?? true) &&
    (globs?.some((glob) => matchesWildcard(glob, path)) ?? true);
}
