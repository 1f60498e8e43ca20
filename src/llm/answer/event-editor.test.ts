import { EventStreamCodec } from '@smithy/core/event-streams';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { dialects } from '../dialects/dialects.ts';
import type { DialectName, StreamFraming } from '../types.ts';
import { type AnswerOptions, createAnswerEditor } from './event-editor.ts';
import type { OpenStage, TextStage } from './channels.ts';

/** Holds the last two letters back, and makes capitals. */
function lagging(): TextStage {
  let held = '';
  return {
    push(text) {
      const all = held + text.toUpperCase();
      held = all.slice(-2);
      return all.slice(0, -2);
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

const open: OpenStage = ({ kind }) => (kind === 'thinking' ? undefined : lagging());

function edit(
  name: DialectName,
  framing: Exclude<StreamFraming, 'websocket'>,
  given: readonly (string | Buffer)[] | (Partial<AnswerOptions> & { readonly chunks: readonly (string | Buffer)[] }),
): string {
  const { chunks, ...more } = 'chunks' in given ? given : { chunks: given };
  const dialect = dialects[name];
  const editor = createAnswerEditor({ dialect, framing, meter: dialect.openMeter(), open, usageOnly: 'keep', ...more });
  return Buffer.concat([...chunks.map((chunk) => editor.push(Buffer.from(chunk))), editor.end()]).toString();
}

function sse(...events: readonly unknown[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
}

/** What a client of chat completions puts together. */
function heard(stream: string): string {
  return stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)).choices?.[0]?.delta?.content ?? '')
    .join('');
}

const piece = (content: string) => ({ id: 'a', choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const finish = { id: 'a', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

describe('a stream', () => {
  test.each([
    ['ends as it should', [piece('hello '), piece('there'), finish, '[DONE]']],
    ['has no finish', [piece('hello '), piece('there'), '[DONE]']],
    ['has no ends at all', [piece('hello '), piece('there')]],
    [
      'has one piece, with its end',
      [{ choices: [{ index: 0, delta: { content: 'hello there' }, finish_reason: 'stop' }] }, '[DONE]'],
    ],
    [
      'has an end without a text beside it',
      [piece('hello there'), { choices: [{ index: 0, delta: { content: null }, finish_reason: 'stop' }] }],
    ],
  ])('that %s says all of its text', (_what, events) => {
    expect(heard(edit('openai-chat', 'sse', [sse(...events)]))).toBe('HELLO THERE');
  });

  test('says the same however it is cut', () => {
    const whole = sse(piece('hello '), piece('thère'), finish, '[DONE]');
    const bytes = Buffer.from(whole);
    const expected = edit('openai-chat', 'sse', [whole]);
    for (let at = 1; at < bytes.length; at += 1)
      expect(edit('openai-chat', 'sse', [bytes.subarray(0, at), bytes.subarray(at)])).toBe(expected);
  });

  test('gives held-back text ahead of an incomplete event', () => {
    const out = edit('openai-chat', 'sse', [`${sse(piece('hello'))}data: {"cut`]);
    expect(heard(out.slice(0, -'data: {"cut'.length))).toBe('HELLO');
    expect(out.endsWith('data: {"cut')).toBe(true);
  });

  test.each([
    ['', ''],
    ['\n', ''],
    ['\r\n', ''],
  ])('of lines gives held-back text behind its last line, which ends with %j', (ending) => {
    const line = JSON.stringify({ model: 'm', message: { role: 'assistant', content: 'hello' }, done: false });
    const lines = edit('ollama-chat', 'json-lines', [line + ending])
      .split(/\r?\n/u)
      .filter(Boolean);
    expect(lines.map((each) => JSON.parse(each).message.content).join('')).toBe('HELLO');
  });

  test('that says nothing stays as it is', () => {
    const bare = ': hello\n\nevent: ping\ndata: {}\n\nid: 3\n\n';
    expect(edit('openai-chat', 'sse', [bare])).toBe(bare);
    expect(edit('openai-chat', 'sse', [])).toBe('');
  });

  test('keeps two choices apart', () => {
    const of = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] });
    const out = edit('openai-chat', 'sse', [
      sse(of(0, 'one'), of(1, 'two'), { choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] }, '[DONE]'),
    ]);
    const events = out
      .split('\n\n')
      .filter((event) => event.startsWith('data: {'))
      .map((event) => JSON.parse(event.slice(6)).choices[0]);
    expect(
      [0, 1].map((wanted) =>
        events
          .filter(({ index }) => index === wanted)
          .map(({ delta }) => delta.content ?? '')
          .join(''),
      ),
    ).toEqual(['ONE', 'TWO']);
  });

  test('with a channel for every event holds no more than a thousand', () => {
    let opened = 0;
    const events = Array.from({ length: 3000 }, (_, index) => ({ choices: [{ index, delta: { content: 'abc' } }] }));
    edit('openai-chat', 'sse', {
      chunks: [sse(...events)],
      open: () => {
        opened += 1;
        return lagging();
      },
    });
    expect(opened).toBe(1000);
  });

  test('drops unrequested usage events, and nothing else', () => {
    const told = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } };
    expect(edit('openai-chat', 'sse', { chunks: [sse(told)], usageOnly: 'drop' })).toBe('');
    expect(edit('openai-chat', 'sse', [sse(told)])).toBe(sse(told));
  });

  test('reports unread parts', () => {
    const unread: string[] = [];
    edit('openai-chat', 'sse', {
      chunks: [Buffer.from('data: "\xff"\n\n', 'latin1'), 'data: x'],
      onUnread: (why) => void unread.push(why),
    });
    expect(unread).toEqual(['not-utf8', 'unfinished']);
  });

  test.each([
    'null',
    '[]',
    '3',
    '"a"',
    '{"choices":{}}',
    '{"choices":[null]}',
    '{"choices":[{"delta":{"content":[]}}]}',
    '{"__proto__":1}',
    '{',
  ])('of %s passes unchanged', (data) => {
    expect(edit('openai-chat', 'sse', [`data: ${data}\n\n`])).toBe(`data: ${data}\n\n`);
  });
});

