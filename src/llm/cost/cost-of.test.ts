import { readFileSync } from 'node:fs';
import { findProvider } from '@pydantic/genai-prices';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import rootPackage from '../../../package.json' with { type: 'json' };
import type { Usage } from '../types.ts';
import { customCost, priceTable } from './custom-price.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const at = new Date('2026-09-15T12:00:00Z');
const none: Usage = { uncachedInput: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
/** 180 000 tokens in: below the tiers of 200 000 and 272 000. */
const usage: Usage = {
  uncachedInput: 100_000,
  cacheRead: 50_000,
  cacheWrite5m: 20_000,
  cacheWrite1h: 10_000,
  output: 10_000,
  reasoning: 4000,
};

/** Rates per million: input, cache read, write for 5 minutes, write for an hour, output. */
type Rates = readonly [number, number, number, number, number];

function byHand([input, read, write5m, write1h, output]: Rates): number {
  return (100_000 * input + 50_000 * read + 20_000 * write5m + 10_000 * write1h + 10_000 * output) / 1_000_000;
}

/** Without rates for caches in the table: they cost as input. */
const flat = (input: number, output: number): Rates => [input, input, input, input, output];
/** Writes cost as input, as there is no rate for them. */
const readOnly = (input: number, read: number, output: number): Rates => [input, read, input, input, output];

const real: readonly (readonly [string, string, string, Rates])[] = [
  ['anthropic', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4-5', [3, 0.3, 3.75, 6, 15]],
  ['anthropic', 'Claude-Sonnet-4-5', 'claude-sonnet-4-5', [3, 0.3, 3.75, 6, 15]],
  ['anthropic', 'claude-sonnet-4-20250514', 'claude-sonnet-4-0', [3, 0.3, 3.75, 6, 15]],
  ['anthropic', 'claude-opus-4-1-20250805', 'claude-opus-4-1', [15, 1.5, 18.75, 30, 75]],
  ['anthropic', 'claude-opus-4-5-20251101', 'claude-opus-4-5', [5, 0.5, 6.25, 10, 25]],
  ['anthropic', 'claude-opus-4-6', 'claude-opus-4-6', [5, 0.5, 6.25, 10, 25]],
  ['anthropic', 'claude-opus-5-5', 'claude-opus-5-5', [4, 0.2, 5, 8, 20]],
  ['anthropic', 'claude-sonnet-5.0', 'claude-sonnet-5', [2, 0.2, 2.5, 4, 10]],
  ['anthropic', 'claude-sonnet-5', 'claude-sonnet-5', [2, 0.2, 2.5, 4, 10]],
  ['anthropic', 'claude-haiku-4-5-20251001', 'claude-haiku-4-5', [1, 0.1, 1.25, 2, 5]],
  ['anthropic', 'claude-3-7-sonnet-20250219', 'claude-3-7-sonnet-latest', [3, 0.3, 3.75, 6, 15]],
  ['anthropic', 'claude-3-5-haiku-20241022', 'claude-3-5-haiku-latest', [0.8, 0.08, 1, 1.6, 4]],
  ['openai', 'gpt-4o-2024-08-06', 'gpt-4o', readOnly(2.5, 1.25, 10)],
  ['openai', 'gpt-4o-mini', 'gpt-4o-mini', readOnly(0.15, 0.075, 0.6)],
  ['openai', 'gpt-4.1-2025-04-14', 'gpt-4.1', readOnly(2, 0.5, 8)],
  ['openai', 'gpt-5-2025-08-07', 'gpt-5', readOnly(1.25, 0.125, 10)],
  ['openai', 'gpt-5-codex', 'gpt-5', readOnly(1.25, 0.125, 10)],
  ['openai', 'gpt-5-mini-2025-08-07', 'gpt-5-mini', readOnly(0.25, 0.025, 2)],
  ['openai', 'gpt-5.1-codex-max', 'gpt-5.1', readOnly(1.25, 0.125, 10)],
  ['openai', 'gpt-5.2', 'gpt-5.2', readOnly(1.75, 0.175, 14)],
  ['openai', 'gpt-5.6-sol', 'gpt-5.6-sol', [4, 0.4, 5, 5, 20]],
  ['openai', 'o3-2025-04-16', 'o3', readOnly(2, 0.5, 8)],
  ['openai', 'o4-mini-2025-04-16', 'o4-mini', readOnly(1.1, 0.275, 4.4)],
  ['openai', 'gpt-5-pro', 'gpt-5-pro', flat(15, 120)],
  ['openai', 'ft:gpt-4o-mini-2024-07-18:example::abc123', 'ft:gpt-4o-mini', flat(0.3, 1.2)],
  ['google', 'gemini-2.5-pro', 'gemini-2.5-pro', readOnly(1.25, 0.125, 10)],
  ['google', 'models/gemini-2.5-pro', 'gemini-2.5-pro', readOnly(1.25, 0.125, 10)],
  ['google', 'gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro', readOnly(1.25, 0.125, 10)],
  ['google', 'publishers/google/models/gemini-2.5-flash', 'gemini-2.5-flash', readOnly(0.3, 0.03, 2.5)],
  ['google', 'gemini-2.5-flash-lite-preview-09-2025', 'gemini-2.5-flash-lite', readOnly(0.1, 0.01, 0.4)],
  ['google', 'models/gemini-3-pro-preview', 'gemini-3-pro-preview', readOnly(2, 0.2, 12)],
  ['google', 'gemini-2.0-flash-001', 'gemini-2.0-flash', readOnly(0.1, 0.025, 0.4)],
  [
    'google',
    'projects/example/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929',
    'claude-sonnet-4-5',
    [3, 0.3, 3.75, 3.75, 15],
  ],
  [
    'aws',
    'us.anthropic.claude-sonnet-4-20250514-v1:0',
    'regional.anthropic.claude-sonnet-4-20250514-v1:0',
    [3, 0.3, 3.75, 3.75, 15],
  ],
  [
    'aws',
    'us.anthropic.claude-sonnet-4-20250514-v1%3A0',
    'regional.anthropic.claude-sonnet-4-20250514-v1:0',
    [3, 0.3, 3.75, 3.75, 15],
  ],
  [
    'aws',
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    'regional.anthropic.claude-sonnet-4-5-20250929-v1:0',
    [3.3, 0.33, 4.125, 4.125, 16.5],
  ],
  [
    'aws',
    'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
    [3, 0.3, 3.75, 3.75, 15],
  ],
  [
    'aws',
    'eu.anthropic.claude-haiku-4-5-20251001-v1:0',
    'regional.anthropic.claude-haiku-4-5-20251001-v1:0',
    [1.1, 0.11, 1.375, 1.375, 5.5],
  ],
  [
    'aws',
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-opus-5-5',
    'regional.anthropic.claude-opus-5-5',
    [4.4, 0.22, 5.5, 8.8, 22],
  ],
  [
    'aws',
    'arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Ainference-profile%2Fus.anthropic.claude-opus-5-5',
    'regional.anthropic.claude-opus-5-5',
    [4.4, 0.22, 5.5, 8.8, 22],
  ],
  [
    'aws',
    'arn:aws:bedrock:eu-west-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0',
    'regional.anthropic.claude-3-haiku-20240307-v1:0',
    flat(0.25, 1.25),
  ],
  ['aws', 'us.amazon.nova-lite-v1:0', 'amazon.nova-lite-v1:0', readOnly(0.06, 0.015, 0.24)],
  ['aws', 'us.meta.llama4-maverick-17b-instruct-v1:0', 'meta.llama4-maverick-17b-instruct-v1:0', flat(0.24, 0.97)],
  ['aws', 'us.deepseek.r1-v1:0', 'deepseek.r1-v1:0', flat(1.35, 5.4)],
  ['azure', 'gpt-4o-2024-11-20', 'gpt-4o', readOnly(2.5, 1.25, 10)],
  ['azure', 'gpt-4.1-mini-2025-04-14', 'gpt-4.1-mini', readOnly(0.4, 0.1, 1.6)],
  ['azure', 'claude-sonnet-4-5', 'claude-sonnet-4-5', [3, 0.3, 3.75, 6, 15]],
  ['azure', 'o3-mini', 'o3-mini', readOnly(1.1, 0.55, 4.4)],
  ['openrouter', 'anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4.5', [3, 0.3, 3.75, 3.75, 15]],
  ['openrouter', 'openai/gpt-5', 'openai/gpt-5', readOnly(1.25, 0.125, 10)],
  ['openrouter', 'google/gemini-2.5-pro', 'google/gemini-2.5-pro', [1.25, 0.31, 1.625, 1.625, 10]],
  ['openrouter', 'x-ai/grok-code-fast-1', 'x-ai/grok-code-fast-1', readOnly(0.2, 0.02, 1.5)],
  ['openrouter', 'anthropic/claude-3.7-sonnet:thinking', 'anthropic/claude-3.7-sonnet', flat(3, 15)],
  ['openrouter', 'qwen/qwen3-coder:free', 'qwen/qwen3-coder:free', flat(0, 0)],
  ['groq', 'llama-3.3-70b-versatile', 'llama-3.3-70b-versatile', flat(0.59, 0.79)],
  ['mistral', 'codestral-2508', 'codestral-2508', readOnly(0.3, 0.03, 0.9)],
  ['deepseek', 'deepseek-chat', 'deepseek-chat', readOnly(0.27, 0.07, 1.1)],
  ['x-ai', 'grok-4-0709', 'grok-4-0709', readOnly(3, 0.75, 15)],
  ['moonshotai', 'kimi-k2-0905-preview', 'kimi-k2-0905-preview', readOnly(0.6, 0.15, 2.5)],
  ['together', 'meta-llama/Llama-3.3-70B-Instruct-Turbo', 'meta-llama/Llama-3.3-70B-Instruct-Turbo', flat(0.88, 0.88)],
  ['cerebras', 'gpt-oss-120b', 'gpt-oss-120b', flat(0.35, 0.75)],
];

describe('the cost of a call', () => {
  test.each(real)('%s %s is that of %s', (...[provider, model, id, rates]) => {
    const cost = customCost(usage, { provider, model, at });
    expect(cost).toEqual({ kind: 'priced', usd: expect.closeTo(byHand(rates), 9), model: id, table: priceTable });
  });

  test.each([
    ['uncachedInput', 3],
    ['cacheRead', 0.3],
    ['cacheWrite5m', 3.75],
    ['cacheWrite1h', 6],
    ['output', 15],
  ] as const)('of %s alone is its own rate', (name, usd) => {
    expect(
      customCost({ ...none, [name]: 1_000_000 }, { provider: 'anthropic', model: 'claude-3-7-sonnet-20250219', at }),
    ).toMatchObject({ usd });
  });

  test('does not count reasoning again, which is within output', () => {
    const call = { provider: 'openai', model: 'o3', at };
    expect(customCost({ ...none, output: 1000, reasoning: 1000 }, call)).toEqual(
      customCost({ ...none, output: 1000 }, call),
    );
  });

  test.each([
    [400, 0.006],
    [5000, 0.003],
  ])('has a rate of its own for %d tokens of reasoning where the table has one, out of 1000', (reasoning, usd) => {
    expect(
      customCost({ ...none, output: 1000, reasoning }, { provider: 'perplexity', model: 'sonar-deep-research', at }),
    ).toMatchObject({ usd: expect.closeTo(usd, 9) });
  });

  test('is that of a higher tier where all that went in is more than its start, from caches too', () => {
    const call = { provider: 'google', model: 'gemini-2.5-pro', at };
    expect(customCost({ ...none, uncachedInput: 100_000, cacheRead: 100_000, output: 1000 }, call)).toMatchObject({
      usd: expect.closeTo(0.125 + 0.0125 + 0.01, 9),
    });
    expect(customCost({ ...none, uncachedInput: 100_001, cacheRead: 100_000, output: 1000 }, call)).toMatchObject({
      usd: expect.closeTo(0.250_002_5 + 0.025 + 0.015, 9),
    });
  });

  test.each([
    ['2026-03-12T23:59:59.999Z', 2.5],
    ['2026-03-13T00:00:00.000Z', 1.25],
  ])('at %s is that of its time', (time, usd) => {
    expect(
      customCost(
        { ...none, uncachedInput: 250_000 },
        { provider: 'anthropic', model: 'claude-opus-4-6', at: new Date(time) },
      ),
    ).toMatchObject({ usd });
  });

  test('has the fee of a request also where there are no tokens', () => {
    expect(customCost(none, { provider: 'perplexity', model: 'sonar-pro', at })).toMatchObject({ usd: 0.014 });
  });

  test('of an embedding needs no price of output', () => {
    const call = { provider: 'openai', model: 'text-embedding-3-small', at };
    expect(customCost({ ...none, uncachedInput: 1_000_000 }, call)).toMatchObject({ usd: 0.02 });
    expect(customCost({ ...none, uncachedInput: 1_000_000, output: 1 }, call)).toEqual({
      kind: 'unknown',
      table: priceTable,
    });
  });
});

describe('the cost is unknown, and not 0,', () => {
  test.each([
    ['anthropic', 'claude-opus-4-9', 'a model that is not in the table'],
    ['anthropic', 'claude-sonnet-5-5', 'the next version of a model that is'],
    ['anthropic', 'claude-sonnet-5-5-20261101', 'the same with a date'],
    ['anthropic', 'claude-haiku-4-5.1', 'the same with a point'],
    ['aws', 'us.anthropic.claude-sonnet-5-5-v1:0', 'the same at Bedrock'],
    ['google', 'claude-sonnet-4-5-1', 'the same at Vertex'],
    ['openai', 'gpt-99', 'a model to come'],
    ['openai', '', 'no name'],
    ['openai', '   ', 'no name, in spaces'],
    ['openai', 'gpt-4o\u0000', 'a name with a hidden character'],
    ['openai', `gpt-5-nano-${'x'.repeat(10_000)}`, 'a name that is too long'],
    ['google', 'tunedModels/gemini-2.5-pro-mine', 'a tuned model'],
    ['google', 'projects/p/locations/l/endpoints/gemini-2.5-pro', 'an endpoint of its own'],
    [
      'aws',
      'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abcd1234',
      'a profile that does not say its model',
    ],
    [
      'aws',
      'arn:aws:bedrock:us-east-1:123456789012:provisioned-model/anthropic.claude-3-haiku-20240307-v1:0',
      'what is paid by the hour',
    ],
    ['aws', 'arn:aws:bedrock:us-east-1:123456789012:imported-model/amazon.nova-pro-v1', 'an imported model'],
    ['azure', 'production-chat', 'a deployment of any name'],
    ['azure', 'gpt-4o-team-blue', 'a deployment that is called almost like a model'],
    ['openrouter', 'openrouter/auto', 'a model that is chosen elsewhere'],
    ['openrouter', 'anthropic/claude-sonnet-4.5:online', 'a variant with a price of its own'],
    ['openrouter', 'google/lyria-3-pro-preview', 'a model without any rate that does not say it is free'],
    ['openai', 'whisper-1', 'a model that is paid by time'],
    ['ollama', 'llama3.3', 'a local server'],
    ['my-openai', 'gpt-4o', "a policy's own server, whose name has a provider's in it"],
    ['OPENAI', 'gpt-4o', 'no id of the table'],
    ['', 'gpt-4o', 'no provider'],
    ['__proto__', 'constructor', 'names of properties'],
  ])('for %s %s: %s', (provider, model) => {
    expect(customCost(usage, { provider, model, at })).toEqual({ kind: 'unknown', table: priceTable });
  });

  test('for a call without a model', () => {
    expect(customCost(usage, { provider: 'openai', at })).toEqual({ kind: 'unknown', table: priceTable });
  });

  test('at an invalid time around a price change', () => {
    expect(customCost(usage, { provider: 'anthropic', model: 'claude-opus-4-6', at: new Date(Number.NaN) })).toEqual({
      kind: 'unknown',
      table: priceTable,
    });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 2 ** 53, 1e300, '7', null, undefined])(
    'for a count of %s in any class',
    (count) => {
      for (const name of Object.keys(none)) {
        expect(
          customCost({ ...usage, [name]: count } as Usage, { provider: 'anthropic', model: 'claude-opus-4-6', at })
            .kind,
        ).toBe('unknown');
      }
    },
  );
});

test('counts beyond exact integers have an unknown cost', () => {
  const most = { ...none, uncachedInput: Number.MAX_SAFE_INTEGER };
  const call = { provider: 'anthropic', model: 'claude-opus-5', at };
  expect(customCost(most, call)).toMatchObject({ usd: expect.closeTo(9_007_199_254_740_991 * 5e-6, 0) });
  expect(customCost({ ...most, cacheRead: 2 }, call).kind).toBe('unknown');
});

test('any call’s cost is unknown or a number from 0', () => {
  const count = fc.oneof(fc.nat(), fc.maxSafeInteger(), fc.double(), fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER));
  const usages = fc.record({
    uncachedInput: count,
    cacheRead: count,
    cacheWrite5m: count,
    cacheWrite1h: count,
    output: count,
    reasoning: count,
  });
  const models = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...real.map(([, model]) => model)));
  const calls = fc.record({
    provider: fc.oneof(fc.string(), fc.constantFrom(...real.map(([provider]) => provider))),
    model: models,
    at: fc.date({ noInvalidDate: false }),
  });
  fc.assert(
    fc.property(usages, calls, (usage, call) => {
      const cost = customCost(usage, call);
      expect(cost.kind === 'unknown' || (cost.usd >= 0 && Number.isFinite(cost.usd))).toBe(true);
    }),
    { numRuns: rounds(300) },
  );
});

