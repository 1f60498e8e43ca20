import type { Usage } from '../types.ts';

/** All tokens that went in, from caches and to them too. */
export function inputTokens(usage: Usage): number {
  return usage.uncachedInput + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h;
}

/** What a server may tell as usage is any number: only whole ones have a price. */
export function isCountable(usage: Usage): boolean {
  const counts = [
    usage.uncachedInput,
    usage.cacheRead,
    usage.cacheWrite5m,
    usage.cacheWrite1h,
    usage.output,
    usage.reasoning,
  ];
  return [...counts, inputTokens(usage)].every((count) => Number.isSafeInteger(count) && count >= 0);
}
