import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { bodyFrom } from '../../egress/http/interceptor.ts';
import { fieldValue } from '../../egress/http/message.ts';
import type { Refused } from '../../egress/types.ts';
import { modelGateway } from './model-gateway.ts';
import {
  answerOf,
  type Asked,
  anthropic,
  exchange,
  gatewayOf,
  key,
  openai,
  requestOf,
  ruleOf,
  said,
  settingsOf,
  textOf,
} from './testing/gateway.ts';

const form = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.env"\r\n\r\nTOKEN=${key}\r\n--x--\r\n`;
const upload: Asked = {
  target: '/v1/files',
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: form,
};
const usage = JSON.stringify({
  type: 'message',
  model: 'claude-sonnet-4-5',
  content: [],
  usage: { input_tokens: 5, output_tokens: 7 },
});

describe('content for a model', () => {
  test('goes on byte for byte where nothing is found', async () => {
    const body = ` ${said('hello')}\n`;
    expect((await exchange(gatewayOf(), { body, headers: { digest: 'x' } })).sent).toMatchObject([
      { body, request: { fields: [{ key: 'digest' }] } },
    ]);
  });

  test('holds a fake for a key, and loses the digest of the original', async () => {
    const { sent } = await exchange(gatewayOf(), {
      body: said(`it is ${key}.`),
      headers: { 'content-digest': 'x', 'content-length': '1' },
    });
    expect(sent[0]?.body).toMatch(/it is ghp_[A-Za-z0-9]{36}\./u);
    expect(sent[0]?.body).not.toContain(key);
    expect(sent[0]?.request.fields.map(({ key: name, value }) => [name, value])).toEqual([
      ['content-length', String(Buffer.byteLength(sent[0]?.body ?? ''))],
    ]);
  });

  test('in a definition of a tool is looked for where a policy asks for it', async () => {
    const body = JSON.stringify({ model: 'm', messages: [], tools: [{ name: 'run', description: `with ${key}` }] });
    expect((await exchange(gatewayOf(), { body })).sent[0]?.body).toBe(body);
    expect(
      (await exchange(gatewayOf(settingsOf({ lookInto: ['tool-definitions'] })), { body })).sent[0]?.body,
    ).not.toContain(key);
  });

  test('is found where it is compressed, and goes on without that', async () => {
    const { sent } = await exchange(gatewayOf(), {
      body: gzipSync(said(key)),
      headers: { 'content-encoding': 'gzip' },
    });
    expect(sent[0]?.body).toContain('"messages"');
    expect(sent[0]?.body).not.toContain(key);
    expect(sent[0]?.request.fields).toEqual([]);
  });

  test.each([
    ['a coding that nobody knows', { headers: { 'content-encoding': 'lzma' }, body: said('x') }, 415],
    [
      'a compressed text that breaks off',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync(said('x')).subarray(0, 20) },
      400,
    ],
    ['not JSON', { body: `model=${key}` }, 400],
    ['a bomb', { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(65 * 2 ** 20)) }, 413],
    ['a length that is too much', { body: bodyFrom((async function* () {})(), { length: 65 * 2 ** 20 }) }, 413],
  ])('is refused as %s', async (_what, asked: Asked, status) => {
    const gateway = gatewayOf();
    const { answer, sent } = await exchange(gateway, asked);
    expect([answer.kind === 'response' && answer.status, sent]).toEqual([status, []]);
    expect(gateway.events).toMatchObject([{ type: 'model', refusal: { code: 'unreadable' }, usd: 0 }]);
  });

  test('is read up to the limit of a bomb, and its sender is stopped', async () => {
    const left = vi.fn();
    const body = bodyFrom(
      (async function* () {
        try {
          for (;;) yield Buffer.alloc(2 ** 20);
        } finally {
          left();
        }
      })(),
    );
    expect((await exchange(gatewayOf(), { body })).answer).toMatchObject({ status: 413 });
    expect(left).toHaveBeenCalledTimes(1);
  });

  test('while no policy can be read, nothing goes on', async () => {
    const { answer, sent } = await exchange(
      gatewayOf(() => undefined),
      { body: said('hello') },
    );
    expect([answer.kind, sent]).toEqual(['refused', []]);
  });
});

