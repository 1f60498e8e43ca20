import type { Answer } from '../origin.ts';
import {
  connectRuleClauses,
  dnsRuleClauses,
  type HostClause,
  hostFinder,
  type HostMatch,
  type HostOfRequest,
  httpRuleClauses,
  onEveryPort,
  rulePatterns,
} from '../kinds/host.ts';
import { knownHost, knownPreset, knownForward, knownPath } from '../kinds/known-pattern.ts';
import { presets } from '../builtin/presets/index.ts';
import { type HostPattern, isLoopbackPattern } from '../patterns/host-pattern.ts';
import { everyPort, type PortSet, portSet } from '../patterns/port-set.ts';
import { resolvePath } from '../patterns/resolve-path.ts';
import type { ConnectRequest, DnsRequest, HttpRequest } from '../request.ts';
import type { Answerers, NetworkFacts, PlacedForward, PlacedHttpRule, PlacedPattern } from './layer.ts';
import {
  answerByRule,
  answerIn,
  effectOf,
  type Atom,
  grantBy,
  type LayerSource,
  refusalBy,
  unmatched,
} from './source.ts';

export type NetworkAnswerers = Pick<Answerers, 'connect' | 'http' | 'dns'>;

/** Compiles connections, HTTP requests on them, and look-ups before them. One list of hosts covers all three. */
export function compileNetwork(source: LayerSource): NetworkAnswerers {
  const connect = compileConnect(source);
  return { connect, http: compileHttp(source, connect), dns: compileDns(source) };
}

function compileConnect(source: LayerSource): NetworkAnswerers['connect'] {
  const index = hostFinder<ConnectRequest, Answer>([
    ...deniedHosts(source),
    ...connectRules(source),
    ...grantedHosts(source),
  ]);
  const otherwise = unmatchedHost(source);
  return ({ host, port, request }) => index.first(host, port, request)?.value ?? otherwise;
}

export function deniedHosts(source: LayerSource): readonly HostClause<ConnectRequest, Answer>[] {
  return (source.lists['network.deny'] ?? []).map((atom) => ({
    matcher: { pattern: knownHost(atom.text) },
    value: refusalBy(source, atom, 'deny-set'),
    effect: 'restricts',
  }));
}

export function connectRules(source: LayerSource): readonly HostClause<ConnectRequest, Answer>[] {
  return source.rules.connect.flatMap((atom) =>
    connectRuleClauses(atom.rule, { value: answerByRule(source, atom), effect: effectOf(atom.rule.decision) }),
  );
}

/** A host in a list is granted over TCP. UDP cannot leave the box unless a rule names it. */
function grantedHosts(source: LayerSource): readonly HostClause<ConnectRequest, Answer>[] {
  return [
    ...namedHosts(source),
    ...(source.lists['network.presets'] ?? []).flatMap(presetHosts).map((atom) => hostGrant(source, atom)),
  ];
}

/** Hosts that the policy names directly. */
export function namedHosts(source: LayerSource): readonly HostClause<ConnectRequest, Answer>[] {
  return (source.lists['network.hosts'] ?? []).map((atom) => hostGrant(source, atom));
}

/** Returns the hosts of a preset, as if they were listed in place of its name. */
function presetHosts({ text: name, origin }: Atom): readonly Atom[] {
  return presets[knownPreset(name)].hosts.map(({ pattern, reason }) => ({
    text: pattern,
    origin,
    reason: `${name}: ${reason}`,
  }));
}

function hostGrant(source: LayerSource, atom: Atom): HostClause<ConnectRequest, Answer> {
  return { matcher: { pattern: knownHost(atom.text), accepts: isTcp }, value: grantBy(source, atom), effect: 'allows' };
}

/** Hosts and presets are one list in two spellings: either is a ceiling. */
export function unmatchedHost(source: LayerSource): Answer | undefined {
  return unmatched(
    source,
    source.lists['network.hosts'] === undefined && source.role === 'ceiling' ? 'network.presets' : 'network.hosts',
  );
}

function isTcp({ protocol }: ConnectRequest): boolean {
  return protocol === 'tcp';
}

/** A denied connection denies HTTP requests too. If no HTTP rule matches, the connection's answer applies. */
function compileHttp(source: LayerSource, connect: NetworkAnswerers['connect']): NetworkAnswerers['http'] {
  const clauses = source.rules.http.flatMap((atom) =>
    httpRuleClauses(atom.rule, { value: answerByRule(source, atom), effect: effectOf(atom.rule.decision) }),
  );
  const rules = hostFinder<HttpRequest, Answer>(clauses);
  return (query) => {
    const connection = connect(connectionOf(query));
    if (connection?.code === 'deny-set') return connection;
    return rules.first(query.host, query.port, query.request)?.value ?? connection;
  };
}

function connectionOf({ host, port }: HostOfRequest<HttpRequest>): HostOfRequest<ConnectRequest> {
  return { host, port, request: { kind: 'connect', host: host.text, port, protocol: 'tcp' } };
}

/**
 * A name may be looked up if a connection to it could be allowed, on any port. If the connection needs an approval, no
 * outside resolver sees the name before.
 */
