import { groupsOf, watchOf } from '../credentials/credentials-of.ts';
import type { Layer } from '../layers/layer.ts';
import type { TlsTreatment } from '../verdict.ts';
import { type Host, type HostAndPort, normaliseHost } from '../normalise/host.ts';
import { isLookedInto, connectionAnswer, couldPass } from '../llm/looked-into.ts';
import type { Policy } from '../policy.ts';

/**
 * Returns how TLS to a host is treated. A text that cannot be a host is never spliced: rules about requests refuse it.
 * If no request could be allowed, nothing is intercepted. Interception looks up the name and dials the host. A rule
 * that only refuses, or a project's rule that cannot grant, must not make that possible. A database host is spliced
 * here, because its broker has already taken the connection.
 */
export function tlsTreatment(policy: Policy, { host: text, port }: HostAndPort): TlsTreatment {
  const host = normaliseHost(text);
  if (host === undefined) return 'intercept';
  const treatments = policy.layers.map(({ network }) => network.treatment(host, port));
  if (treatments.includes('broker')) return 'splice';
  const isInspected = inspectOf(policy) === 'every-host';
  if (treatments.includes('passthrough') && !isInspected) return 'passthrough';
  const wanted =
    isInspected || treatments.includes('intercept') || isLookedInto(policy, { host: host.text, port })
      ? 'intercept'
      : elsewhere(policy, port);
  return wanted !== 'splice' && couldPass(policy, host, port) ? wanted : 'splice';
}

/** One layer is enough, because inspecting requests only restricts. */
export function inspectOf(policy: Policy): 'where-needed' | 'every-host' {
  return policy.layers.some(({ settings }) => settings.inspect?.value === 'every-host') ? 'every-host' : 'where-needed';
}

/** Treatment of hosts that no layer mentions. */
function elsewhere(policy: Policy, port: number): 'watch' | 'plain' | 'splice' {
  if (groupsOf(policy).length > 0 && watchOf(policy) === 'every-host') return 'watch';
  return plainPorts.has(port) ? 'plain' : 'splice';
}

/**
 * Ports on which content delivery networks serve many hosts without TLS. Attack: `net-fronting-plain`. Source:
 * Cloudflare, "Network ports", and the ports of web servers and caches.
 */
const plainPorts: ReadonlySet<number> = new Set([80, 2052, 2082, 2086, 2095, 8000, 8008, 8080, 8880]);

/**
 * Whether a connection to a host, or some request on it, could pass without an approval. If none could, the name is not
 * looked up before the answer. Below a wildcard, the name alone can exfiltrate data.
 */
export function passesUnasked({ layers }: Policy, { host: text, port }: HostAndPort): boolean {
  const host = normaliseHost(text);
  return host !== undefined && layers.every((layer) => layerPassesUnasked(layer, host, port));
}

function layerPassesUnasked(layer: Layer, host: Host, port: number): boolean {
  const answer = connectionAnswer(layer, host, port);
  if (answer === undefined || (answer.decision !== 'deny' && answer.decision !== 'ask')) return true;
  return answer.code !== 'deny-set' && layer.network.grantsRequestsUnasked(host, port);
}
