import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Usage } from '../types.ts';
import { costOf, createPricer, customPrice, type CustomPrice } from './custom-price.ts';

const at = new Date('2026-09-15T12:00:00Z');
const million: Usage = {
  uncachedInput: 1e6,
  cacheRead: 1e6,
  cacheWrite5m: 1e6,
  cacheWrite1h: 1e6,
  output: 1e6,
  reasoning: 5e5,
};

describe("a policy's price", () => {
  test('has a rate for each class of tokens', () => {
    const prices = { 'llama*': { input: 1, output: 2, cache_read: 4, cache_write: 8, cache_write_1h: 16 } };
    expect(customPrice(prices, million, { provider: 'ollama', model: 'llama3.3', at })).toEqual({
      kind: 'priced',
      usd: 31,
      model: 'llama*',
      table: 'policy',
    });
  });

  test.each([
    [{ input: 1, output: 100 }, 104],
    [{ input: 1, output: 100, cache_read: 0.5 }, 103.5],
    [{ input: 1, output: 100, cache_write: 2 }, 106],
    [{ input: 1, output: 100, cache_write_1h: 2 }, 105],
    [{ input: 0, output: 0 }, 0],
  ])('%j takes for caches what is nearest: %d', (price, usd) => {
    expect(customPrice({ '*': price }, million, { provider: 'ollama', model: 'm', at })).toMatchObject({ usd });
  });

  test.each([
    ['gpt-4o', 'gpt-4o'],
    ['gpt-4o-mini', 'gpt-4o-*'],
    ['gpt-4.1', 'gpt-*'],
    ['o3', '*/*'],
    ['GPT-4O', 'gpt-4o'],
    ['exact', 'exact'],
  ])('for %s is that of the nearest pattern, %s', (model, pattern) => {
    const price = { input: 1, output: 1 };
    const prices = { 'gpt-*': price, '*/*': price, 'gpt-4o-*': price, 'gpt-4o': price, 'exact*': price, exact: price };
    expect(customPrice(prices, million, { provider: 'azure', model, at })).toMatchObject({ model: pattern });
    expect(
      customPrice(Object.fromEntries(Object.entries(prices).toReversed()), million, { provider: 'azure', model, at }),
    ).toMatchObject({ model: pattern });
  });

  test('is found by the name that is in a path', () => {
    const prices = { 'gemini-x': { input: 1, output: 1 } };
    expect(customPrice(prices, million, { provider: 'google', model: 'models/gemini-x', at })).toMatchObject({
      usd: 5,
    });
  });

  test('goes before the table, which has all others', () => {
    const priceOf = createPricer({ 'gpt-4o': { input: 7, output: 0 } });
    const usage = { ...million, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
    expect(priceOf(usage, { provider: 'openai', model: 'gpt-4o', at })).toEqual({
      kind: 'priced',
      usd: 7,
      model: 'gpt-4o',
      table: 'policy',
    });
    expect(priceOf(usage, { provider: 'openai', model: 'gpt-4.1', at })).toEqual(
      costOf(usage, { provider: 'openai', model: 'gpt-4.1', at }),
    );
    expect(priceOf(usage, { provider: 'openai', model: 'gpt-99', at }).kind).toBe('unknown');
  });

  test('is not for a call that names no model, nor for names of properties', () => {
    expect(customPrice({ '*': { input: 1, output: 1 } }, million, { provider: 'openai', at })).toBeUndefined();
    expect(customPrice({}, million, { provider: 'openai', model: '__proto__', at })).toBeUndefined();
    expect(customPrice({}, million, { provider: 'openai', model: 'constructor', at })).toBeUndefined();
  });

  test.each([
    { input: Number.NaN, output: 1 },
    { input: -1, output: 1 },
    { input: 1, output: Number.POSITIVE_INFINITY },
    { input: 1, output: 1, cache_read: -0.5 },
    { input: '1', output: undefined } as unknown as CustomPrice,
  ])('%j is no price, and the table is not asked in its place', (price) => {
    expect(createPricer({ 'gpt-4o': price })(million, { provider: 'openai', model: 'gpt-4o', at })).toEqual({
      kind: 'unknown',
      table: 'policy',
    });
  });

  test.each([0.5, -1, Number.NaN])('of %d tokens is unknown', (output) => {
    expect(
      customPrice({ '*': { input: 1, output: 1 } }, { ...million, output }, { provider: 'p', model: 'm', at }),
    ).toEqual({ kind: 'unknown', table: 'policy' });
  });

  test('of anything is unknown or a number from 0', () => {
    const rate = fc.double();
    fc.assert(
      fc.property(
        fc.record({ input: rate, output: rate, cache_read: rate, cache_write: rate }),
        fc.double(),
        (price, count) => {
          const cost = customPrice({ '*': price }, { ...million, output: count }, { provider: 'p', model: 'm', at });
          expect(cost?.kind === 'unknown' || (cost !== undefined && cost.usd >= 0 && Number.isFinite(cost.usd))).toBe(
            true,
          );
        },
      ),
    );
  });
});