function compileDns(source: LayerSource): NetworkAnswerers['dns'] {
  const denied = deniedHosts(source)
    .filter(({ matcher }) => matcher.pattern.ports === undefined)
    .map(forNames);
  const rules = source.rules.dns.flatMap((atom) =>
    dnsRuleClauses(atom.rule, { value: answerByRule(source, atom), effect: effectOf(atom.rule.decision) }),
  );
  const connections = source.rules.connect.flatMap((atom) =>
    connectNames(source, atom.rule.decision === 'deny' ? 'restricts' : 'allows', atom),
  );
  const granted = grantedHosts(source).map(forNames);
  const index = hostFinder<DnsRequest, Answer>([...denied, ...rules, ...connections, ...granted]);
  const otherwise = unmatchedHost(source);
  return ({ host, port, request }) => index.first(host, port, request)?.value ?? otherwise;
}

function forNames({ matcher, value, effect }: HostClause<ConnectRequest, Answer>): HostClause<DnsRequest, Answer> {
  return { matcher: { pattern: onEveryPort(matcher.pattern) }, value, effect };
}

/** A denied connection denies the look-up only if it covers every port and protocol of the name. */
function connectNames(
  source: LayerSource,
  effect: 'allows' | 'restricts',
  atom: LayerSource['rules']['connect'][number],
): readonly HostClause<DnsRequest, Answer>[] {
  const clauses = connectRuleClauses<Answer>(atom.rule, { value: answerByRule(source, atom), effect });
  const relevant = effect === 'allows' ? clauses : clauses.filter(({ matcher }) => refusesWhole(matcher));
  const lookup: Answer =
    effect === 'restricts'
      ? answerByRule(source, atom)
      : answerIn(source, atom.origin, {
          ...lookupFor[atom.rule.decision === 'ask' ? 'asked' : 'allowed'],
          code: 'granted',
          reason: atom.rule.reason,
        });
  return relevant.map(({ matcher }) => ({ matcher: { pattern: onEveryPort(matcher.pattern) }, value: lookup, effect }));
}

/** Below a wildcard that asks, a name could carry data to the zone's owner. */
const lookupFor = {
  allowed: { decision: 'allow' },
  asked: { decision: 'redirect', redirectTo: 'an address of the session' },
} as const;

function refusesWhole({ pattern, accepts }: HostMatch<ConnectRequest>): boolean {
  return pattern.ports === undefined && accepts === undefined;
}

/** Returns a layer's network settings that must be known before any connection: the listeners and forwards of a box. */
export function networkFacts(source: LayerSource): NetworkFacts {
  const open = openings(source);
  return {
    ports: portsOf(source, open),
    loopback: open.filter(({ pattern }) => isLoopbackPattern(pattern)),
    openings: open,
    forwards: forwardsOf(source),
    passthrough: (source.lists['network.passthrough'] ?? []).map(({ text, origin }) => ({
      pattern: knownHost(text),
      origin,
    })),
    httpRules: source.rules.http.flatMap(httpRules),
    authorities: (source.lists['network.ca'] ?? []).flatMap(({ text }) => {
      const path = resolvePath(knownPath(text), source.roots, 'exact');
      return path.kind === 'subtree' ? [`/${path.base.join('/')}`] : [];
    }),
  };
}

/** Returns every pattern that could allow a TCP connection, even if earlier patterns refuse it. */
function openings(source: LayerSource): readonly PlacedPattern[] {
  const rules = [
    ...source.rules.connect.filter(({ rule }) => rule.decision !== 'deny' && rule.protocol !== 'udp'),
    ...source.rules.http.filter(({ rule }) => rule.decision !== 'deny'),
  ];
  return [
    ...(source.lists['network.hosts'] ?? []).map(({ text, origin }) => ({ pattern: knownHost(text), origin })),
    ...(source.lists['network.presets'] ?? []).flatMap((atom) =>
      presetHosts(atom).map(({ text, origin }) => ({ pattern: knownHost(text), origin })),
    ),
    ...rules.flatMap(({ rule, origin }) => rulePatterns(rule).map((pattern) => ({ pattern, origin }))),
  ];
}

/** May return more ports than are reachable, but never fewer: every connection is decided separately. */
function portsOf(source: LayerSource, open: readonly PlacedPattern[]): PortSet {
  if ((source.lists['network.deny'] ?? []).some(({ text }) => text === 'any')) return [];
  const abstains =
    source.role === 'ceiling' &&
    source.lists['network.hosts'] === undefined &&
    source.lists['network.presets'] === undefined;
  if (abstains) return everyPort;
  return portSet(
    open.filter(({ pattern }) => !isLoopbackPattern(pattern)).flatMap(({ pattern }) => portsOfPattern(pattern)),
  );
}

function portsOfPattern({ ports }: HostPattern): PortSet {
  return ports === undefined ? everyPort : [ports];
}

function forwardsOf(source: LayerSource): readonly PlacedForward[] | undefined {
  const list = source.lists['network.forward'];
  if (list === undefined) return source.role === 'base' ? [] : undefined;
  return list.map(({ text, origin }) => ({ ...knownForward(text), origin }));
}

function httpRules({ rule, origin }: LayerSource['rules']['http'][number]): readonly PlacedHttpRule[] {
  const { decision, schemes, methods, paths } = rule;
  const isOpen = decision === 'allow' && schemes === undefined && methods === undefined && paths === undefined;
  return rulePatterns(rule).map((pattern) => ({ pattern, origin, effect: isOpen ? 'unconditional' : 'conditional' }));
}
