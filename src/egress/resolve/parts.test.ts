import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { ResponseRecord } from '../dns/message.ts';
import { followChain, mixedCase, mostAliases, type ServerOutcome, turnTime } from './ask-servers.ts';
import { createCache, createSharedWork } from './resolver.ts';
import { longestLifetime, mergeOutcomes, mostAddresses, negativeLifetime } from './look-up.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const alias = (owner: string, target: string, ttl = 60): ResponseRecord => ({ kind: 'alias', owner, target, ttl });
const address = (owner: string, value: string, ttl = 60): ResponseRecord => ({
  kind: 'address',
  owner,
  address: value,
  ttl,
});
const chainOf = (length: number): readonly ResponseRecord[] =>
  Array.from({ length }, (_, index) => alias(`n${index}`, `n${index + 1}`));

describe('a chain of aliases', () => {
  test('leads to the addresses at its end, for records in any order', () => {
    const records = [
      address('c', '192.0.2.1', 40),
      alias('b', 'c', 30),
      alias('a', 'b', 50),
      address('c', '192.0.2.2', 70),
    ];
    expect(followChain('a', records)).toEqual({
      kind: 'followed',
      aliases: ['b', 'c'],
      addresses: ['192.0.2.1', '192.0.2.2'],
      ttl: 30,
    });
  });

  test('ignores records outside it', () => {
    expect(followChain('a', [address('b', '192.0.2.1'), alias('b', 'c'), address('c', '192.0.2.2')])).toEqual({
      kind: 'followed',
      aliases: [],
      addresses: [],
      ttl: Number.POSITIVE_INFINITY,
    });
    expect(followChain('a', [address('a', '192.0.2.1'), alias('a', 'b'), address('b', '192.0.2.2')])).toMatchObject({
      aliases: ['b'],
      addresses: ['192.0.2.2'],
    });
    expect(followChain('a', [])).toMatchObject({ addresses: [] });
  });

  test('has sixteen links at most', () => {
    expect(followChain('n0', chainOf(mostAliases))).toMatchObject({ kind: 'followed', aliases: { length: 16 } });
    expect(followChain('n0', chainOf(mostAliases + 1))).toMatchObject({
      kind: 'contradictory',
      reason: expect.stringMatching(/16/),
    });
  });

  test.each([
    ['to itself', [alias('a', 'a')], /circle/],
    ['back to the start', [alias('a', 'b'), alias('b', 'a'), address('a', '192.0.2.1')], /circle/],
    ['into a circle', [alias('a', 'b'), alias('b', 'c'), alias('c', 'b')], /circle/],
    ['two ways', [alias('a', 'b'), alias('a', 'c'), address('b', '192.0.2.1')], /several/],
    ['to an address', [alias('a', '127.0.0.1')], /no host/],
    ['to a short address', [alias('a', '0x7f.1')], /no host/],
    ['to the root', [alias('a', '')], /no host/],
    ['to bytes that no host name has', [alias('a', 'b\\000.test')], /no host/],
  ])('does not go %s', (_, records, reason) => {
    expect(followChain('a', records)).toEqual({ kind: 'contradictory', reason: expect.stringMatching(reason) });
  });

  test('may repeat a record', () => {
    expect(followChain('a', [alias('a', 'b'), alias('a', 'b'), address('b', '192.0.2.1')])).toMatchObject({
      aliases: ['b'],
    });
  });

  test('always ends', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const record = fc.oneof(
      fc.tuple(name, name).map(([owner, target]) => alias(owner, target)),
      name.map((owner) => address(owner, '192.0.2.1')),
    );
    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), (records) => {
        const chain = followChain('a', records);
        if (chain.kind === 'followed') expect(new Set(['a', ...chain.aliases]).size).toBe(chain.aliases.length + 1);
      }),
      { numRuns: rounds(500) },
    );
  });
});