describe('an upload to a server of models', () => {
  test.each(['block', 'redact', 'tokenize'] as const)('is refused by a rule that says %s', async (decision) => {
    const gateway = gatewayOf(settingsOf({ dlp: [ruleOf({ decision })] }));
    const { answer, sent } = await exchange(gateway, upload);
    expect([answer.kind === 'response' && answer.status, sent]).toEqual([403, []]);
    expect(gateway.events[0]).toMatchObject({ type: 'dlp', decision: 'block', found: { 'github-token': 1 } });
  });

  test('goes on where a rule only tells', async () => {
    const gateway = gatewayOf(settingsOf({ dlp: [ruleOf({ decision: 'audit' })] }));
    expect((await exchange(gateway, upload)).sent).toMatchObject([{ body: form }]);
    expect(gateway.events[0]).toMatchObject({ type: 'dlp', decision: 'audit' });
  });

  test('without secrets goes on', async () => {
    const body = Buffer.from('--x\r\n\xff\xfe plain\r\n--x--', 'latin1');
    expect((await exchange(gatewayOf(), { ...upload, body })).sent).toHaveLength(1);
  });

  test('with a fake of ours goes on', async () => {
    const gateway = gatewayOf();
    const body = form.replace(key, gateway.fakes.fakeFor('github-token', key) ?? '');
    expect((await exchange(gateway, { ...upload, body })).sent).toMatchObject([{ body }]);
  });
});

