import type { TlsTreatment } from '../layers/layer.ts';
import { normaliseHost } from '../normalise/host.ts';
import type { Policy } from '../policy.ts';

export interface HostAndPort {
  /** A name or an address in any spelling. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
}

/** How TLS to a host is treated. What cannot be a host is not spliced anywhere: rules about requests refuse it. */
export function tlsTreatment(policy: Policy, { host: text, port }: HostAndPort): TlsTreatment {
  const host = normaliseHost(text);
  if (host === undefined) return 'intercept';
  const treatments = policy.layers.map(({ network }) => network.treatment(host, port));
  return treatments.find((treatment) => treatment === 'passthrough') ?? treatments.find((treatment) => treatment === 'intercept') ?? 'splice';
}
