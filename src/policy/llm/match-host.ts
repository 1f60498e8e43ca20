import { compileWildcard, matchesWildcard } from '../patterns/wildcard.ts';
import type { ModelHostPattern } from './model-server.ts';

/** Whether a host is one that a pattern means. Case and a last dot do not matter. */
export function matchesHost(host: string, pattern: ModelHostPattern): boolean {
  return matchesWildcard(compileWildcard(normalHost(pattern).replaceAll('*', '?*')), normalHost(host));
}

function normalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/u, '');
}