test('more tokens of a class never cost less', () => {
  const counts = fc.record({
    uncachedInput: fc.nat(1e6),
    cacheRead: fc.nat(1e6),
    cacheWrite5m: fc.nat(1e6),
    cacheWrite1h: fc.nat(1e6),
    output: fc.nat(1e6),
    reasoning: fc.constant(0),
  });
  const name = fc.constantFrom('uncachedInput', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output');
  fc.assert(
    fc.property(counts, name, fc.nat(1e6), (usage, more, count) => {
      const call = { provider: 'anthropic', model: 'claude-sonnet-4-5', at };
      const [one, other] = [customCost(usage, call), customCost({ ...usage, [more]: usage[more] + count }, call)];
      if (one.kind === 'unknown' || other.kind === 'unknown') throw new Error('It has a price.');
      expect(other.usd).toBeGreaterThanOrEqual(one.usd);
    }),
    { numRuns: rounds(200) },
  );
});

test('the table is the installed and pinned one', () => {
  const installed: unknown = JSON.parse(readFileSync('node_modules/@pydantic/genai-prices/package.json', 'utf8'));
  expect(installed).toMatchObject({
    name: '@pydantic/genai-prices',
    version: rootPackage.dependencies['@pydantic/genai-prices'],
  });
  expect(priceTable).toBe(`@pydantic/genai-prices@${rootPackage.dependencies['@pydantic/genai-prices']}`);
});

test('the table has nothing that its package complains of', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
  for (const [provider, model] of real) customCost(usage, { provider, model, at });
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test('every model of the table has its price by its own name, or no rate for text', () => {
  const unpriced: string[] = [];
  for (const provider of ['anthropic', 'openai', 'azure', 'google', 'aws', 'openrouter']) {
    // Names that begin with `regional.` stand for several profiles, and are no names of models.
    for (const { id } of findProvider({ providerId: provider })?.models ?? [])
      if (!id.startsWith('regional.') && customCost(usage, { provider, model: id, at }).kind === 'unknown')
        unpriced.push(`${provider} ${id}`);
  }
  expect(unpriced).toMatchInlineSnapshot(`
    [
      "openai ft:gpt-4o",
      "openai ft:gpt-4o-mini",
      "openai gpt-transcribe",
      "openai moderation",
      "openai text-embedding-3-large",
      "openai text-embedding-3-small",
      "openai text-embedding-ada-002",
      "openai whisper-1",
      "azure ada",
      "azure babbage",
      "azure curie",
      "azure davinci",
      "azure text-embedding-3-large",
      "azure text-embedding-3-small",
      "google gemini-embedding-001",
      "google gemini-embedding-2",
      "google gemma-3",
      "google gemma-3n",
      "google gemma-4-26b-a4b-it",
      "google gemma-4-31b-it",
      "aws amazon.titan-embed-text-v1",
      "openrouter gemini-2.5-pro-exp-03-25",
      "openrouter google/gemini-flash-1.5-8b-exp",
      "openrouter google/lyria-3-clip-preview",
      "openrouter google/lyria-3-pro-preview",
    ]
  `);
});
