import { groupsOf, watchOf } from '../credentials/credentials-of.ts';
import type { Layer } from '../layers/layer.ts';
import type { TlsTreatment } from '../verdict.ts';
import type { Host } from '../normalise/host.ts';
import { normaliseHost } from '../normalise/host.ts';
import { isLookedInto } from '../llm/looked-into.ts';
import type { Policy } from '../policy.ts';
import { connectionAnswer, couldPass } from './could-pass.ts';
import type { HostAndPort } from './host-and-port.ts';

/**
 * How TLS to a host is treated. What cannot be a host is not spliced anywhere: rules about requests refuse it. Where no
 * request could be allowed nothing is intercepted: to intercept, the name is looked up and the host dialled, and a rule
 * that only refuses, or one of a project that cannot grant, must not open that way out. The host of a database is
 * spliced here, because its broker has taken the connection before.
 */
export function tlsTreatment(policy: Policy, { host: text, port }: HostAndPort): TlsTreatment {
  const host = normaliseHost(text);
  if (host === undefined) return 'intercept';
  const treatments = policy.layers.map(({ network }) => network.treatment(host, port));
  if (treatments.includes('broker')) return 'splice';
  if (treatments.includes('passthrough')) return 'passthrough';
  const wanted =
    treatments.includes('intercept') || isLookedInto(policy, { host: host.text, port })
      ? 'intercept'
      : elsewhere(policy);
  return wanted !== 'splice' && couldPass(policy, host, port) ? wanted : 'splice';
}

/** What becomes of hosts that nothing says anything about. */
function elsewhere(policy: Policy): 'watch' | 'splice' {
  return groupsOf(policy).length > 0 && watchOf(policy) === 'every-host' ? 'watch' : 'splice';
}

/**
 * Whether a connection to a host, or some request on it, could pass without a person's word. Where none could, not even
 * its name is looked up before the answer: below a wildcard the name alone can carry what someone wants to get out.
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
