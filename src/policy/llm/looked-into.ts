import type { Policy } from '../policy.ts';
import { matchesHostPattern } from '../patterns/host-index.ts';
import type { HostAndPort } from '../settings/host-and-port.ts';
import { knownServers } from './known-servers.ts';
import { llmOf } from './llm-of.ts';
import { matchesHost, type ModelServer } from './match-host.ts';
import { reachesModels } from './reaches-models.ts';
import type { LlmSettings } from './types.ts';

/** Whether requests to a host are looked into: it serves models, or a rule about what may not leave names it. */
export function isLookedInto(policy: Policy, destination: HostAndPort): boolean {
  return (
    modelServerOf(policy, destination) !== undefined ||
    settingsOf(policy).dlp.some(({ hosts }) => hosts !== 'models' && matchesHostPattern(hosts, destination))
  );
}

/**
 * As what a host is looked into where it serves models: its provider, as budgets and prices call it, and how it is
 * spoken to.
 */
export function modelServerOf(
  policy: Policy,
  destination: HostAndPort,
): Pick<ModelServer, 'provider' | 'style'> | undefined {
  const { gateway, servers } = settingsOf(policy);
  const named = servers.find(({ hosts }) => matchesHostPattern(hosts, destination));
  if (gateway === 'off') return undefined;
  return named === undefined
    ? knownServers.find(({ hosts }) => hosts.some((pattern) => matchesHost(destination.host, pattern)))
    : { provider: named.name, style: named.style };
}

/** Whether any host is that could be reached. */
export function looksInto(policy: Policy): boolean {
  const { gateway, servers, dlp } = settingsOf(policy);
  return (
    dlp.some(({ hosts }) => hosts !== 'models') || (gateway === 'on' && (servers.length > 0 || reachesModels(policy)))
  );
}

const read = new WeakMap<Policy, LlmSettings>();

/** Asked for every connection. */
function settingsOf(policy: Policy): LlmSettings {
  const known = read.get(policy) ?? llmOf(policy);
  read.set(policy, known);
  return known;
}
