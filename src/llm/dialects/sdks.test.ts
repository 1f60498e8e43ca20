import Anthropic from '@anthropic-ai/sdk';
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { EventStreamCodec } from '@smithy/core/event-streams';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { anthropicError, anthropicExchanges } from '../../../test/fixtures/llm/anthropic.ts';
import { bedrockError, bedrockExchanges } from '../../../test/fixtures/llm/bedrock.ts';
import type { Exchange } from '../../../test/fixtures/llm/exchange.ts';
import { geminiError, geminiExchanges } from '../../../test/fixtures/llm/gemini.ts';
import { openaiChatExchanges, openaiError } from '../../../test/fixtures/llm/openai-chat.ts';
import { openaiResponsesExchanges } from '../../../test/fixtures/llm/openai-responses.ts';
import type { DialectName, ModelRefusalAnswer } from '../types.ts';
import { dialects } from './dialects.ts';
import { startTinyServer } from './testing/tiny-server.ts';
import type { TinyAnswer } from './testing/tiny-server.ts';

const json = (body: unknown, more: Partial<TinyAnswer> = {}): TinyAnswer => ({
  headers: { 'content-type': 'application/json' },
  chunks: [JSON.stringify(body)],
  ...more,
});
const sse = (chunks: readonly string[]): TinyAnswer => ({ headers: { 'content-type': 'text/event-stream' }, chunks });
const message = "Holdfast: the day's budget is spent. Ask a person to raise it.";

const asAnthropic = (baseURL: string) => new Anthropic({ baseURL, apiKey: 'x', maxRetries: 2 });
const asOpenai = (baseURL: string) => new OpenAI({ baseURL: `${baseURL}/v1`, apiKey: 'x', maxRetries: 2 });
const asGoogle = (baseUrl: string) =>
  new GoogleGenAI({ apiKey: 'x', httpOptions: { baseUrl, retryOptions: { attempts: 3, initialDelay: 0.01 } } });
const asAws = (endpoint: string) =>
  new BedrockRuntimeClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'y' },
    maxAttempts: 3,
  });
const byName = (list: readonly Exchange[]) => list.map((exchange) => [exchange.name, exchange] as const);

describe.each(byName(anthropicExchanges))('@anthropic-ai/sdk: %s', (_name, { request, answer, stream }) => {
  test('whole', async () => {
    await using server = await startTinyServer(json(answer));
    expect(
      await asAnthropic(server.url).messages.create({
        ...(request as Anthropic.MessageCreateParamsNonStreaming),
        stream: false,
      }),
    ).toMatchObject(answer as object);
  });

  test('streamed', async () => {
    await using server = await startTinyServer(sse(stream));
    const final = await asAnthropic(server.url)
      .messages.stream(request as Anthropic.MessageCreateParamsStreaming)
      .finalMessage();
    const { content, stop_reason } = answer as Anthropic.Message;
    expect(final.stop_reason).toBe(stop_reason);
    expect(final.content).toMatchObject(content);
  });
});

describe.each(byName(openaiChatExchanges))('openai: %s', (_name, { request, answer, stream }) => {
  test('whole', async () => {
    await using server = await startTinyServer(json(answer));
    expect(
      await asOpenai(server.url).chat.completions.create({
        ...(request as OpenAI.ChatCompletionCreateParamsNonStreaming),
        stream: false,
      }),
    ).toMatchObject(answer as object);
  });

  test('streamed', async () => {
    await using server = await startTinyServer(sse(stream));
    const final = await asOpenai(server.url)
      .chat.completions.stream(request as OpenAI.ChatCompletionCreateParamsStreaming)
      .finalChatCompletion();
    const { choices } = answer as OpenAI.ChatCompletion;
    expect(final.choices[0]?.message.tool_calls ?? []).toMatchObject(choices[0]?.message.tool_calls ?? []);
    expect(final.choices[0]?.message.content ?? null).toBe(choices[0]?.message.content);
  });
});

describe.each(byName(openaiResponsesExchanges))('openai: %s', (_name, { request, answer, stream }) => {
  test('whole', async () => {
    await using server = await startTinyServer(json(answer));
    expect(
      await asOpenai(server.url).responses.create({
        ...(request as OpenAI.Responses.ResponseCreateParamsNonStreaming),
        stream: false,
      }),
    ).toMatchObject(answer as object);
  });

  test('streamed', async () => {
    await using server = await startTinyServer(sse(stream));
    const events: OpenAI.Responses.ResponseStreamEvent[] = [];
    for await (const event of await asOpenai(server.url).responses.create({
      ...(request as OpenAI.Responses.ResponseCreateParamsStreaming),
      stream: true,
    }))
      events.push(event);
    expect(events).toHaveLength(stream.length);
  });

  test('streamed, and put together again', async () => {
    // What puts it together throws at an event that it does not know.
    await using server = await startTinyServer(sse(stream.filter((raw) => !raw.includes('moon_phase'))));
    const streamed = asOpenai(server.url).responses.stream(request as OpenAI.Responses.ResponseCreateParamsStreaming);
    expect((await streamed.finalResponse()).output).toMatchObject((answer as OpenAI.Responses.Response).output);
  });
});