describe('an event stream', () => {
  const codec = new EventStreamCodec(
    (octets) => Buffer.from(octets as Uint8Array).toString(),
    (text) => Buffer.from(text),
  );
  const message = (type: string, body: unknown, kind: 'event' | 'exception' = 'event'): Buffer => {
    const headers = { [`:${kind}-type`]: type, ':content-type': 'application/json', ':message-type': kind };
    return Buffer.from(
      codec.encode({
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { type: 'string', value }])),
        body: Buffer.from(JSON.stringify(body)),
      }),
    );
  };
  const said = (text: string): Buffer => message('contentBlockDelta', { contentBlockIndex: 0, delta: { text } });
  const chunk = (text: string): Buffer =>
    message('chunk', {
      bytes: Buffer.from(
        JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
      ).toString('base64'),
      p: 'abc',
    });

  /** Names and payloads as AWS reads them, as far as it does. */
  function read(name: DialectName, ...given: readonly Buffer[]): readonly (readonly [string, unknown])[] {
    const dialect = dialects[name];
    const editor = createAnswerEditor({
      dialect,
      framing: 'event-stream',
      meter: dialect.openMeter(),
      open,
      usageOnly: 'keep',
    });
    const out = Buffer.concat([...given.map((each) => editor.push(each)), editor.end()]);
    const messages: (readonly [string, unknown])[] = [];
    try {
      for (let at = 0; at < out.length; at += out.readUInt32BE(at)) {
        const { headers, body } = codec.decode(out.subarray(at, at + out.readUInt32BE(at)));
        messages.push([
          String((headers[':event-type'] ?? headers[':exception-type'])?.value),
          JSON.parse(Buffer.from(body).toString()),
        ]);
      }
    } catch {
      return messages;
    }
    return messages;
  }
  const textOf = (messages: ReturnType<typeof read>): string =>
    messages.map(([, body]) => (body as { delta?: { text?: string } }).delta?.text ?? '').join('');

  test.each([
    ['nothing more', []],
    ['a message cut off', [said('more').subarray(0, 30)]],
    [
      'a wrong checksum',
      [said('more').map((octet, at, all) => (at === all.length - 1 ? octet ^ 1 : octet)), said('lost')],
    ],
    ['rubbish', [Buffer.alloc(40, 'x')]],
  ] as const)('that ends without its end says all of its text ahead of %s', (_what, last) => {
    expect(
      textOf(read('bedrock-converse', said('hello '), said('there'), ...last.map((each) => Buffer.from(each)))),
    ).toBe('HELLO THERE');
  });

  test('says all of its text ahead of an exception, under a name of its own', () => {
    const messages = read(
      'bedrock-converse',
      said('hello'),
      message('modelStreamErrorException', { message: 'broke' }, 'exception'),
    );
    expect(messages.map(([name]) => name)).toEqual([
      'contentBlockDelta',
      'contentBlockDelta',
      'modelStreamErrorException',
    ]);
    expect([textOf(messages), messages.at(-1)?.[1]]).toEqual(['HELLO', { message: 'broke' }]);
  });

  test('sends held-back text ahead of an exception, as an event that readers accept', () => {
    const dialect = dialects['bedrock-converse'];
    const editor = createAnswerEditor({
      dialect,
      framing: 'event-stream',
      meter: dialect.openMeter(),
      open,
      usageOnly: 'keep',
    });
    editor.push(said('hello'));
    const first = editor.push(message('modelStreamErrorException', { message: 'broke' }, 'exception'));
    expect(codec.decode(first.subarray(0, first.readUInt32BE(0))).headers).toMatchObject({
      ':message-type': { value: 'event' },
      ':event-type': { value: 'contentBlockDelta' },
    });
  });

  test('of chunks has all of its text, in chunks', () => {
    const messages = read('bedrock-invoke', chunk('hello'));
    expect(
      messages.map(([name, body]) => [
        name,
        JSON.parse(Buffer.from((body as { bytes: string }).bytes, 'base64').toString()).delta.text,
      ]),
    ).toEqual([
      ['chunk', 'HEL'],
      ['chunk', 'LO'],
    ]);
  });
});

