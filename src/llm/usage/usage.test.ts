import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anthropicUsage, mergeAnthropicCounts } from '../dialects/anthropic-meter.ts';
import { geminiUsage } from '../dialects/gemini-meter.ts';
import { ollamaUsage } from '../dialects/ollama.ts';
import type { Usage } from '../types.ts';
import { chatUsage, responsesUsage } from './openai-usage.ts';
import { converseUsage, invocationUsage, mostTokens, splitUsage, tokensAt } from './tokens.ts';

const none: Usage = { uncachedInput: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 };
const anthropic = (...usages: readonly unknown[]): Usage | undefined =>
  anthropicUsage(usages.reduce<ReturnType<typeof mergeAnthropicCounts>>(mergeAnthropicCounts, undefined));

describe('a count', () => {
  test.each([
    [0, 0],
    [7, 7],
    [7.9, 7],
    [mostTokens * 10, mostTokens],
    [JSON.parse('1e400'), mostTokens],
    [-0, 0],
  ])('%s is %s', (written, counted) => expect(tokensAt({ n: written }, 'n')).toBe(counted + 0));
  test.each([-1, Number.NaN, '7', null, undefined, true, [], {}, Number.NEGATIVE_INFINITY])(
    '%s is invalid',
    (written) => expect(tokensAt({ n: written }, 'n')).toBeUndefined(),
  );
  test('a member of a prototype is invalid', () => {
    expect(tokensAt([], 'length', 'x')).toBeUndefined();
    expect(tokensAt({}, 'constructor', 'length')).toBeUndefined();
    expect(tokensAt(JSON.parse('{"__proto__":{"n":5}}'), 'n')).toBeUndefined();
  });
});

describe('Anthropic', () => {
  test('input excludes cached tokens, and the tiers are separate', () => {
    expect(
      anthropic({
        input_tokens: 5,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
        output_tokens: 7,
      }),
    ).toEqual({ uncachedInput: 5, cacheRead: 100, cacheWrite5m: 10, cacheWrite1h: 20, output: 7, reasoning: 0 });
  });
  test('a write without a tier counts as five minutes', () => {
    expect(anthropic({ input_tokens: 1, cache_creation_input_tokens: 30 })).toMatchObject({
      cacheWrite5m: 30,
      cacheWrite1h: 0,
    });
    expect(
      anthropic({
        input_tokens: 1,
        cache_creation_input_tokens: 30,
        cache_creation: { ephemeral_1h_input_tokens: 20 },
      }),
    ).toMatchObject({ cacheWrite5m: 10, cacheWrite1h: 20 });
    expect(
      anthropic({ input_tokens: 1, cache_creation_input_tokens: 5, cache_creation: { ephemeral_1h_input_tokens: 20 } }),
    ).toMatchObject({ cacheWrite5m: 0, cacheWrite1h: 20 });
  });
  test('the last count of each field that is no null holds', () => {
    expect(
      anthropic(
        { input_tokens: 9, cache_read_input_tokens: 4, output_tokens: 1 },
        { input_tokens: null, output_tokens: 5 },
        { cache_read_input_tokens: 0, output_tokens: 8 },
      ),
    ).toEqual({ ...none, uncachedInput: 9, output: 8 });
    expect(anthropic({ input_tokens: 9, output_tokens: 3 }, null, 'x', { output_tokens: -4 })).toEqual({
      ...none,
      uncachedInput: 9,
      output: 3,
    });
  });
  test('a compaction is added to the top usage, once', () => {
    const iterations = [
      { type: 'compaction', input_tokens: 180, output_tokens: 30, cache_read_input_tokens: 20 },
      { type: 'message', input_tokens: 9, output_tokens: 3 },
    ];
    const told = { input_tokens: 9, output_tokens: 3, iterations };
    expect(anthropic(told)).toEqual({ ...none, uncachedInput: 189, cacheRead: 20, output: 33 });
    expect(anthropic(told, told, { output_tokens: 4 })).toMatchObject({ uncachedInput: 189, output: 34 });
  });
  test('no usage is none', () => {
    for (const nothing of [undefined, null, [], {}, { cache_read_input_tokens: 4 }, { input_tokens: 'x' }])
      expect(anthropic(nothing)).toBeUndefined();
  });
});

describe('OpenAI', () => {
  test.each([
    [
      'cached tokens are within the prompt',
      {
        prompt_tokens: 100,
        completion_tokens: 9,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      },
      { uncachedInput: 30, cacheRead: 60, cacheWrite5m: 10, output: 9 },
    ],
    [
      'reasoning is within the completion',
      { prompt_tokens: 1, completion_tokens: 9, total_tokens: 10, completion_tokens_details: { reasoning_tokens: 8 } },
      { output: 9, reasoning: 8 },
    ],
    [
      'of xAI it is beside it',
      {
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 135,
        completion_tokens_details: { reasoning_tokens: 94 },
      },
      { output: 103, reasoning: 94 },
    ],
    [
      'Gemini tells it in the total alone',
      { prompt_tokens: 10, completion_tokens: 5, total_tokens: 40 },
      { output: 30, reasoning: 0 },
    ],
    [
      'DeepSeek',
      { prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 2 },
      { uncachedInput: 2, cacheRead: 8 },
    ],
    ['embeddings have no completion', { prompt_tokens: 10, total_tokens: 10 }, { uncachedInput: 10, output: 0 }],
    [
      'more cached than there is',
      { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 5 } },
      { uncachedInput: 0, cacheRead: 10, cacheWrite5m: 0 },
    ],
    [
      'more reasoning than there is',
      { prompt_tokens: 10, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 50 } },
      { output: 5, reasoning: 5 },
    ],
    [
      'a total below its parts',
      { prompt_tokens: 10, completion_tokens: 5, total_tokens: 3 },
      { uncachedInput: 10, output: 5 },
    ],
  ])('%s', (_name, usage, expected) => expect(chatUsage(usage)).toMatchObject(expected));

  test('Responses tells tiers of half an hour and half a day', () => {
    expect(
      responsesUsage({
        input_tokens: 100,
        input_tokens_details: {
          cached_tokens: 20,
          cache_write_tokens: 50,
          cache_write_tokens_details: { ttl_30m_tokens: 20, ttl_12h_tokens: 30 },
        },
        output_tokens: 4,
        output_tokens_details: { reasoning_tokens: 3 },
      }),
    ).toEqual({ uncachedInput: 30, cacheRead: 20, cacheWrite5m: 20, cacheWrite1h: 30, output: 4, reasoning: 3 });
    expect(
      responsesUsage({
        input_tokens: 9,
        output_tokens: 1,
        input_tokens_details: { cache_write_tokens: 2, cache_write_tokens_details: { ttl_12h_tokens: 30 } },
      }),
    ).toMatchObject({ uncachedInput: 7, cacheWrite5m: 0, cacheWrite1h: 2 });
  });
});

