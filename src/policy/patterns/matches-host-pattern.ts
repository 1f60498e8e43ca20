import { normaliseHost } from '../normalise/host.ts';
import type { HostAndPort } from '../settings/host-and-port.ts';
import { hostIndex } from './host-index.ts';
import type { HostPattern } from './host-pattern.ts';

/** Whether some pattern means a host and port. What is no host is meant by none. */
export function matchesHostPattern(patterns: readonly HostPattern[], { host: text, port }: HostAndPort): boolean {
  const host = normaliseHost(text);
  return (
    host !== undefined &&
    hostIndex(patterns.map((pattern, order) => ({ pattern, order, value: true }))).first(host, port, undefined) !==
      undefined
  );
}
