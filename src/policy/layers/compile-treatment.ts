import { rulePatterns } from '../kinds/host.ts';
import { knownHost } from '../kinds/known-pattern.ts';
import { hostIndex, type HostIndex } from '../patterns/host-index.ts';
import type { HostPattern } from '../patterns/host-pattern.ts';
import type { LayerNetwork } from './layer.ts';
import type { LayerSource } from './source.ts';

/** TLS is ended only where a rule about requests could say something, and never where the policy says so. */
export function compileTreatment(source: LayerSource): LayerNetwork['treatment'] {
  const passed = indexOf((source.lists['network.passthrough'] ?? []).map(({ text }) => knownHost(text)));
  const inspected = indexOf(source.rules.http.flatMap(({ rule }) => rulePatterns(rule)));
  return (host, port) => {
    if (passed.first(host, port, undefined) !== undefined) return 'passthrough';
    return inspected.first(host, port, undefined) === undefined ? 'splice' : 'intercept';
  };
}

/** Whether a rule could let some request to a host through, also where the connection by itself is not granted. */
export function compileRequestGrants(source: LayerSource): LayerNetwork['grantsRequests'] {
  const granting = indexOf(source.rules.http.filter(({ rule }) => rule.decision !== 'deny').flatMap(({ rule }) => rulePatterns(rule)));
  return (host, port) => granting.first(host, port, undefined) !== undefined;
}

function indexOf(patterns: readonly HostPattern[]): HostIndex<true, undefined> {
  return hostIndex(patterns.map((pattern, order) => ({ pattern, order, value: true })));
}