describe('Google, AWS and Ollama', () => {
  test('thoughts are output, and what tools gave is input', () => {
    expect(
      geminiUsage({
        promptTokenCount: 100,
        cachedContentTokenCount: 80,
        candidatesTokenCount: 10,
        thoughtsTokenCount: 30,
        toolUsePromptTokenCount: 5,
      }),
    ).toEqual({ ...none, uncachedInput: 25, cacheRead: 80, output: 40, reasoning: 30 });
    expect(geminiUsage({ promptTokenCount: 100 })).toEqual({ ...none, uncachedInput: 100 });
    expect(geminiUsage({ thoughtsTokenCount: 3 })).toEqual({ ...none, output: 3, reasoning: 3 });
  });
  test('cached tokens of Converse are beside its input', () => {
    expect(
      converseUsage({
        inputTokens: 1,
        outputTokens: 2,
        cacheReadInputTokens: 3,
        cacheWriteInputTokens: 9,
        cacheDetails: [
          { ttl: '1h', inputTokens: 4 },
          { ttl: '5m', inputTokens: 5 },
        ],
      }),
    ).toEqual({ uncachedInput: 1, cacheRead: 3, cacheWrite5m: 5, cacheWrite1h: 4, output: 2, reasoning: 0 });
    expect(
      converseUsage({
        inputTokens: 1,
        cacheWriteInputTokens: 9,
        cacheDetails: [{ ttl: '1h', inputTokens: 400 }, null, 'x'],
      }),
    ).toMatchObject({ cacheWrite5m: 0, cacheWrite1h: 9 });
  });
  test('the counts that AWS bills', () => {
    expect(invocationUsage({ inputTokenCount: 1, outputTokenCount: 2, cacheReadInputTokenCount: 3 })).toEqual({
      ...none,
      uncachedInput: 1,
      cacheRead: 3,
      output: 2,
    });
    expect(invocationUsage('x')).toBeUndefined();
  });
  test('Ollama', () =>
    expect(ollamaUsage({ prompt_eval_count: 1, eval_count: 2 })).toEqual({ ...none, uncachedInput: 1, output: 2 }));
});

const counts = fc.oneof(
  fc.nat(),
  fc.double(),
  fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 'x', null, [], {}, 2 ** 60),
  fc.jsonValue(),
);
const names = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'promptTokenCount',
  'cachedContentTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
  'inputTokens',
  'outputTokens',
  'cacheReadInputTokens',
  'cacheWriteInputTokens',
  'inputTokenCount',
  'outputTokenCount',
  'prompt_eval_count',
  'eval_count',
  'reasoning_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'ephemeral_5m_input_tokens',
  'ephemeral_1h_input_tokens',
  'thinking_tokens',
  'ttl_12h_tokens',
];
const flat = fc.dictionary(fc.constantFrom(...names), counts);
const usages = fc.record({ one: flat, details: flat }).map(({ one, details }) => ({
  ...one,
  cache_creation: details,
  output_tokens_details: details,
  prompt_tokens_details: details,
  completion_tokens_details: details,
  input_tokens_details: { ...details, cache_write_tokens_details: details },
  iterations: [{ ...details, type: 'compaction' }],
  cacheDetails: [{ ttl: '1h', ...details }],
}));

test.each([
  ['anthropic', anthropic],
  ['chat', chatUsage],
  ['responses', responsesUsage],
  ['gemini', geminiUsage],
  ['converse', converseUsage],
  ['invocation', invocationUsage],
  ['ollama', ollamaUsage],
] as const)('%s: whatever is told, counts are whole, and no more is reasoning than was put out', (_name, read) => {
  fc.assert(
    fc.property(usages, (usage) => {
      const told = read(usage);
      for (const [field, tokens] of Object.entries(told ?? {}))
        expect(Number.isSafeInteger(tokens) && tokens >= 0, field).toBe(true);
      expect(told?.reasoning ?? 0).toBeLessThanOrEqual(told?.output ?? 0);
    }),
  );
});

test('classes that are split add up to the input', () => {
  const count = fc.option(fc.nat(1000), { nil: undefined });
  fc.assert(
    fc.property(
      fc.record({
        input: fc.nat(1000),
        cacheRead: count,
        cacheWrite5m: count,
        cacheWrite1h: count,
        output: count,
        reasoning: count,
      }),
      (told) => {
        const usage = splitUsage(told) ?? none;
        expect(usage.uncachedInput + usage.cacheRead + usage.cacheWrite5m + usage.cacheWrite1h).toBe(told.input);
      },
    ),
  );
});
