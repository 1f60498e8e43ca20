import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimits, openMinute, type RateLimits } from './rate-limits.ts';
import { usageOf } from './testing/calls.ts';

const to = { provider: 'anthropic' };

function waitOf(limits: RateLimits, now: number, provider = 'anthropic'): number {
  const answer = limits.admit({ provider }, now);
  return answer.kind === 'go' ? 0 : answer.milliseconds;
}

describe('requests of a minute', () => {
  test('go until there are too many in 60 seconds', () => {
    const limits = createRateLimits([{ providers: ['anthropic'], requestsPerMinute: 2 }]);
    expect([0, 1000, 2000, 59_999].map((now) => waitOf(limits, now))).toEqual([0, 0, 58_000, 1]);
    expect([60_000, 60_001, 61_000].map((now) => waitOf(limits, now))).toEqual([0, 999, 0]);
  });

  test('that were refused are not counted', () => {
    const limits = createRateLimits([{ providers: ['*'], requestsPerMinute: 1 }]);
    for (let now = 0; now < 60_000; now += 1000) limits.admit(to, now);
    expect(waitOf(limits, 60_000)).toBe(0);
  });

  test('are counted for each provider on its own', () => {
    const limits = createRateLimits([{ providers: ['anthropic', 'open*'], requestsPerMinute: 1 }]);
    expect(
      ['anthropic', 'openai', 'openrouter', 'google', 'google'].map((provider) => waitOf(limits, 0, provider)),
    ).toEqual([0, 0, 0, 0, 0]);
    expect(['anthropic', 'openai', 'openrouter', 'google'].map((provider) => waitOf(limits, 0, provider))).toEqual([
      60_000, 60_000, 60_000, 0,
    ]);
  });

  test('go where all limits that hold agree, and are counted by none before', () => {
    const limits = createRateLimits([
      { providers: ['*'], requestsPerMinute: 2 },
      { providers: ['anthropic'], requestsPerMinute: 1 },
    ]);
    expect([0, 0, 0].map((now) => waitOf(limits, now))).toEqual([0, 60_000, 60_000]);
    expect(waitOf(limits, 30_000)).toBe(30_000);
  });

  test('have a message that says when', () => {
    const limits = createRateLimits([{ providers: ['*'], requestsPerMinute: 1 }]);
    limits.admit(to, 0);
    expect(limits.admit(to, 500)).toEqual({
      kind: 'wait',
      milliseconds: 59_500,
      message: 'The policy allows 1 requests a minute to anthropic: try again in 60 seconds.',
    });
  });

  test.each([0, -1, Number.NaN])('at a limit of %d never pass, but still get a time', (most) => {
    const limits = createRateLimits([{ providers: ['*'], requestsPerMinute: most }]);
    expect([0, 60_000, 1e9].map((now) => waitOf(limits, now))).toEqual([60_000, 60_000, 60_000]);
  });

  test('without a limit all go', () => {
    const limits = createRateLimits([{ providers: ['*'] }]);
    expect(Array.from({ length: 1000 }, () => waitOf(limits, 0)).every((wait) => wait === 0)).toBe(true);
  });
});

describe('tokens of a minute', () => {
  test('stop calls when those of the last 60 seconds reach the limit', () => {
    const limits = createRateLimits([{ providers: ['*'], tokensPerMinute: 100 }]);
    limits.note(to, usageOf(60), 0);
    limits.note(to, usageOf(39), 10_000);
    expect(waitOf(limits, 20_000)).toBe(0);
    limits.note(to, usageOf(1), 20_000);
    expect(waitOf(limits, 20_000)).toBe(40_000);
    expect(waitOf(limits, 60_000)).toBe(0);
  });

  test('of a call beyond the limit do not block others for ever', () => {
    const limits = createRateLimits([{ providers: ['*'], tokensPerMinute: 100 }]);
    limits.note(to, usageOf(1e6), 0);
    expect([1, 59_999, 60_000].map((now) => waitOf(limits, now))).toEqual([59_999, 1, 0]);
  });

  test.each([undefined, usageOf(Number.NaN), usageOf(-5), usageOf(1e300)])('of invalid usage are zero', (usage) => {
    const limits = createRateLimits([{ providers: ['*'], tokensPerMinute: 1 }]);
    limits.note(to, usage, 0);
    expect(waitOf(limits, 0)).toBe(0);
  });

  test('and requests: the longer time holds', () => {
    const limits = createRateLimits([{ providers: ['*'], tokensPerMinute: 10, requestsPerMinute: 1 }]);
    limits.admit(to, 0);
    limits.note(to, usageOf(10), 30_000);
    expect(limits.admit(to, 40_000)).toMatchObject({
      milliseconds: 50_000,
      message: expect.stringContaining('tokens'),
    });
  });
});