describe('a list of events', () => {
  const said = (text: string, more = '') =>
    `{"candidates":[{"content":{"parts":[{"text":"${text}"}],"role":"model"},"index":0${more}}]}`;
  const heardOf = (out: string): string =>
    JSON.parse(out)
      .map(
        (event: { candidates: [{ content: { parts: { text: string }[] } }] }) =>
          event.candidates[0].content.parts[0]?.text,
      )
      .join('');

  test.each([
    ['its finish', `[${said('hello ')},\r\n${said('there', ',"finishReason":"STOP"')}\n]`, 'HELLO THERE'],
    ['no finish', `[${said('hello ')},\r\n${said('there')}\n]\n`, 'HELLO THERE'],
    ['a mark of its order ahead', `\ufeff \n[${said('hello')}]`, 'HELLO'],
  ])('with %s says all of its text', (_what, text, expected) =>
    expect(heardOf(edit('gemini', 'json', [text]).replace('\ufeff', ''))).toBe(expected),
  );

  test('that breaks off reports its part', () => {
    for (const [last, end] of [
      ['', ']'],
      [',', ']'],
      [',{"cut', '":1}]'],
    ] as const)
      expect(
        heardOf((edit('gemini', 'json', [`[${said('hello')}${last}`]) + end).replace(/,\{"cut":1\}\]$/u, ']')),
      ).toBe('HELLO');
  });

  test('goes on as it comes', () => {
    const dialect = dialects.gemini;
    const editor = createAnswerEditor({
      dialect,
      framing: 'json',
      meter: dialect.openMeter(),
      open: () => undefined,
      usageOnly: 'keep',
    });
    expect([' ', '[', said('a'), ',', said('b'), ']'].map((each) => editor.push(Buffer.from(each)).toString())).toEqual(
      ['', ' [', said('a'), ',', said('b'), ']'],
    );
  });

  test('differs from a document, which waits for its end, and from spaces', () => {
    expect(edit('gemini', 'json', ['\n ', said('hello')])).toBe(`\n ${said('HELLO')}`);
    expect(edit('gemini', 'json', [' ', '\n'])).toBe(' \n');
    expect(edit('gemini', 'json', [' '.repeat(2000), `[${said('hello')}]`])).toContain('"HELLO"');
  });

  test('is one only where the provider streams so', () => {
    expect(
      edit('anthropic-messages', 'json', [
        '[{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hello"}}]',
      ]),
    ).toContain('"hello"');
  });
});