describe('counted use', () => {
  const few = settingsOf({
    dlp: [ruleOf()],
    budgets: [{ name: 'few', limit: { kind: 'requests', most: 1 }, over: 'session', providers: [], models: [] }],
  });

  test('excludes requests stopped here', async () => {
    const gateway = gatewayOf(few);
    for (let turn = 0; turn < 3; turn += 1) expect((await exchange(gateway, { body: said(key) })).sent).toEqual([]);
    expect((await exchange(gateway, { body: said('x') })).sent).toHaveLength(1);
    expect((await exchange(gateway, { body: said('x') })).sent).toEqual([]);
  });

  test('of a rate excludes requests stopped here', async () => {
    const gateway = gatewayOf(settingsOf({ dlp: [ruleOf()], rates: [{ providers: [], requestsPerMinute: 1 }] }));
    await exchange(gateway, { body: said(key) });
    expect((await exchange(gateway, { body: said('x') })).sent).toHaveLength(1);
    const { answer } = await exchange(gateway, { body: said('x') });
    expect(answer.kind === 'response' && [answer.status, Number(fieldValue(answer.fields, 'retry-after')) > 0]).toEqual(
      [429, true],
    );
  });

  const tokens = settingsOf({
    budgets: [{ name: 'tokens', limit: { kind: 'tokens', most: 20 }, over: 'session', providers: [], models: [] }],
  });

  test('is the usage of the answer', async () => {
    const gateway = gatewayOf(tokens);
    const kinds = [];
    for (let turn = 0; turn < 3; turn += 1)
      kinds.push((await exchange(gateway, { body: said('x') }, { text: () => usage })).sent.length);
    expect(kinds).toEqual([1, 1, 0]);
    expect(gateway.events[0]).toMatchObject({
      tokens: { uncachedInput: 5, output: 7 },
      completeness: 'complete',
      status: 200,
    });
  });

  test.each(['before it reads', 'while it reads'])('is a call whose client leaves %s, once', async (when) => {
    const gateway = gatewayOf();
    const gone = new AbortController();
    const send = modelGateway(gateway)(
      async (request) => {
        await textOf(request.body);
        return answerOf({ text: () => usage });
      },
      { destination: anthropic, scheme: 'https' },
    );
    const answer = await send(requestOf({ body: said('x'), signal: gone.signal }));
    if (when === 'before it reads') gone.abort('gone');
    else for await (const _ of answer.kind === 'response' ? (answer.body ?? []) : []) break;
    gone.abort('gone');
    expect(gateway.events).toMatchObject([{ type: 'model', status: 200 }]);
  });

  test('is a call whose client left before the answer began: as much as the dearest', async () => {
    const gateway = gatewayOf(tokens);
    await exchange(gateway, { body: said('x') }, { text: () => usage });
    const refusal: Refused = { kind: 'refused', refusal: { code: 'upstream-protocol', message: 'gone', remedy: '' } };
    await exchange(gateway, { body: said('x'), signal: AbortSignal.abort('gone') }, refusal);
    expect((await exchange(gateway, { body: said('x') })).sent).toEqual([]);
  });

  test('is a call that is too much by its length alone: it does not leave', async () => {
    const gateway = gatewayOf(tokens);
    expect((await exchange(gateway, { body: said('x'.repeat(200)) })).sent).toEqual([]);
    expect(gateway.events.at(-1)).toMatchObject({
      refusal: { code: 'budget-spent', message: expect.stringContaining('costs at least 25 tokens') },
    });
  });

  test('without reported usage is the input, and unsent calls hold nothing back', async () => {
    const gateway = gatewayOf(tokens);
    const long = said('x'.repeat(100));
    for (let turn = 0; turn < 3; turn += 1)
      await exchange(
        gateway,
        { body: long },
        { kind: 'refused', refusal: { code: 'upstream-protocol', message: 'broke', remedy: '' } },
      );
    expect((await exchange(gateway, { body: long }, { text: () => '{}' })).sent).toHaveLength(1);
    expect((await exchange(gateway, { body: said('x') })).sent).toEqual([]);
  });

  test('excludes unsent calls, and the journal has the reason', async () => {
    const gateway = gatewayOf(tokens);
    await exchange(gateway, { body: said('x') }, { text: () => usage });
    await exchange(
      gateway,
      { body: said('x') },
      { kind: 'refused', refusal: { code: 'upstream-protocol', message: 'broke', remedy: '' } },
    );
    expect(gateway.events.at(-1)).toMatchObject({
      status: 0,
      refusal: { code: 'upstream-protocol', message: 'broke' },
    });
    expect((await exchange(gateway, { body: said('x') })).sent).toHaveLength(1);
  });

  test.each([
    ['a response in the background', '/v1/responses', '"background":true'],
    ['one that says so twice', '/v1/responses', '"background":false,"background":1'],
    ['a completion that is asked for later', '/v1/chat/completions', '"deferred":true'],
  ])('refuses %s, which no answer counts', async (_what, target, member) => {
    const asked: Asked = { to: openai, target, body: `{"model":"gpt-5",${member},"input":"x"}` };
    const refused = await exchange(gatewayOf(tokens), asked);
    expect([refused.sent, refused.text]).toEqual([[], expect.stringContaining('deferred')]);
    expect((await exchange(gatewayOf(), asked)).sent).toHaveLength(1);
    expect(
      (
        await exchange(gatewayOf(tokens), {
          ...asked,
          body: '{"background":false,"deferred":null,"input":"background"}',
        })
      ).sent,
    ).toHaveLength(1);
  });

  test('includes an unreadable answer', async () => {
    const gateway = gatewayOf(
      settingsOf({
        budgets: [{ name: 'few', limit: { kind: 'tokens', most: 4 }, over: 'session', providers: [], models: [] }],
      }),
    );
    const { answer, text } = await exchange(
      gateway,
      { body: said('long enough to be spent') },
      { headers: { 'content-encoding': 'lzma' }, text: () => usage },
    );
    expect([answer, JSON.parse(text)]).toMatchObject([
      { kind: 'response', status: 403 },
      { type: 'error', error: { message: expect.stringMatching(/^Holdfast: .*lzma/u) } },
    ]);
    expect(
      answer.kind === 'response' &&
        ['holdfast-refusal', 'x-should-retry'].map((name) => fieldValue(answer.fields, name)),
    ).toEqual(['unreadable', 'false']);
    expect(gateway.events).toMatchObject([
      { type: 'model', completeness: 'partial', status: 200, usd: null },
      { type: 'model', refusal: { code: 'unreadable' }, usd: 0 },
    ]);
    expect(gateway.events[0]).not.toHaveProperty('refusal');
    expect((await exchange(gateway, { body: said('x') })).text).toContain('spent');
  });
});