describe('two outcomes', () => {
  const found = (addresses: readonly string[], ttl = 60, aliases: readonly string[] = []): ServerOutcome => ({
    kind: 'found',
    addresses,
    aliases,
    ttl,
  });
  const none: ServerOutcome = { kind: 'found', addresses: [], aliases: [], ttl: Number.POSITIVE_INFINITY };
  const missing: ServerOutcome = { kind: 'no-such-name' };
  const contradiction: ServerOutcome = { kind: 'contradictory', reason: 'it goes in a circle' };
  const failed = (...reasons: readonly string[]): ServerOutcome => ({ kind: 'failed', reasons });
  const merge = (v4: ServerOutcome, v6: ServerOutcome): ReturnType<typeof mergeOutcomes> =>
    mergeOutcomes('a.test', v4, v6);

  test('are one resolution', () => {
    expect(merge(found(['192.0.2.1'], 40, ['b']), found(['2001:db8::1'], 20, ['b', 'c']))).toEqual({
      result: { kind: 'resolved', aliases: ['b', 'c'], addresses: ['192.0.2.1', '2001:db8::1'] },
      lifetime: 20_000,
    });
    expect(merge(found(['192.0.2.1', '192.0.2.1']), found(['192.0.2.1']))).toMatchObject({
      result: { addresses: ['192.0.2.1'] },
    });
  });

  test('live as long as their records, at most a minute', () => {
    expect(merge(found(['192.0.2.1'], 0), none).lifetime).toBe(0);
    expect(merge(found(['192.0.2.1'], 86_400), found(['2001:db8::1'], 0xffff_ffff)).lifetime).toBe(longestLifetime);
    expect(merge(found(['192.0.2.1'], 300), failed('x')).lifetime).toBe(negativeLifetime);
    expect(merge(found(['192.0.2.1'], 1), failed('x')).lifetime).toBe(1000);
  });

  test.each([
    {
      when: 'neither exists',
      v4: missing,
      v6: missing,
      code: 'name-not-found',
      message: /does not exist/,
      lifetime: negativeLifetime,
    },
    {
      when: 'neither has an address',
      v4: none,
      v6: none,
      code: 'name-not-found',
      message: /no address/,
      lifetime: negativeLifetime,
    },
    {
      when: 'one is said not to exist',
      v4: none,
      v6: missing,
      code: 'name-not-found',
      message: /no address/,
      lifetime: negativeLifetime,
    },
    {
      when: 'both failed',
      v4: failed('192.0.2.9: no answer'),
      v6: failed('192.0.2.9: no answer', '192.0.2.8: SERVFAIL'),
      code: 'resolver-failed',
      message: /\(192\.0\.2\.9: no answer; 192\.0\.2\.8: SERVFAIL\)/,
      lifetime: 0,
    },
    {
      when: 'one failed and the other is empty',
      v4: none,
      v6: failed('x'),
      code: 'resolver-failed',
      message: /\(x\)/,
      lifetime: 0,
    },
    {
      when: 'one failed and the other does not exist',
      v4: failed('x'),
      v6: missing,
      code: 'resolver-failed',
      message: /\(x\)/,
      lifetime: 0,
    },
    { when: 'there was no time', v4: failed(), v6: failed(), code: 'resolver-failed', message: /no time/, lifetime: 0 },
    {
      when: 'one contradicts itself',
      v4: found(['192.0.2.1']),
      v6: contradiction,
      code: 'resolver-failed',
      message: /circle/,
      lifetime: 0,
    },
  ])('are a refusal when $when', ({ v4, v6, code, message, lifetime }) => {
    expect(merge(v4, v6)).toMatchObject({
      result: {
        kind: 'refused',
        refusal: { code, message: expect.stringMatching(message), remedy: expect.stringMatching(/./) },
      },
      lifetime,
    });
  });

  test('one of which says that the name does not exist, despite its address', () => {
    expect(merge(found(['192.0.2.1']), missing)).toMatchObject({
      result: { addresses: ['192.0.2.1'] },
      lifetime: 60_000,
    });
  });

  test.each([
    { v4: 40, v6: 40, kept: [8, 8] },
    { v4: 40, v6: 0, kept: [16, 0] },
    { v4: 0, v6: 40, kept: [0, 16] },
    { v4: 40, v6: 3, kept: [13, 3] },
    { v4: 2, v6: 40, kept: [2, 14] },
    { v4: 8, v6: 8, kept: [8, 8] },
  ])('of $v4 and $v6 addresses keep $kept', ({ v4, v6, kept }) => {
    const { result } = merge(
      found(Array.from({ length: v4 }, (_, index) => `192.0.2.${index}`)),
      found(Array.from({ length: v6 }, (_, index) => `2001:db8::${index}`)),
    );
    const addresses = result.kind === 'resolved' ? result.addresses : [];
    expect([
      addresses.filter((one) => !one.includes(':')).length,
      addresses.filter((one) => one.includes(':')).length,
    ]).toEqual(kept);
    expect(addresses.length).toBeLessThanOrEqual(mostAddresses);
  });
});