describe.each(byName(geminiExchanges))('@google/genai: %s', (_name, { request, answer, stream, text }) => {
  const { contents } = request as { contents: [] };

  test('whole', async () => {
    await using server = await startTinyServer(json(answer));
    const whole = await asGoogle(server.url).models.generateContent({ model: 'gemini-3-pro', contents });
    expect(whole.text ?? '').toBe(text);
    expect(whole.usageMetadata).toMatchObject((answer as { usageMetadata: object }).usageMetadata);
  });

  test('streamed', async () => {
    await using server = await startTinyServer(sse(stream));
    const texts: string[] = [];
    for await (const chunk of await asGoogle(server.url).models.generateContentStream({
      model: 'gemini-3-pro',
      contents,
    }))
      texts.push(chunk.text ?? '');
    expect(texts.join('')).toBe(text);
  });
});

describe('@aws-sdk/client-bedrock-runtime', () => {
  const [converse, invoke] = bedrockExchanges as unknown as [Exchange, Exchange];
  const modelId = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
  const codec = new EventStreamCodec(
    (bytes) => Buffer.from(bytes).toString(),
    (text) => Buffer.from(text),
  );
  const frames = ({ stream }: Exchange, payload: (data: unknown) => unknown): TinyAnswer => ({
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    chunks: stream
      .map((raw) => JSON.parse(raw) as { name: string; data: unknown })
      .map(({ name, data }) =>
        codec.encode({
          headers: {
            ':event-type': { type: 'string', value: name },
            ':content-type': { type: 'string', value: 'application/json' },
            ':message-type': { type: 'string', value: 'event' },
          },
          body: Buffer.from(JSON.stringify(payload(data))),
        }),
      ),
  });

  test('Converse, whole', async () => {
    await using server = await startTinyServer(json(converse.answer), 'h2');
    const client = asAws(server.url);
    const { output, usage } = await client.send(
      new ConverseCommand({ modelId, messages: [{ role: 'user', content: [{ text: 'Hello' }] }] }),
    );
    client.destroy();
    expect(output).toMatchObject((converse.answer as { output: object }).output);
    expect(usage).toMatchObject((converse.answer as { usage: object }).usage);
  });

  test('Converse, streamed', async () => {
    await using server = await startTinyServer(
      frames(converse, (data) => data),
      'h2',
    );
    const client = asAws(server.url);
    const { stream = [] } = await client.send(
      new ConverseStreamCommand({ modelId, messages: [{ role: 'user', content: [{ text: 'Hello' }] }] }),
    );
    const texts: string[] = [];
    for await (const event of stream) texts.push(event.contentBlockDelta?.delta?.text ?? '');
    client.destroy();
    expect(texts.join('')).toBe(converse.text);
  });

  test('InvokeModel, streamed', async () => {
    await using server = await startTinyServer(
      frames(invoke, (data) => ({ bytes: Buffer.from(JSON.stringify(data)).toString('base64'), p: 'abc' })),
      'h2',
    );
    const client = asAws(server.url);
    const { body = [] } = await client.send(
      new InvokeModelWithResponseStreamCommand({ modelId, body: JSON.stringify(invoke.request) }),
    );
    const events: unknown[] = [];
    for await (const event of body) events.push(JSON.parse(Buffer.from(event.chunk?.bytes ?? []).toString()));
    client.destroy();
    expect(events).toEqual(invoke.stream.map((raw) => (JSON.parse(raw) as { data: unknown }).data));
  });
});