describe('an entry of the journal', () => {
  test.each([
    ['model', { body: JSON.stringify({ model: key, messages: [] }) }, {}],
    ['agent', { body: said('x'), headers: { 'user-agent': `${key}/1.0` } }, {}],
    [
      'arguments',
      { body: said('x') },
      {
        text: () =>
          JSON.stringify({
            type: 'message',
            content: [{ type: 'tool_use', id: 'a', name: key, input: { token: key } }],
            usage: {},
          }),
      },
    ],
    ['path', { target: `/v1/files/${key}`, body: JSON.stringify({ a: key }) }, {}],
  ])('is not a key in the place of %s', async (_place, asked: Asked, answering) => {
    const gateway = gatewayOf(settingsOf({ dlp: [ruleOf({ decision: 'audit' })] }));
    await exchange(gateway, asked, answering);
    expect(gateway.events.length).toBeGreaterThan(0);
    expect(JSON.stringify(gateway.events)).not.toContain(key);
    expect(JSON.stringify(gateway.events)).toContain('[hidden]');
  });

  test('is no control character and no half of a pair', async () => {
    const gateway = gatewayOf();
    await exchange(gateway, { body: '{"model":"\\u001b[2J\\ud800\\u202e","messages":[]}' });
    expect(gateway.events).toMatchObject([{ model: expect.stringMatching(/^[\x20-\x7e]+$/u) }]);
  });

  test('has no negative duration when the clock goes back', async () => {
    let time = 1_750_000_000_000;
    const gateway = gatewayOf(settingsOf(), { now: () => (time -= 1000) });
    await exchange(gateway, { body: said('x') });
    expect(gateway.events).toMatchObject([{ duration: 0 }]);
  });
});

describe('a stream', () => {
  const stream = JSON.stringify({
    model: 'gpt-5',
    stream: true,
    stream_options: { include_usage: false },
    messages: [{ role: 'user', content: 'x' }],
  });
  const chat: Asked = { to: openai, target: '/v1/chat/completions', body: stream };

  test.each([
    ['false', '"stream_options":{"include_usage":false}'],
    ['null', '"stream_options":null'],
    ['not said', '"stream_options":{}'],
  ])('is asked for usage where the client says %s', async (_what, said) => {
    const { sent } = await exchange(gatewayOf(), {
      ...chat,
      body: stream.replace('"stream_options":{"include_usage":false}', said),
    });
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ stream_options: { include_usage: true } });
  });

  test('tells its usage to the journal, and not to a client that asked for none', async () => {
    const gateway = gatewayOf();
    const events = [
      { choices: [{ index: 0, delta: { content: 'hi' } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } },
    ];
    const { text } = await exchange(gateway, chat, {
      type: 'text/event-stream',
      text: () => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + 'data: [DONE]\n\n',
    });
    expect(text).toContain('hi');
    expect(text).not.toContain('prompt_tokens');
    expect(gateway.events).toMatchObject([{ tokens: { uncachedInput: 3, output: 4 } }]);
  });

  test('has no digest of the original', async () => {
    const { answer } = await exchange(
      gatewayOf(),
      { body: said('x') },
      { headers: { 'content-digest': 'x', 'content-length': '2', etag: 'e' }, text: () => usage },
    );
    expect(answer.kind === 'response' && answer.fields.map(({ key: name }) => name)).toEqual(['content-type', 'etag']);
  });
});

test('a word of ten million letters comes, in parts', async () => {
  const deltas = ['one ', 'x'.repeat(1e7)]
    .map(
      (text) =>
        `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}\n\n`,
    )
    .join('');
  const { text } = await exchange(
    gatewayOf(),
    { body: said('hello') },
    { type: 'text/event-stream', text: () => deltas },
  );
  expect(
    [...text.matchAll(/"text":"([^"]*)"/gu)]
      .map(([, words = '']) => words.replaceAll('\\n', '').length)
      .reduce((sum, length) => sum + length, 0),
  ).toBe(1e7 + 4);
});
