import type { Looking } from './types.ts';
import type { Found } from './tally.ts';

const longestPath = 1000;

/**
 * One event for each rule of the policy that found something, however often it did. A path may hold a secret itself.
 */
export function tellFound({ gateway, destination: { host, port }, path }: Looking, found: readonly Found[]): void {
  for (const { rule, counts } of found)
    gateway.record({
      type: 'dlp',
      host,
      port,
      path: gateway.hide(path).slice(0, longestPath),
      rule: rule.name,
      decision: rule.decision,
      found: counts,
    });
}
