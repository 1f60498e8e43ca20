import { describe, expect, test } from 'vitest';
import { exchanges } from '../../../test/fixtures/llm/index.ts';
import type { DialectName, Steering } from '../types.ts';
import { dialects } from './dialects.ts';
import { leavesAt, valueAt } from './testing/read-leaves.ts';

const text = 'Nine tenths of the budget are spent.';

/** Puts a value in as the contract says, on a copy. */
function put(request: unknown, { path, key, value, replaces }: Steering): unknown {
  const copy = structuredClone(request);
  const last = path.at(-1);
  const target = valueAt(copy, replaces === true ? path.slice(0, -1) : path);
  if (replaces === true) (target as Record<string | number, unknown>)[last ?? ''] = value;
  else if (key === undefined) (target as unknown[]).push(value);
  else if (Object.hasOwn(target as object, key)) throw new Error(`${key} is there`);
  else (target as Record<string, unknown>)[key] = value;
  return copy;
}

test.each(exchanges.map((exchange) => [exchange.name, exchange] as const))(
  '%s is steered by what its model reads last',
  (_name, { dialect, request }) => {
    const plain = JSON.parse(JSON.stringify(request)) as unknown;
    const steering = dialects[dialect].steer(plain, text);
    expect(steering).toBeDefined();
    const leaves = leavesAt(put(plain, steering as Steering), dialects[dialect].requestText);
    expect(leaves.filter((leaf) => leaf.includes(text))).toHaveLength(1);
  },
);

describe('where it goes', () => {
  test.each<readonly [DialectName, unknown, Steering]>([
    [
      'anthropic-messages',
      { messages: [{ role: 'user', content: 'a' }] },
      { path: ['messages'], value: { role: 'user', content: text } },
    ],
    [
      'anthropic-messages',
      {
        messages: [
          { role: 'assistant', content: 'a' },
          { role: 'user', content: [{ type: 'tool_result' }] },
        ],
      },
      { path: ['messages', 1, 'content'], value: { type: 'text', text } },
    ],
    [
      'anthropic-messages',
      { messages: [{ role: 'system', content: 'a' }] },
      { path: ['messages'], value: { role: 'user', content: text } },
    ],
    [
      'openai-chat',
      { messages: [{ role: 'tool', content: 'a' }] },
      { path: ['messages'], value: { role: 'user', content: text } },
    ],
    ['openai-chat', { prompt: 'a' }, { path: ['prompt'], replaces: true, value: `a\n\n${text}` }],
    ['openai-responses', { input: 'a' }, { path: ['input'], replaces: true, value: `a\n\n${text}` }],
    [
      'openai-responses',
      { input: [{ role: 'user', content: 'a' }] },
      { path: ['input'], value: { role: 'user', content: [{ type: 'input_text', text }] } },
    ],
    [
      'openai-responses',
      { type: 'response.create', response: { input: [{}] } },
      { path: ['response', 'input'], value: { role: 'user', content: [{ type: 'input_text', text }] } },
    ],
    ['gemini', { contents: [{ parts: [{ text: 'a' }] }] }, { path: ['contents', 0, 'parts'], value: { text } }],
    [
      'bedrock-converse',
      { messages: [{ role: 'user', content: [{ text: 'a' }] }] },
      { path: ['messages', 0, 'content'], value: { text } },
    ],
    [
      'bedrock-invoke',
      { anthropic_version: 'x', messages: [{ role: 'user', content: [{ type: 'text' }] }] },
      { path: ['messages', 0, 'content'], value: { type: 'text', text } },
    ],
    [
      'bedrock-invoke',
      { schemaVersion: 'messages-v1', messages: [{ role: 'user', content: [{ text: 'a' }] }] },
      { path: ['messages', 0, 'content'], value: { text } },
    ],
    [
      'ollama-chat',
      { messages: [{ role: 'user', content: 'a' }] },
      { path: ['messages'], value: { role: 'user', content: text } },
    ],
    ['ollama-generate', { prompt: 'a' }, { path: ['prompt'], replaces: true, value: `a\n\n${text}` }],
  ])('%s %j', (name, request, steering) => expect(dialects[name].steer(request, text)).toEqual(steering));

  test.each<readonly [DialectName, unknown]>([
    ['anthropic-messages', { messages: [{ role: 'assistant', content: 'Once upon' }] }],
    ['openai-chat', { messages: [{ role: 'assistant', content: 'Once upon' }] }],
    ['ollama-chat', { messages: [{ role: 'assistant', content: 'Once upon' }] }],
    ['gemini', { contents: [{ role: 'model', parts: [{ text: 'Once upon' }] }] }],
    ['bedrock-converse', { messages: [{ role: 'assistant', content: [{ text: 'Once upon' }] }] }],
  ])('%s has no place where an answer is to be continued', (name, request) =>
    expect(dialects[name].steer(request, text)).toBeUndefined(),
  );

  test.each(Object.values(dialects))('$name has none in what is not a request', ({ steer, askForUsage }) => {
    for (const odd of [
      undefined,
      null,
      1,
      'x',
      [],
      {},
      { messages: [] },
      { messages: 'x' },
      { messages: [null] },
      { messages: [{ role: 1 }] },
      { contents: {} },
      { input: {} },
      { prompt: 1 },
    ]) {
      expect(steer(odd, text)).toBeUndefined();
      expect(askForUsage?.(odd)).toBeUndefined();
    }
  });
});

describe('asking for usage', () => {
  const { askForUsage, isUsageOnly } = dialects['openai-chat'];

  test.each([
    { stream: true },
    { stream: true, stream_options: {} },
    { stream: true, stream_options: null },
    { stream: true, stream_options: { include_usage: false } },
    { stream: true, stream_options: { include_obfuscation: false } },
  ])('%j is asked for it', (request) => {
    expect(put(request, askForUsage?.(request) as Steering)).toMatchObject({
      ...request,
      stream_options: { ...request.stream_options, include_usage: true },
    });
  });

  test.each([{ stream: false }, {}, { stream: 'true' }, { stream: true, stream_options: { include_usage: true } }])(
    '%j is not',
    (request) => expect(askForUsage?.(request)).toBeUndefined(),
  );

  test('only a chunk without choices and with usage is there for that alone', () => {
    expect(isUsageOnly?.({ choices: [], usage: { prompt_tokens: 1 } })).toBe(true);
    for (const other of [
      { choices: [], prompt_filter_results: [] },
      { choices: [{}], usage: {} },
      { usage: {} },
      { choices: [], usage: null },
      '[DONE]',
      null,
    ])
      expect(isUsageOnly?.(other)).toBe(false);
  });
});