describe('the cache', () => {
  test('keeps a value for its lifetime', () => {
    let time = 0;
    const cache = createCache<string>({ capacity: 10, now: () => time });
    cache.set('a', 'one', 100);
    time = 99;
    expect(cache.get('a')).toBe('one');
    time = 100;
    expect(cache.get('a')).toBeUndefined();
    cache.set('a', 'two', 0);
    expect(cache.get('a')).toBeUndefined();
    cache.set('a', 'three', 5);
    cache.set('a', 'four', 0);
    expect(cache.get('a')).toBeUndefined();
  });

  test('drops the oldest entry, and everything on request', () => {
    const cache = createCache<number>({ capacity: 2, now: () => 0 });
    cache.set('a', 1, 10);
    cache.set('b', 2, 10);
    cache.set('a', 3, 10);
    cache.set('c', 4, 10);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([3, undefined, 4]);
    cache.clear();
    expect(cache.get('a')).toBeUndefined();
  });
});

describe('shared work', () => {
  const setUp = (): {
    readonly work: ReturnType<typeof createSharedWork<string>>;
    readonly finish: Map<string, () => void>;
    readonly start: ReturnType<typeof vi.fn>;
  } => {
    const finish = new Map<string, () => void>();
    const start = vi.fn(
      async (key: string) => await new Promise<string>((resolve) => finish.set(key, () => resolve(`done ${key}`))),
    );
    return {
      work: createSharedWork({ most: 2, start, overloaded: (key) => `full ${key}`, abandoned: (key) => `left ${key}` }),
      finish,
      start,
    };
  };

  test('is done once for all waiting callers, and again for later ones', async () => {
    const { work, finish, start } = setUp();
    const both = Promise.all([work.join('a'), work.join('a')]);
    finish.get('a')?.();
    expect(await both).toEqual(['done a', 'done a']);
    expect(start).toHaveBeenCalledTimes(1);
    const later = work.join('a');
    finish.get('a')?.();
    expect(await later).toBe('done a');
    expect(start).toHaveBeenCalledTimes(2);
  });

  test('continues after one of them leaves', async () => {
    const { work, finish } = setUp();
    const leaving = new AbortController();
    const left = work.join('a', leaving.signal);
    const stayed = work.join('a', new AbortController().signal);
    leaving.abort();
    expect(await left).toBe('left a');
    finish.get('a')?.();
    expect(await stayed).toBe('done a');
    expect(await work.join('b', AbortSignal.abort())).toBe('left b');
    expect(finish.has('b')).toBe(false);
  });

  test('is bounded', async () => {
    const { work, finish } = setUp();
    const running = [work.join('a'), work.join('b')];
    expect(await work.join('c')).toBe('full c');
    const shared = work.join('a');
    finish.forEach((done) => done());
    expect(await Promise.all([...running, shared])).toEqual(['done a', 'done b', 'done a']);
    const next = work.join('c');
    finish.get('c')?.();
    expect(await next).toBe('done c');
  });
});

test('mixed case keeps the name, and seldom repeats its spelling', () => {
  const name = 'a-long.example-name.test1.example.com';
  const mixed = Array.from({ length: 50 }, () => mixedCase(name));
  expect(new Set(mixed.map((one) => one.toLowerCase()))).toEqual(new Set([name]));
  expect(new Set(mixed).size).toBeGreaterThan(45);
});

describe('the time of a turn', () => {
  const turnsOf = (budget: number, turns: number): readonly number[] => {
    let remaining = budget;
    return Array.from({ length: turns }, (_, index) => {
      const time = turnTime(remaining, turns - index);
      remaining -= time;
      return Math.round(time);
    });
  };

  test.each([
    { budget: 5000, turns: 1, times: [5000] },
    { budget: 5000, turns: 2, times: [1667, 3333] },
    { budget: 5000, turns: 4, times: [500, 643, 1286, 2571] },
    { budget: 5000, turns: 6, times: [500, 500, 500, 500, 1000, 2000] },
    { budget: 600, turns: 3, times: [200, 200, 200] },
  ])('of $turns in $budget ms is $times', ({ budget, turns, times }) => {
    expect(turnsOf(budget, turns)).toEqual(times);
  });

  test('never adds up to more than the budget', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 15 }), (budget, turns) => {
        const times = turnsOf(budget, turns);
        expect(times.reduce((sum, time) => sum + time, 0)).toBeLessThanOrEqual(budget + turns);
        expect(times.every((time) => time > 0 || budget < turns)).toBe(true);
      }),
      { numRuns: rounds(200) },
    );
  });
});