describe('a document', () => {
  const message = (content: unknown) => JSON.stringify({ type: 'message', content });

  test('says all of its text, and keeps its spaces', () => {
    expect(
      edit('anthropic-messages', 'json', [
        ' {"type":"message", "content":[{"type":"text","text":"hello"}],',
        '"x":1e400}\n',
      ]),
    ).toBe(' {"type":"message", "content":[{"type":"text","text":"HELLO"}],"x":1e400}\n');
  });

  test('comes out at its end, and nothing of it before', () => {
    const dialect = dialects['anthropic-messages'];
    const editor = createAnswerEditor({
      dialect,
      framing: 'json',
      meter: dialect.openMeter(),
      open,
      usageOnly: 'keep',
    });
    expect(editor.push(Buffer.from(message([]))).length).toBe(0);
    expect(editor.end().toString()).toBe(message([]));
  });

  test('of over 64 MiB passes unchanged from that size on', () => {
    const dialect = dialects['anthropic-messages'];
    const unread: string[] = [];
    const editor = createAnswerEditor({
      dialect,
      framing: 'json',
      meter: dialect.openMeter(),
      open,
      usageOnly: 'keep',
      onUnread: (why) => void unread.push(why),
    });
    const part = Buffer.alloc(32 * 1024 * 1024, ' ');
    const came = [part, part, Buffer.from('{'), Buffer.from('}')].map((piece) => editor.push(piece).length);
    expect([came, editor.end().length, unread]).toEqual([[0, 0, 2 * part.length + 1, 1], 0, ['too-long']]);
  });

  test('keeps a model’s thoughts, byte for byte', () => {
    const thought = message([{ type: 'thinking', thinking: 'hmm', signature: 's' }]);
    expect(edit('anthropic-messages', 'json', [thought])).toBe(thought);
  });

  test('has each leaf of arguments changed, also under keys that look like patterns', () => {
    const input = { 'a.b': 'one', '*': 'two', __proto__x: ['three', { '': 'four' }], n: 5 };
    const out = JSON.parse(
      edit('anthropic-messages', 'json', [message([{ type: 'tool_use', id: 'i', name: 'n', input }])]),
    );
    expect(out.content[0].input).toEqual({ 'a.b': 'ONE', '*': 'TWO', __proto__x: ['THREE', { '': 'FOUR' }], n: 5 });
  });

  test('of arguments 50,000 deep is unchanged, in linear time', async () => {
    const deep = (depth: number): string =>
      `{"type":"message","content":[{"type":"tool_use","id":"i","name":"n","input":{"a":${'['.repeat(depth)}"x"${']'.repeat(depth)}}}]}`;
    expect(
      await growth((depth) => expect(edit('anthropic-messages', 'json', [deep(depth)])).toBe(deep(depth)), 50_000),
    ).toBeLessThan(linear);
  });

  test.each(['', 'no json', '{"type":', '\uFEFF{}', '[[[['])('of %j passes unchanged', (text) =>
    expect(edit('anthropic-messages', 'json', [text])).toBe(text),
  );

  test('that is no UTF-8 goes on as it is', () => {
    const dialect = dialects['anthropic-messages'];
    const editor = createAnswerEditor({
      dialect,
      framing: 'json',
      meter: dialect.openMeter(),
      open,
      usageOnly: 'keep',
    });
    const bytes = Buffer.from('{"a":"\xff"}', 'latin1');
    editor.push(bytes);
    expect(editor.end().equals(bytes)).toBe(true);
  });
});

describe('an answer of many texts', () => {
  const many = 1500;
  const blocks = (count: number) =>
    JSON.stringify({
      type: 'message',
      content: Array.from({ length: count }, (_, index) =>
        index % 2 === 0
          ? { type: 'text', text: 'ab' }
          : { type: 'tool_use', name: `run${index}`, input: { a: 'cd', b: ['ef'] } },
      ),
    });
  const choices = (count: number) =>
    sse({
      choices: Array.from({ length: count }, (_, index) => ({
        index,
        delta: { content: 'abc' },
        finish_reason: 'stop',
      })),
    });

  test('has each of them changed, in a document and in an event', () => {
    expect(edit('anthropic-messages', 'json', [blocks(100)])).toBe(
      blocks(100).replaceAll('"ab"', '"AB"').replaceAll('"cd"', '"CD"').replaceAll('"ef"', '"EF"'),
    );
    expect(edit('openai-chat', 'sse', [choices(100)])).toBe(choices(100).replaceAll('abc', 'ABC'));
  });

  test('takes no longer for each of them than one of few does', async () => {
    expect(await growth((count) => edit('anthropic-messages', 'json', [blocks(count)]), 16 * many)).toBeLessThan(
      linear,
    );
    expect(await growth((count) => edit('openai-chat', 'sse', [choices(count)]), 16 * many)).toBeLessThan(linear);
  });
});

test('the usage behind a picture of ten megabytes counts, and the text beside it is changed', () => {
  const meter = dialects.gemini.openMeter();
  const event = sse({
    candidates: [
      {
        content: {
          parts: [{ inlineData: { mimeType: 'image/png', data: 'A'.repeat(10 * 2 ** 20) } }, { text: 'hello' }],
        },
      },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4 },
  });
  expect(edit('gemini', 'sse', { chunks: [event], meter })).toContain('"text":"HEL');
  expect(meter.outcome('ended').usage).toMatchObject({ uncachedInput: 3, output: 4 });
});