const gaps = fc.array(fc.oneof(fc.nat(50), fc.nat(5000), fc.constantFrom(0, 1, 99, 100, 59_999, 60_000)), {
  maxLength: 150,
});

describe('whenever calls come', () => {
  test('no 60 seconds have more of them than the limit', () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 10 }), (all, most) => {
        const limits = createRateLimits([{ providers: ['*'], requestsPerMinute: most }]);
        const times: number[] = [];
        let now = 0;
        for (const gap of all) {
          now += gap;
          if (waitOf(limits, now) === 0) times.push(now);
        }
        for (const start of times)
          expect(times.filter((time) => time >= start && time < start + 60_000).length).toBeLessThanOrEqual(most);
      }),
    );
  });

  test('none begins while the tokens of the last 60 seconds reach the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20_000), fc.nat(60)), { maxLength: 100 }), (all) => {
        const limits = createRateLimits([{ providers: ['*'], tokensPerMinute: 100 }]);
        const noted: (readonly [number, number])[] = [];
        let now = 0;
        for (const [gap, tokens] of all) {
          now += gap;
          const sum = noted.filter(([at]) => at > now - 60_000).reduce((total, [, one]) => total + one, 0);
          if (waitOf(limits, now) > 0) continue;
          expect(sum).toBeLessThan(100);
          limits.note(to, usageOf(tokens), now);
          noted.push([now, tokens]);
        }
      }),
    );
  });

  test('a caller that waits as told goes on, and never waits more than a minute', () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 50 }), (all, requests, tokens) => {
        const limits = createRateLimits([{ providers: ['*'], requestsPerMinute: requests, tokensPerMinute: tokens }]);
        let now = 0;
        for (const gap of all) {
          now += gap;
          const wait = waitOf(limits, now);
          expect(wait).toBeLessThanOrEqual(60_000);
          now += wait;
          if (wait > 0) expect(waitOf(limits, now)).toBe(0);
          limits.note(to, usageOf(gap % 70), now);
        }
      }),
    );
  });

  test('a clock that goes back neither opens the limit nor holds anybody longer', () => {
    const limits = createRateLimits([{ providers: ['*'], requestsPerMinute: 1 }]);
    expect(waitOf(limits, 1e12)).toBe(0);
    expect(waitOf(limits, 0)).toBe(60_000);
    expect(waitOf(limits, 30_000)).toBe(30_000);
    expect(waitOf(limits, Number.NaN)).toBe(30_000);
    expect(waitOf(limits, 60_000)).toBe(0);
  });
});

describe('a minute', () => {
  test('keeps at most 601 sums, however many are added', () => {
    const minute = openMinute();
    for (let now = 0; now < 120_000; now += 10) minute.add(1, now);
    const waits = new Set(Array.from({ length: 6000 }, (_, index) => minute.untilBelow(index + 1, 119_990)));
    expect(waits.size).toBeGreaterThan(500);
    expect(waits.size).toBeLessThanOrEqual(601);
  });

  test('lets go of a sum with the last that is in it, never before', () => {
    const minute = openMinute();
    minute.add(1, 0);
    minute.add(1, 99);
    expect([60_000, 60_098, 60_099].map((now) => minute.untilBelow(2, now))).toEqual([99, 1, 0]);
  });
});
