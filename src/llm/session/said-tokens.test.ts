import { describe, expect, test } from 'vitest';
import { type Asked, exchange, gatewayOf, openai, said, settingsOf } from './testing/gateway.ts';

const limited = (kind: 'tokens' | 'usd', most: number) =>
  settingsOf({ budgets: [{ name: 'b', limit: { kind, most }, over: 'session', providers: [], models: [] }] });
const sse = (events: readonly object[]) => ({
  type: 'text/event-stream',
  text: () => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
});
const words = 'word '.repeat(800);

/** All that a model says, and nothing of what it came to. */
const anthropicEvents = [
  {
    type: 'message_start',
    message: { model: 'claude-sonnet-4-5', content: [], usage: { input_tokens: 10, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: words } },
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'run', input: {} } },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: words } },
];
const chatEvents = [
  { model: 'gpt-5', choices: [{ index: 0, delta: { content: words } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
];
const responsesEvents = [
  { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: words },
  { type: 'response.output_text.done', output_index: 0, content_index: 0, text: words },
  { type: 'response.content_part.done', output_index: 0, content_index: 0, part: { type: 'output_text', text: words } },
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: { type: 'message', content: [{ type: 'output_text', text: words }] },
  },
];
const asking = (target: string): Asked => ({
  to: openai,
  target,
  body: '{"model":"gpt-5","stream":true,"messages":[{"role":"user","content":"x"}],"input":"x"}',
});

describe('an answer that ends before its usage', () => {
  test.each([
    ['Anthropic', { asked: { body: said('x') }, events: anthropicEvents, tokens: 2000 }],
    ['Chat Completions', { asked: asking('/v1/chat/completions'), events: chatEvents, tokens: 1000 }],
    ['Responses', { asked: asking('/v1/responses'), events: responsesEvents, tokens: 1000 }],
  ])('of %s counts its text, once', async (_name, { asked, events, tokens }) => {
    const least = limited('tokens', tokens);
    const one = gatewayOf(least);
    await exchange(one, asked, sse(events));
    expect((await exchange(one, asked)).text).toMatch(/is spent/u);
    const other = gatewayOf(limited('tokens', tokens + 100));
    await exchange(other, asked, sse(events));
    expect((await exchange(other, asked)).sent).toHaveLength(1);
  });

  test('is journalled with its text if it gave some usage, and costs as much', async () => {
    const gateway = gatewayOf(limited('usd', 0.03));
    await exchange(gateway, { body: said('x') }, sse(anthropicEvents));
    expect(gateway.events).toMatchObject([
      { completeness: 'partial', tokens: { uncachedInput: 10, output: 2000 }, usd: expect.closeTo(0.03, 3) },
    ]);
    expect((await exchange(gateway, { body: said('x') })).text).toMatch(/is spent/u);
  });

  test('costs its text without usage', async () => {
    const gateway = gatewayOf(limited('usd', 0.01));
    await exchange(gateway, asking('/v1/chat/completions'), sse(chatEvents));
    expect((await exchange(gateway, asking('/v1/chat/completions'))).text).toMatch(/is spent/u);
  });
});

test('a complete answer counts its own usage', async () => {
  const gateway = gatewayOf();
  await exchange(
    gateway,
    { body: said('x') },
    sse([
      ...anthropicEvents,
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ]),
  );
  expect(gateway.events).toMatchObject([{ completeness: 'complete', tokens: { output: 7 } }]);
});
