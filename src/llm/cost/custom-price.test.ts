import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Usage } from '../types.ts';
import { customCost, createPricer, customPrice, type CustomPrice, matchesGlob, matchesModel } from './custom-price.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

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
  ])('%j uses the nearest price for caches: %d', (price, usd) => {
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
      customCost(usage, { provider: 'openai', model: 'gpt-4.1', at }),
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

describe('a pattern', () => {
  test.each([
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['a', '', false],
    ['gpt-*', 'gpt-4o', true],
    ['gpt-*', 'gpt-', true],
    ['gpt-*', 'my-gpt-4o', false],
    ['*-mini', 'gpt-4o-mini', true],
    ['*-mini', 'gpt-4o-mini-2024', false],
    ['a*b*c', 'axxbyyc', true],
    ['a*b*c', 'abcbx', false],
    ['a**c', 'ac', true],
    ['GPT-*', 'gpt-4O', true],
    ['g.t', 'gpt', false],
    ['g?t', 'gpt', false],
    ['[a-z]', 'a', false],
  ])('%j and %j: %j', (pattern, text, matches) => {
    expect(matchesGlob(pattern, text)).toBe(matches);
  });

  test('is matched as a regular expression of it would be', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 8 }).map((all) => all.join(''));
    const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 10 }).map((all) => all.join(''));
    fc.assert(
      fc.property(letters, text, (pattern, given) => {
        expect(matchesGlob(pattern, given)).toBe(new RegExp(`^${pattern.replaceAll('*', '[ab]*')}$`, 'u').test(given));
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('that would take a regular expression for ever is soon done', () => {
    expect(matchesGlob(`${'*a'.repeat(100)}*b`, 'a'.repeat(10_000))).toBe(false);
  });
});

describe('a model', () => {
  test.each([
    ['claude-*', 'anthropic', 'claude-opus-5', true],
    ['anthropic/claude-*', 'anthropic', 'claude-opus-5', true],
    ['anthropic/*', 'openrouter', 'anthropic/claude-opus-5', true],
    ['openrouter/anthropic/*', 'openrouter', 'anthropic/claude-opus-5', true],
    ['claude-*', 'aws', 'us.anthropic.claude-opus-5', false],
    [
      'us.anthropic.claude-*',
      'aws',
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-5',
      true,
    ],
    ['gemini-*', 'google', 'models/gemini-2.5-pro', true],
    ['*application*', 'aws', 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abcd', true],
    ['gpt-4o', 'openai', ' GPT-4o ', true],
    ['*', 'openai', 'x'.repeat(10_000), false],
  ])('%s of %s, %s: %j', (...[pattern, provider, model, matches]) => {
    expect(matchesModel(pattern, { provider, model })).toBe(matches);
  });
});
