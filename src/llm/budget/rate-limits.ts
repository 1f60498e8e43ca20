import { inputTokens, isCountable, matchesGlob } from '../cost/index.ts';
import type { Usage } from '../types.ts';
import { type Minute, openMinute } from './minute.ts';

/** For each provider that the patterns match on its own. Whole numbers; 0 lets nothing through. */
export interface RateLimit {
  /** With `*` for any characters. */
  readonly providers: readonly string[];
  readonly requestsPerMinute?: number;
  /** In and out, those of caches too. */
  readonly tokensPerMinute?: number;
}

export type RateAnswer = { readonly kind: 'go' } | { readonly kind: 'wait'; readonly milliseconds: number; readonly message: string };

/**
 * Limits of any 60 seconds. A request counts when it is admitted; tokens when they are noted, so that none goes on while those of the last
 * 60 seconds reach the limit, and what is under way then may overshoot it. After the time that `wait` tells, a call goes on unless
 * others took its place. `now`: milliseconds of any clock; one that is set back stands still for a moment.
 */
export interface RateLimits {
  admit(call: { readonly provider: string }, now: number): RateAnswer;
  note(call: { readonly provider: string }, usage: Usage | undefined, now: number): void;
}

type Limited = { readonly what: 'requests' | 'tokens'; readonly most: number; readonly minute: Minute };

export function createRateLimits(limits: readonly RateLimit[]): RateLimits {
  const byProvider = new Map<string, readonly Limited[]>();
  const clock = steadyClock();
  const limitedFor = (provider: string): readonly Limited[] => {
    const known = byProvider.get(provider) ?? limits.filter(({ providers }) => providers.some((pattern) => matchesGlob(pattern, provider))).flatMap(openLimits);
    byProvider.set(provider, known);
    return known;
  };
  return {
    admit: ({ provider }, now) => admit(limitedFor(provider), provider, clock(now)),
    note: ({ provider }, usage, now) => {
      if (usage === undefined || !isCountable(usage)) return;
      const at = clock(now);
      for (const { what, minute } of limitedFor(provider)) if (what === 'tokens') minute.add(inputTokens(usage) + usage.output, at);
    },
  };
}

function openLimits({ requestsPerMinute, tokensPerMinute }: RateLimit): readonly Limited[] {
  const requests: readonly Limited[] = requestsPerMinute === undefined ? [] : [{ what: 'requests', most: requestsPerMinute, minute: openMinute() }];
  return tokensPerMinute === undefined ? requests : [...requests, { what: 'tokens', most: tokensPerMinute, minute: openMinute() }];
}

function admit(limits: readonly Limited[], provider: string, now: number): RateAnswer {
  const waits = limits.map((limit) => ({ ...limit, milliseconds: limit.minute.untilBelow(limit.most, now) }));
  const longest = waits.reduce((one: (typeof waits)[number] | undefined, other) => (one === undefined || other.milliseconds > one.milliseconds ? other : one), undefined);
  if (longest !== undefined && longest.milliseconds > 0) return { kind: 'wait', milliseconds: longest.milliseconds, message: messageOf(longest, provider) };
  for (const { what, minute } of limits) if (what === 'requests') minute.add(1, now);
  return { kind: 'go' };
}

function messageOf({ what, most, milliseconds }: { readonly what: string; readonly most: number; readonly milliseconds: number }, provider: string): string {
  return `The policy allows ${most} ${what} a minute to ${provider}: try again in ${Math.ceil(milliseconds / 1000)} seconds.`;
}

/** Where the clock goes back, time goes on from where it was: neither does a limit last longer nor does what was counted come again. */
function steadyClock(): (now: number) => number {
  let last = Number.NEGATIVE_INFINITY;
  let ahead = 0;
  return (now) => {
    if (!Number.isFinite(now)) return Number.isFinite(last) ? last : 0;
    if (now + ahead < last) ahead = last - now;
    last = now + ahead;
    return last;
  };
}