const callers: readonly (readonly [
  name: string,
  dialect: DialectName,
  protocol: 'http' | 'h2',
  call: (url: string) => Promise<unknown>,
])[] = [
  [
    '@anthropic-ai/sdk',
    'anthropic-messages',
    'http',
    (url) => asAnthropic(url).messages.create({ model: 'm', max_tokens: 1, messages: [] }),
  ],
  [
    '@anthropic-ai/sdk, streamed',
    'anthropic-messages',
    'http',
    (url) => asAnthropic(url).messages.stream({ model: 'm', max_tokens: 1, messages: [] }).finalMessage(),
  ],
  ['openai chat', 'openai-chat', 'http', (url) => asOpenai(url).chat.completions.create({ model: 'm', messages: [] })],
  [
    'openai chat, streamed',
    'openai-chat',
    'http',
    (url) => asOpenai(url).chat.completions.create({ model: 'm', messages: [], stream: true }),
  ],
  ['openai responses', 'openai-responses', 'http', (url) => asOpenai(url).responses.create({ model: 'm', input: 'x' })],
  [
    'openai responses, streamed',
    'openai-responses',
    'http',
    (url) => asOpenai(url).responses.create({ model: 'm', input: 'x', stream: true }),
  ],
  ['@google/genai', 'gemini', 'http', (url) => asGoogle(url).models.generateContent({ model: 'm', contents: 'x' })],
  [
    '@google/genai, streamed',
    'gemini',
    'http',
    (url) => asGoogle(url).models.generateContentStream({ model: 'm', contents: 'x' }),
  ],
  ['@aws-sdk converse', 'bedrock-converse', 'h2', (url) => callAws(url)],
  ['@aws-sdk invoke', 'bedrock-invoke', 'h2', (url) => callAws(url)],
];

async function callAws(url: string): Promise<unknown> {
  const client = asAws(url);
  try {
    return await client.send(
      new ConverseStreamCommand({ modelId: 'm', messages: [{ role: 'user', content: [{ text: 'Hello' }] }] }),
    );
  } finally {
    client.destroy();
  }
}

describe.each(callers.map(([name, ...rest]) => [name, rest] as const))('%s', (_name, [dialect, protocol, call]) => {
  // Of these, all but 400 and 403 are what an SDK would try again.
  test.each([400, 403, 408, 409, 500, 503])(
    'a refusal of %i shows its message, and is not tried again',
    async (status) => {
      const refusal: ModelRefusalAnswer = dialects[dialect].refusal({ status, message });
      await using server = await startTinyServer(json(refusal.body, refusal), protocol);
      const error = await call(server.url).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toContain(message);
      expect(server.requests).toHaveLength(1);
    },
  );
});

const errors: readonly (readonly [
  sdk: string,
  error: { readonly status: number; readonly body: unknown },
  asked: readonly [call: (url: string) => Promise<unknown>, says: string],
])[] = [
  [
    '@anthropic-ai/sdk',
    anthropicError,
    [
      (url: string) =>
        new Anthropic({ baseURL: url, apiKey: 'x', maxRetries: 0 }).messages.create({
          model: 'm',
          max_tokens: 1,
          messages: [],
        }),
      'Overloaded',
    ],
  ],
  [
    'openai',
    openaiError,
    [(url: string) => asOpenai(url).chat.completions.create({ model: 'm', messages: [] }), 'Unknown model'],
  ],
  [
    '@google/genai',
    geminiError,
    [(url: string) => asGoogle(url).models.generateContent({ model: 'm', contents: 'x' }), 'API key not valid.'],
  ],
];

test.each(errors)(
  "%s reads the provider's own error of the fixtures",
  async (_name, { status, body }, [call, says]) => {
    await using server = await startTinyServer(json(body, { status }));
    await expect(call(server.url)).rejects.toThrow(says);
  },
);

test("@aws-sdk reads the provider's own error of the fixtures", async () => {
  const { status, headers, body } = bedrockError;
  await using server = await startTinyServer({ ...json(body, { status }), headers }, 'h2');
  await expect(callAws(server.url)).rejects.toMatchObject({ name: 'ValidationException', message: body.message });
});

test('a refusal within a stream that has begun', async () => {
  const refusal = dialects['anthropic-messages'].refusalEvent?.({ status: 403, message });
  const [begin = ''] = anthropicExchanges[0]?.stream ?? [];
  await using server = await startTinyServer(sse([begin, `event: error\ndata: ${JSON.stringify(refusal)}\n\n`]));
  await expect(
    asAnthropic(server.url).messages.stream({ model: 'm', max_tokens: 1, messages: [] }).finalMessage(),
  ).rejects.toThrow(message);
  const openaiRefusal = dialects['openai-responses'].refusalEvent?.({ status: 403, message });
  await using other = await startTinyServer(sse([`event: error\ndata: ${JSON.stringify(openaiRefusal)}\n\n`]));
  const events = (async () => {
    for await (const _event of await asOpenai(other.url).responses.create({ model: 'm', input: 'x', stream: true }));
  })();
  await expect(events).rejects.toThrow(message);
});
