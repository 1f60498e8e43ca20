import { isBrokered } from '../credentials/broker-for.ts';
import type { RuleOf, RuleTable } from '../document/rule-schema.ts';
import { type HostClause, hostFinder, rulePatterns } from '../kinds/host.ts';
import { knownHost, knownPath } from '../kinds/known-pattern.ts';
import { lazily } from '../lazily.ts';
import { type Answer, builtinFile } from '../origin.ts';
import { hostIndex, type HostIndex } from '../patterns/host-index.ts';
import { type HostPattern, namesAddresses } from '../patterns/host-pattern.ts';
import { resolvePath } from '../patterns/resolve-path.ts';
import type { ConnectRequest, RequestKind } from '../request.ts';
import type { Decision } from '../verdict.ts';
import { commandStatements } from './command-statements.ts';
import { compileExec } from './compile-exec.ts';
import { compileFiles } from './compile-files.ts';
import {
  compileEnv,
  compileRegistry,
  compileSignal,
  compileSocket,
  compileTool,
  compileTrust,
} from './compile-lists.ts';
import {
  compileNetwork,
  connectRules,
  deniedHosts,
  namedHosts,
  unmatchedHost,
  networkFacts,
} from './compile-network.ts';
import { type FileItem, fileItems } from './file-items.ts';
import type { FileStatement, Layer, LayerNetwork, NameStatement, NetworkFeature, FeatureUse } from './layer.ts';
import type { LayerSource, ListName } from './source.ts';
import { statementsOf } from './statements.ts';

/**
 * Compiles a layer's statements into look-ups, each on first use. `id` has to differ whenever the statements differ.
 */
export function compileSource(source: LayerSource, id: string): Layer {
  const items = lazily(() => fileItems(source));
  const network = lazily(() => compileNetwork(source));
  return {
    id,
    kind: source.kind,
    file: source.file,
    answers: {
      file: onDemand(() => compileFiles(source, items())),
      exec: onDemand(() => compileExec(source)),
      connect: onDemand(() => network().connect),
      http: onDemand(() => network().http),
      dns: onDemand(() => network().dns),
      socket: onDemand(() => compileSocket(source)),
      signal: onDemand(() => compileSignal(source)),
      env: onDemand(() => compileEnv(source)),
      tool: onDemand(() => compileTool(source)),
      trust: onDemand(() => compileTrust(source)),
      registry: onDemand(() => compileRegistry(source)),
    },
    network: networkOf(source),
    settings: source.settings,
    credentials: source.credentials,
    files: () => fileStatements(source, items().items),
    names: () => nameStatements(source),
    statements: () => statementsOf(source),
    limitsCommands: source.lists['commands.allow'] !== undefined,
    commands: lazily(() => commandStatements(source)),
    uses: () => usesOf(source),
  };
}

function networkOf(source: LayerSource): Layer['network'] {
  const treatment = lazily(() => compileTreatment(source));
  const grantsRequests = lazily(() => compileRequestGrants(source, ['deny']));
  const grantsRequestsUnasked = lazily(() => compileRequestGrants(source, ['deny', 'ask']));
  return {
    address: onDemand(() => compileAddress(source)),
    treatment: (host, port) => treatment()(host, port),
    grantsRequests: (host, port) => grantsRequests()(host, port),
    grantsRequestsUnasked: (host, port) => grantsRequestsUnasked()(host, port),
    facts: lazily(() => networkFacts(source)),
  };
}

function onDemand<Query>(compile: () => (query: Query) => Answer | undefined): (query: Query) => Answer | undefined {
  let compiled: ((query: Query) => Answer | undefined) | undefined;
  return (query) => (compiled ??= compile())(query);
}

/** Every path that a layer names, for the planner. Leaves out private places, because each box makes its own. */
function fileStatements(source: LayerSource, items: readonly FileItem[]): readonly FileStatement[] {
  const hidden = source.hiddenPlaces.map(
    ({ text, origin }): FileStatement => ({
      use: 'deny',
      pattern: resolvePath(knownPath(text), source.roots, 'folded'),
      origin,
    }),
  );
  const released = (source.lists['files.release'] ?? []).map(
    ({ text, origin }): FileStatement => ({
      use: 'release',
      pattern: resolvePath(knownPath(text), source.roots, 'exact'),
      origin,
    }),
  );
  const named = items.flatMap(({ use, pattern, origin }): FileStatement[] =>
    use === 'private' || isExemption(source, origin.file) ? [] : [{ use, pattern, origin }],
  );
  return [...named, ...hidden, ...released];
}

/** The base grants built-in exemptions of a ceiling, not the ceiling itself. */
function isExemption({ role, kind }: LayerSource, file: string): boolean {
  return role === 'ceiling' && kind !== 'required' && file === builtinFile;
}

function nameStatements(source: LayerSource): readonly NameStatement[] {
  const released = (source.lists['files.release'] ?? []).map(({ text }) =>
    resolvePath(knownPath(text), source.roots, 'exact'),
  );
  return source.names.map(({ name, origin }) => ({ name, released, origin }));
}

