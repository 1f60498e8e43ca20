import type { Layer } from '../layers/layer.ts';
import type { Answer } from '../origin.ts';
import type { Policy } from '../policy.ts';
import { type Host, type HostAndPort, normaliseHost } from '../normalise/host.ts';
import { matchesHostPattern } from '../patterns/host-index.ts';
import type { HostPattern } from '../patterns/host-pattern.ts';
import { knownServers } from './known-servers.ts';
import { llmOf } from './llm-of.ts';
import { matchesHost, type ModelServer } from './match-host.ts';
import type { LlmSettings } from './types.ts';

/** Whether requests to a host are inspected: it serves models, or a DLP rule names it. */
export function isLookedInto(policy: Policy, destination: HostAndPort): boolean {
  return (
    modelServerOf(policy, destination) !== undefined ||
    settingsOf(policy).dlp.some(({ hosts }) => hosts !== 'models' && matchesHostPattern(hosts, destination))
  );
}

/** Returns the provider and the style of a host that serves models. Budgets and prices use the provider's name. */
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

/** Whether any reachable host is inspected. */
export function looksInto(policy: Policy): boolean {
  const { gateway, servers, dlp } = settingsOf(policy);
  return (
    dlp.some(({ hosts }) => hosts !== 'models') || (gateway === 'on' && (servers.length > 0 || reachesModels(policy)))
  );
}

const read = new WeakMap<Policy, LlmSettings>();

/** Cached, because it is called for every connection. */
function settingsOf(policy: Policy): LlmSettings {
  const known = read.get(policy) ?? llmOf(policy);
  read.set(policy, known);
  return known;
}

/**
 * Whether any known model server could be reached. Checks names that match both the policy's patterns and the servers'.
 * Each connection is decided separately.
 */
function reachesModels(policy: Policy): boolean {
  const openings = policy.layers.flatMap(({ network }) => network.facts().openings.map(({ pattern }) => pattern));
  const ports = new Set([...openings.map((opening) => opening.ports?.from ?? 443), 443]);
  const servers = [...new Set(openings.flatMap(commonNames))];
  return servers.some((host) => [...ports].some((port) => opens(policy, { host, port })));
}

function isKnownServer(host: string): boolean {
  return knownServers.some(({ hosts }) => hosts.some((pattern) => matchesHost(host, pattern)));
}

function opens(policy: Policy, { host: text, port }: HostAndPort): boolean {
  const host = normaliseHost(text);
  return host !== undefined && couldPass(policy, host, port);
}

/** Names of model servers that an opening could allow. */
function commonNames({ host }: HostPattern): readonly string[] {
  switch (host.kind) {
    case 'exact':
      return isKnownServer(host.text) ? [host.text] : [];
    case 'any':
      return anyNames;
    case 'subdomains':
      return namesBelow(host.suffix);
    case 'localhost':
    case 'network':
      return [];
  }
}

const patterns: readonly string[] = knownServers.flatMap(({ hosts }) => hosts);
const anyNames: readonly string[] = patterns.map((pattern) => pattern.replaceAll('*', 'any'));

/** The end of a pattern may be below a suffix, or the suffix may begin within the text of one of its wildcards. */
function namesBelow(suffix: string): readonly string[] {
  const ends = patterns.flatMap((pattern) => {
    const parts = pattern.split('*');
    return parts.slice(1).flatMap((_, index) => {
      const head = parts.slice(0, index + 1).join('any');
      return [`${head}${suffix}`, `${head}any.${suffix}`];
    });
  });
  return [...anyNames, ...ends].filter((name) => name.endsWith(`.${suffix}`) && isKnownServer(name));
}

/** Whether every layer could allow a connection to a host, or at least some request on it. */
export function couldPass({ layers }: Policy, host: Host, port: number): boolean {
  return layers.every((layer) => layerCouldPass(layer, host, port));
}

function layerCouldPass(layer: Layer, host: Host, port: number): boolean {
  const answer = connectionAnswer(layer, host, port);
  if (answer === undefined || answer.decision !== 'deny') return true;
  return answer.code !== 'deny-set' && layer.network.grantsRequests(host, port);
}

/** Returns one layer's answer to a TCP connection to a host. Undefined if it abstains. */
export function connectionAnswer({ answers }: Layer, host: Host, port: number): Answer | undefined {
  return answers.connect({ host, port, request: { kind: 'connect', host: host.text, port, protocol: 'tcp' } });
}
