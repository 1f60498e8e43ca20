import { inputTokens, isCountable, matchesGlob } from '../cost/custom-price.ts';
import type { Usage } from '../types.ts';

/** Limits that apply to each matching provider separately. Whole numbers. With 0, no call passes. */
export interface RateLimit {
  /** Patterns in which `*` matches any characters. */
  readonly providers: readonly string[];
  readonly requestsPerMinute?: number;
  /** Input and output tokens, including cached ones. */
  readonly tokensPerMinute?: number;
}

export type RateAnswer =
  | { readonly kind: 'go' }
  | { readonly kind: 'wait'; readonly milliseconds: number; readonly message: string };

/**
 * Limits for any 60 seconds. A request counts when it is admitted, and tokens count when they are noted. No call is
 * admitted while the tokens of the last 60 seconds reach the limit, but calls in progress may exceed it. After the time
 * that `wait` returns, the call may proceed unless others were admitted first. `now`: milliseconds of any clock. If the
 * clock is set back, time stands still for a moment.
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
    const known =
      byProvider.get(provider) ??
      limits.filter(({ providers }) => providers.some((pattern) => matchesGlob(pattern, provider))).flatMap(openLimits);
    byProvider.set(provider, known);
    return known;
  };
  return {
    admit: ({ provider }, now) => admit(limitedFor(provider), provider, clock(now)),
    note: ({ provider }, usage, now) => {
      if (usage === undefined || !isCountable(usage)) return;
      const at = clock(now);
      for (const { what, minute } of limitedFor(provider))
        if (what === 'tokens') minute.add(inputTokens(usage) + usage.output, at);
    },
  };
}

function openLimits({ requestsPerMinute, tokensPerMinute }: RateLimit): readonly Limited[] {
  const requests: readonly Limited[] =
    requestsPerMinute === undefined ? [] : [{ what: 'requests', most: requestsPerMinute, minute: openMinute() }];
  return tokensPerMinute === undefined
    ? requests
    : [...requests, { what: 'tokens', most: tokensPerMinute, minute: openMinute() }];
}

function admit(limits: readonly Limited[], provider: string, now: number): RateAnswer {
  const waits = limits.map((limit) => ({ ...limit, milliseconds: limit.minute.untilBelow(limit.most, now) }));
  const longest = waits.reduce(
    (one: (typeof waits)[number] | undefined, other) =>
      one === undefined || other.milliseconds > one.milliseconds ? other : one,
    undefined,
  );
  if (longest !== undefined && longest.milliseconds > 0)
    return { kind: 'wait', milliseconds: longest.milliseconds, message: messageOf(longest, provider) };
  for (const { what, minute } of limits) if (what === 'requests') minute.add(1, now);
  return { kind: 'go' };
}

function messageOf(
  { what, most, milliseconds }: { readonly what: string; readonly most: number; readonly milliseconds: number },
  provider: string,
): string {
  return `The policy allows ${most} ${what} a minute to ${provider}: try again in ${Math.ceil(milliseconds / 1000)} seconds.`;
}

/**
 * If the clock is set back, time continues from its last value. Then no limit lasts longer, and nothing counts twice.
 */
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

/** Counts for the last 60 seconds. */
interface Minute {
  add(amount: number, now: number): void;
  /** Returns the milliseconds until the sum is below `most`, if nothing more is added. 0 if it already is. */
  untilBelow(most: number, now: number): number;
}

const span = 60_000;
/**
 * Counts within a tenth of a second form one sum, which expires with the last of them. That makes at most 600 sums,
 * however many calls there are.
 */
const grain = 100;

interface Sum {
  readonly begin: number;
  last: number;
  amount: number;
}

/** The times passed in never go back. */
export function openMinute(): Minute {
  const sums: Sum[] = [];
  const forget = (now: number): void => {
    const first = sums.findIndex(({ last }) => last + span > now);
    sums.splice(0, first < 0 ? sums.length : first);
  };
  return {
    add: (amount, now) => {
      forget(now);
      const newest = sums.at(-1);
      if (newest === undefined || now >= newest.begin + grain) sums.push({ begin: now, last: now, amount });
      else Object.assign(newest, { last: now, amount: newest.amount + amount });
    },
    untilBelow: (most, now) => {
      forget(now);
      let sum = sums.reduce((total, { amount }) => total + amount, 0);
      if (sum < most) return 0;
      for (const { last, amount } of sums) {
        sum -= amount;
        if (sum < most) return Math.max(1, Math.ceil(last + span - now));
      }
      // Also reached for a limit of 0, or one that is not a number.
      return span;
    },
  };
}