/** TLS is ended only for rules about requests and for credentials, and never if the policy passes it through. */
function compileTreatment(source: LayerSource): LayerNetwork['treatment'] {
  const credentials = source.credentials.flatMap((group) => group.credentials);
  const brokered = indexOf(credentials.filter(isBrokered).flatMap(({ binding }) => binding.hosts));
  const passed = indexOf((source.lists['network.passthrough'] ?? []).map(({ text }) => knownHost(text)));
  const bound = credentials.filter((credential) => !isBrokered(credential)).flatMap(({ binding }) => binding.hosts);
  const inspected = indexOf([...source.rules.http.flatMap(({ rule }) => rulePatterns(rule)), ...bound]);
  return (host, port) => {
    if (brokered.first(host, port, undefined) !== undefined) return 'broker';
    if (passed.first(host, port, undefined) !== undefined) return 'passthrough';
    return inspected.first(host, port, undefined) === undefined ? 'splice' : 'intercept';
  };
}

/**
 * Whether a rule could allow some request to a host, even if the connection itself is not granted. Rules with the
 * decisions in `without` do not count.
 */
function compileRequestGrants(source: LayerSource, without: readonly Decision[]): LayerNetwork['grantsRequests'] {
  const granting = indexOf(
    source.rules.http.filter(({ rule }) => !without.includes(rule.decision)).flatMap(({ rule }) => rulePatterns(rule)),
  );
  return (host, port) => granting.first(host, port, undefined) !== undefined;
}

function indexOf(patterns: readonly HostPattern[]): HostIndex<true, undefined> {
  return hostIndex(patterns.map((pattern, order) => ({ pattern, order, value: true })));
}

/**
 * Returns a layer's decision about an address itself. Only a pattern that spells addresses out opens one. An attacker
 * could publish a name that resolves to 169.254.169.254, and `any` does not mean machines on the local network. Denials
 * apply as everywhere.
 */
function compileAddress(source: LayerSource): LayerNetwork['address'] {
  const granted = namedHosts(source).filter(({ matcher }) => namesAddresses(matcher.pattern));
  const index = hostFinder<ConnectRequest, Answer>([
    ...deniedHosts(source),
    ...connectRules(source).flatMap(aboutAddress),
    ...granted,
  ]);
  const otherwise = unmatchedHost(source);
  return ({ host, port, request }) => index.first(host, port, request)?.value ?? otherwise;
}

function aboutAddress(clause: HostClause<ConnectRequest, Answer>): readonly HostClause<ConnectRequest, Answer>[] {
  switch (clause.value.decision) {
    case 'allow':
    case 'audit':
      return namesAddresses(clause.matcher.pattern) ? [clause] : [];
    // A redirect sends requests for the address elsewhere. A name must not bypass it.
    case 'redirect':
      return [
        {
          ...clause,
          value: { ...clause.value, decision: 'deny', redirectTo: undefined, memo: {} },
          effect: 'restricts',
        },
      ];
    case 'stage':
    case 'ask':
    case 'deny':
      return [clause];
  }
}

/** Lists that mounts and the environment cannot enforce: a mechanism must decide while the box runs. */
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

/**
 * Returns every decision that the user's files can lead to. They are checked against the mechanisms of this machine.
 */
function usesOf(source: LayerSource): readonly FeatureUse[] {
  const lists = listUses.flatMap(([name, kind, decision]) =>
    (source.lists[name] ?? [])
      .filter(({ origin }) => origin.file !== builtinFile)
      .map(({ origin }): FeatureUse => ({ kind, decision, origin, from: 'list' })),
  );
  const tables = Object.keys(source.rules) as RuleTable[];
  const rules = tables.flatMap((table) =>
    source.rules[table].map(
      ({ rule, origin }): FeatureUse => ({
        kind: featureOf(rule) ?? kindOf(table),
        decision: rule.decision,
        origin,
        from: 'rule',
        ...operationsOf(rule),
      }),
    ),
  );
  const credentials = source.credentials.map(
    ({ origin }): FeatureUse => ({ kind: 'credential', decision: 'allow', origin, from: 'list' }),
  );
  return [...lists, ...rules, ...realAddresses(source), ...credentials];
}

function operationsOf(rule: RuleOf<RuleTable>): Pick<FeatureUse, 'operations'> {
  return 'operations' in rule && rule.operations !== undefined ? { operations: rule.operations } : {};
}

/** A closed network denies UDP anyway, but allowing UDP needs a mechanism. */
function featureOf(rule: RuleOf<RuleTable>): NetworkFeature | undefined {
  return 'protocol' in rule && rule.protocol === 'udp' && rule.decision !== 'deny' ? 'udp' : undefined;
}

function realAddresses({ settings: { dns } }: LayerSource): readonly FeatureUse[] {
  return dns?.value === 'real' ? [{ kind: 'real-dns', decision: 'allow', origin: dns.origin, from: 'list' }] : [];
}

function kindOf(table: RuleTable): RequestKind {
  return table === 'registry_rule' ? 'registry' : table;
}
