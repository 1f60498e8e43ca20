import type { Policy } from '../policy.ts';
import { matchesHostPattern } from '../patterns/matches-host-pattern.ts';
import type { HostAndPort } from '../settings/host-and-port.ts';
import { knownServers } from './known-servers.ts';
import { llmOf } from './llm-of.ts';
import { matchesHost } from './match-host.ts';
import type { LlmSettings } from './types.ts';

/** Whether requests to a host are looked into: it serves models, or a rule about what may not leave names it. */
export function isLookedInto(policy: Policy, destination: HostAndPort): boolean {
  const { gateway, servers, dlp } = settingsOf(policy);
  if (gateway === 'on' && isModelServer(servers, destination)) return true;
  return dlp.some(({ hosts }) => hosts !== 'models' && matchesHostPattern(hosts, destination));
}

/** Whether any host is, as far as the policy says by itself. */
export function looksInto(policy: Policy): boolean {
  const { gateway, dlp } = settingsOf(policy);
  return gateway === 'on' || dlp.some(({ hosts }) => hosts !== 'models');
}

function isModelServer(servers: LlmSettings['servers'], destination: HostAndPort): boolean {
  return servers.some(({ hosts }) => matchesHostPattern(hosts, destination)) || knownServers.some(({ hosts }) => hosts.some((pattern) => matchesHost(destination.host, pattern)));
}

const read = new WeakMap<Policy, LlmSettings>();

/** Asked for every connection. */
function settingsOf(policy: Policy): LlmSettings {
  const known = read.get(policy) ?? llmOf(policy);
  read.set(policy, known);
  return known;
}
