import { isBrokered } from '../credentials/broker-for.ts';
import { rulePatterns } from '../kinds/host.ts';
import type { Decision } from '../decision.ts';
import { knownHost } from '../kinds/known-pattern.ts';
import { hostIndex, type HostIndex } from '../patterns/host-index.ts';
import type { HostPattern } from '../patterns/host-pattern.ts';
import type { LayerNetwork } from './layer.ts';
import type { LayerSource } from './source.ts';

/** TLS is ended only where a rule about requests or a credential could have something to do, and never where the policy says so. */
export function compileTreatment(source: LayerSource): LayerNetwork['treatment'] {
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

/** Whether a rule with none of these decisions could let some request to a host through, also where the connection by itself is not granted. */
export function compileRequestGrants(source: LayerSource, without: readonly Decision[]): LayerNetwork['grantsRequests'] {
  const granting = indexOf(source.rules.http.filter(({ rule }) => !without.includes(rule.decision)).flatMap(({ rule }) => rulePatterns(rule)));
  return (host, port) => granting.first(host, port, undefined) !== undefined;
}

function indexOf(patterns: readonly HostPattern[]): HostIndex<true, undefined> {
  return hostIndex(patterns.map((pattern, order) => ({ pattern, order, value: true })));
}
