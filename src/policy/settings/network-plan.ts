import { credentialsOf } from '../credentials/credentials-of.ts';
import { decide, decideAddress } from '../decide.ts';
import type { NetworkFacts } from '../layers/layer.ts';
import type { PortRange } from '../patterns/host-pattern.ts';
import {
  commonPorts,
  eachPort,
  everyPort,
  isEveryPort,
  portCount,
  type PortSet,
  portSet,
} from '../patterns/port-set.ts';
import { looksInto } from '../llm/looked-into.ts';
import type { Policy } from '../policy.ts';
import { inspectOf } from './tls-treatment.ts';

/** The network paths that a box needs. Each connection through them is decided separately. */
export type NetworkDemand = { readonly kind: 'closed' } | OpenDemand;

export interface OpenDemand {
  readonly kind: 'open';
  /** Ports other than loopback that could be allowed, as sorted, separate ranges. `every` for all ports. */
  readonly ports: 'every' | readonly PortRange[];
  /** Ports of the host's loopback interface that the box may reach, sorted. */
  readonly loopbackPorts: readonly number[];
  /** `fake`: each name has its own address for the session, and no look-up leaves the host before a connection. */
  readonly dns: 'fake' | 'real';
  /** Ports of the box's loopback interface that are shown on the host's. */
  readonly forward: readonly Forward[];
  /** Host patterns whose TLS Holdfast never ends. */
  readonly passthrough: readonly string[];
  /** Absolute paths of files with further certificate authorities for upstream servers. */
  readonly authorities: readonly string[];
  /** Whether TLS may have to be ended for a rule about requests or for a credential. */
  readonly interception: 'none' | 'possible';
}

export interface Forward {
  readonly host: number;
  readonly box: number;
}

/** More listeners than this are a hole, not a list of services. `checkPolicy` reports it. */
export const mostLoopbackPorts = 1024;

/** Returns a policy's network paths, for the planner. A network without grants and forwards is closed. Pure. */
export function networkPlan(policy: Policy): NetworkDemand {
  const facts = policy.layers.map(({ network }) => network.facts());
  const ports = facts.reduce<PortSet>((common, layer) => commonPorts(common, layer.ports), everyPort);
  const loopbackPorts = loopbackPortsOf(policy, facts);
  const forward = forwardsOf(facts);
  if (ports.length === 0 && loopbackPorts.length === 0 && forward.length === 0) return { kind: 'closed' };
  return {
    kind: 'open',
    ports: isEveryPort(ports) ? 'every' : ports,
    loopbackPorts,
    dns: policy.layers.some(({ settings }) => settings.dns?.value === 'fake') ? 'fake' : 'real',
    forward,
    passthrough: unique(facts.flatMap(({ passthrough }) => passthrough.map(({ pattern }) => pattern.source))),
    authorities: unique(facts.flatMap(({ authorities }) => authorities)),
    interception:
      inspectOf(policy) === 'every-host' ||
      facts.some(({ httpRules }) => httpRules.length > 0) ||
      credentialsOf(policy).length > 0 ||
      looksInto(policy)
        ? 'possible'
        : 'none',
  };
}

/** Checks each port that any layer names, because every layer decides. */
function loopbackPortsOf(policy: Policy, facts: readonly NetworkFacts[]): readonly number[] {
  const named = facts.flatMap(({ loopback }) =>
    loopback.flatMap(({ pattern: { ports } }) => (ports === undefined ? [] : [ports])),
  );
  const usable = portSet(named.filter((range) => portCount([range]) <= mostLoopbackPorts));
  return eachPort(usable).filter((port) => opensLoopback(policy, port));
}

function opensLoopback(policy: Policy, port: number): boolean {
  const isOpen = ['127.0.0.1', '::1'].some((address) => decideAddress(policy, { address, port }).decision !== 'deny');
  return (
    isOpen ||
    ['localhost', '127.0.0.1', '::1'].some(
      (host) => decide(policy, { kind: 'connect', host, port, protocol: 'tcp' }).decision === 'redirect',
    )
  );
}

/** Forwards that all layers with a statement about forwards allow. A base always has one. */
function forwardsOf(facts: readonly NetworkFacts[]): readonly Forward[] {
  const [first = [], ...others] = facts.flatMap(({ forwards }) => (forwards === undefined ? [] : [forwards]));
  const shown = first.filter((forward) =>
    others.every((list) => list.some((other) => other.host === forward.host && other.box === forward.box)),
  );
  return [...new Map(shown.map(({ host, box }) => [`${host}:${box}`, { host, box }])).values()];
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
