import { rulePatterns } from '../kinds/host.ts';
import { knownForward, knownHost, knownPath } from '../kinds/known-pattern.ts';
import { type HostPattern, isLoopbackPattern } from '../patterns/host-pattern.ts';
import { everyPort, type PortSet, portSet } from '../patterns/port-set.ts';
import { resolvePath } from '../patterns/resolve-path.ts';
import { presetHosts } from './compile-network.ts';
import type { NetworkFacts, PlacedForward, PlacedHttpRule, PlacedPattern } from './layer.ts';
import type { LayerSource } from './source.ts';

/** Returns a layer's settings of the network before any connection: the doors that a box needs. */
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

/** Returns every pattern that could allow a TCP connection, regardless of patterns before it. */
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

/** May hold more ports than are reachable, never fewer: every single connection is decided again. */
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
