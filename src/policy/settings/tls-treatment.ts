import type { Layer, TlsTreatment } from '../layers/layer.ts';
import type { Host } from '../normalise/host.ts';
import { normaliseHost } from '../normalise/host.ts';
import type { Policy } from '../policy.ts';

export interface HostAndPort {
  /** A name or an address in any spelling. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
}

/**
 * How TLS to a host is treated. What cannot be a host is not spliced anywhere: rules about requests refuse it. Where no
 * request could be allowed nothing is intercepted: to intercept, the name is looked up and the host dialled, and a rule
 * that only refuses, or one of a project that cannot grant, must not open that way out.
 */
export function tlsTreatment(policy: Policy, { host: text, port }: HostAndPort): TlsTreatment {
  const host = normaliseHost(text);
  if (host === undefined) return 'intercept';
  const treatments = policy.layers.map(({ network }) => network.treatment(host, port));
  if (treatments.includes('passthrough')) return 'passthrough';
  return treatments.includes('intercept') && policy.layers.every((layer) => couldPass(layer, host, port)) ? 'intercept' : 'splice';
}

function couldPass({ answers, network }: Layer, host: Host, port: number): boolean {
  const answer = answers.connect({ host, port, request: { kind: 'connect', host: host.text, port, protocol: 'tcp' } });
  if (answer === undefined || answer.decision !== 'deny') return true;
  return answer.code !== 'deny-set' && network.grantsRequests(host, port);
}
