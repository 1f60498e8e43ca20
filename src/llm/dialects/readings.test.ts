import { describe, expect, test } from 'vitest';
import { eventOf, exchanges } from '../../../test/fixtures/llm/index.ts';
import type { Delta, DialectName } from '../types.ts';
import { dialects } from './dialects.ts';
import { valueAt } from './testing/read-leaves.ts';

type Told = readonly [channel: string, kind: Delta['kind'], value: unknown];

const told = (event: unknown, deltas: readonly Delta[]): readonly Told[] =>
  deltas.map(({ channel, kind, path }) => [channel, kind, valueAt(event, path)]);

const events: readonly (readonly [
  name: string,
  dialect: DialectName,
  event: unknown,
  told: readonly Told[],
  closes: readonly string[] | 'all',
  eventName?: string,
])[] = [
  [
    'a block that begins with text',
    'anthropic-messages',
    { type: 'content_block_start', index: 4, content_block: { type: 'text', text: 'He' } },
    [['content.4', 'text', 'He']],
    [],
  ],
  [
    'a block that begins with its whole input',
    'anthropic-messages',
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', input: { a: 'b' } } },
    [['content.1', 'arguments-value', { a: 'b' }]],
    [],
  ],
  [
    'a message that begins with content',
    'anthropic-messages',
    { type: 'message_start', message: { content: [{ type: 'text', text: 'He' }] } },
    [['content.0', 'text', 'He']],
    [],
  ],
  [
    'a compaction',
    'anthropic-messages',
    { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'Before' } },
    [['content.0', 'text', 'Before']],
    [],
  ],
  [
    'a signature',
    'anthropic-messages',
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'x' } },
    [],
    [],
  ],
  ['the end of a block', 'anthropic-messages', { type: 'content_block_stop', index: 7 }, [], ['content.7']],
  ['an error', 'anthropic-messages', { type: 'error', error: { message: 'x' } }, [], 'all'],
  [
    'the old completion',
    'anthropic-messages',
    { type: 'completion', completion: ' Hi', stop_reason: null },
    [['completion', 'text', ' Hi']],
    [],
  ],
  [
    'the end of an old completion',
    'anthropic-messages',
    { type: 'completion', completion: '.', stop_reason: 'stop_sequence' },
    [['completion', 'text', '.']],
    'all',
  ],
  [
    'two choices',
    'openai-chat',
    {
      choices: [
        { index: 1, delta: { content: 'b' } },
        { index: 0, delta: { content: 'a' }, finish_reason: 'stop' },
      ],
    },
    [
      ['choices.1.content', 'text', 'b'],
      ['choices.0.content', 'text', 'a'],
    ],
    ['choices.0'],
  ],
  [
    'choices and calls without an index',
    'openai-chat',
    { choices: [{ delta: { tool_calls: [{ function: { arguments: '{' } }, { function: { arguments: '[' } }] } }] },
    [
      ['choices.0.tool_calls.0', 'arguments', '{'],
      ['choices.0.tool_calls.1', 'arguments', '['],
    ],
    [],
  ],
  [
    'a custom tool',
    'openai-chat',
    { choices: [{ delta: { tool_calls: [{ index: 2, custom: { input: 'patch' } }] } }] },
    [['choices.0.tool_calls.2', 'arguments-text', 'patch']],
    [],
  ],
  [
    'arguments as an object',
    'openai-chat',
    { choices: [{ delta: { tool_calls: [{ function: { arguments: { a: 1 } } }] } }] },
    [['choices.0.tool_calls.0', 'arguments-value', { a: 1 }]],
    [],
  ],
  [
    'the old function call',
    'openai-chat',
    { choices: [{ delta: { function_call: { arguments: '{' } } }] },
    [['choices.0.function_call', 'arguments', '{']],
    [],
  ],
  [
    'the old completions',
    'openai-chat',
    { choices: [{ index: 0, text: 'Hi' }] },
    [['choices.0.text', 'text', 'Hi']],
    [],
  ],
  [
    'parts of Mistral',
    'openai-chat',
    {
      choices: [
        {
          delta: {
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
              { type: 'text', text: 'Hi' },
            ],
          },
        },
      ],
    },
    [
      ['choices.0.reasoning', 'thinking', 'Hm'],
      ['choices.0.content', 'text', 'Hi'],
    ],
    [],
  ],
  [
    'all so far, of Perplexity',
    'openai-chat',
    { choices: [{ delta: { content: 'b' }, message: { content: 'ab' } }] },
    [
      ['choices.0.content', 'text', 'b'],
      ['choices.0.whole.content', 'text', 'ab'],
    ],
    ['choices.0.whole'],
  ],
  ['an error in a stream', 'openai-chat', { error: { message: 'x' } }, [], 'all'],
  ['the end', 'openai-chat', '[DONE]', [], 'all'],
  [
    'a text whole',
    'openai-responses',
    { type: 'response.output_text.done', output_index: 1, content_index: 2, text: 'Hi' },
    [['output.1.content.2.whole', 'text', 'Hi']],
    ['output.1.content.2'],
  ],
  [
    'a part whole',
    'openai-responses',
    { type: 'response.content_part.done', output_index: 1, content_index: 2, part: { type: 'refusal', refusal: 'No' } },
    [['output.1.content.2.whole', 'text', 'No']],
    ['output.1.content.2'],
  ],
  [
    'a part of reasoning whole',
    'openai-responses',
    {
      type: 'response.content_part.done',
      output_index: 0,
      content_index: 0,
      part: { type: 'reasoning_text', text: 'Hm' },
    },
    [['output.0.content.0.whole', 'thinking', 'Hm']],
    ['output.0.content.0'],
  ],
  [
    'an item whole',
    'openai-responses',
    { type: 'response.output_item.done', output_index: 3, item: { type: 'function_call', arguments: '{}' } },
    [['output.3.arguments.whole', 'arguments', '{}']],
    ['output.3'],
  ],
  [
    'a shell whole',
    'openai-responses',
    { type: 'response.output_item.done', output_index: 3, item: { type: 'shell_call', action: { commands: ['ls'] } } },
    [['output.3.action.whole', 'arguments-value', { commands: ['ls'] }]],
    ['output.3'],
  ],
  [
    'a signed program',
    'openai-responses',
    { type: 'response.output_item.done', output_index: 3, item: { type: 'program', code: 'x', fingerprint: 'f' } },
    [],
    ['output.3'],
  ],
  [
    'a shell command',
    'openai-responses',
    { type: 'response.shell_call_command.delta', output_index: 0, command_index: 1, delta: 'ls' },
    [['output.0.commands.1', 'arguments-text', 'ls']],
    [],
  ],
  [
    'an answer that failed',
    'openai-responses',
    { type: 'response.failed', response: { output: [{ type: 'message', content: [{ text: 'Hi' }] }] } },
    [['output.0.again.content.0.whole', 'text', 'Hi']],
    'all',
  ],
  [
    'echoes of the request',
    'openai-responses',
    { type: 'response.created', response: { instructions: 'x', output: [] } },
    [],
    [],
  ],
  [
    'a piece of arguments on Vertex',
    'gemini',
    {
      candidates: [
        {
          content: {
            parts: [
              {
                functionCall: {
                  willContinue: true,
                  partialArgs: [{ jsonPath: '$.a', stringValue: 'Ro', willContinue: true }],
                },
              },
            ],
          },
        },
      ],
    },
    [['candidates.0.partial.$.a', 'arguments-text', 'Ro']],
    [],
  ],
  [
    'the last piece of one',
    'gemini',
    {
      candidates: [
        {
          content: {
            parts: [{ functionCall: { willContinue: true, partialArgs: [{ jsonPath: '$.a', stringValue: 'me' }] } }],
          },
        },
      ],
    },
    [['candidates.0.partial.$.a', 'arguments-text', 'me']],
    ['candidates.0.partial.$.a'],
  ],
  [
    'the end of such a call',
    'gemini',
    { candidates: [{ index: 1, content: { parts: [{ functionCall: {} }] } }] },
    [],
    ['candidates.1.partial'],
  ],
  [
    'code that ran',
    'gemini',
    {
      candidates: [
        { content: { parts: [{ executableCode: { code: '1+1' } }, { codeExecutionResult: { output: '2' } }] } },
      ],
    },
    [
      ['candidates.0.code.0.whole', 'arguments-text', '1+1'],
      ['candidates.0.result.1.whole', 'text', '2'],
    ],
    ['candidates.0.code.0.whole', 'candidates.0.result.1.whole'],
  ],
  [
    'a whole call',
    'gemini',
    { candidates: [{ content: { parts: [{ functionCall: { willContinue: true, args: { a: 'b' } } }] } }] },
    [['candidates.0.call.0', 'arguments-value', { a: 'b' }]],
    ['candidates.0.call.0'],
  ],
  ['the end of a candidate', 'gemini', { candidates: [{ index: 2, finishReason: 'STOP' }] }, [], ['candidates.2']],
  ['the end of a block', 'bedrock-converse', { contentBlockIndex: 3 }, [], ['content.3'], 'contentBlockStop'],
  ['the end', 'bedrock-converse', { stopReason: 'end_turn' }, [], 'all', 'messageStop'],
  ['an exception', 'bedrock-converse', { message: 'x' }, [], 'all', 'throttlingException'],
  ['an exception', 'bedrock-invoke', { message: 'x' }, [], 'all', 'modelStreamErrorException'],
  ['Titan', 'bedrock-invoke', { outputText: 'Hi', index: 0 }, [['plain.outputText', 'text', 'Hi']], [], 'chunk'],
  [
    'OpenAI on Bedrock',
    'bedrock-invoke',
    { choices: [{ index: 0, delta: { content: 'Hi' } }] },
    [['choices.0.content', 'text', 'Hi']],
    [],
    'chunk',
  ],
  ['the end', 'ollama-chat', { message: { content: '' }, done: true }, [], 'all'],
  ['an error', 'ollama-generate', { error: 'x' }, [], 'all'],
];

test.each(events.map(([name, dialect, ...rest]) => [name, dialect, rest] as const))(
  '%s of %s',
  (_name, dialect, [event, expected, closes, eventName]) => {
    const reading = dialects[dialect].readEvent(event, eventName);
    expect(told(event, reading.deltas)).toEqual(expected);
    expect(reading.closes).toEqual(closes);
  },
);

describe('documents', () => {
  test('the chunks of Gemini in one list', () => {
    const [exchange] = exchanges.filter(({ dialect }) => dialect === 'gemini');
    const chunks = exchange?.stream.map((raw) => eventOf(exchange, raw)?.data) ?? [];
    const { deltas } = dialects.gemini.readDocument(chunks);
    expect(
      deltas
        .filter(({ kind }) => kind === 'text')
        .map(({ path }) => valueAt(chunks, path))
        .join(''),
    ).toBe(exchange?.text);
    const meter = dialects.gemini.openMeter();
    meter.read(chunks, undefined);
    expect(meter.outcome('ended')).toMatchObject({
      usage: exchange?.usage,
      toolCalls: exchange?.toolCalls,
      completeness: 'complete',
    });
  });

  test.each<readonly [DialectName, unknown, readonly Told[]]>([
    ['openai-chat', { choices: [{ index: 0, text: 'Hi' }] }, [['choices.0.text', 'text', 'Hi']]],
    ['anthropic-messages', { completion: 'Hi' }, [['completion', 'text', 'Hi']]],
    ['bedrock-invoke', { results: [{ outputText: 'Hi' }] }, [['plain.results.0', 'text', 'Hi']]],
    ['bedrock-invoke', { choices: [{ index: 0, message: { content: 'Hi' } }] }, [['choices.0.content', 'text', 'Hi']]],
    [
      'bedrock-converse',
      { output: { message: { content: [{ citationsContent: { content: [{ text: 'Hi' }] } }] } } },
      [['content.0.cited.0', 'text', 'Hi']],
    ],
  ])('%s %j', (dialect, document, expected) =>
    expect(told(document, dialects[dialect].readDocument(document).deltas)).toEqual(expected),
  );
});

test('arguments of several calls at once are kept apart', () => {
  for (const exchange of exchanges.filter(
    ({ toolCalls, dialect }) => toolCalls.length > 0 && !/gemini|ollama/u.test(dialect),
  )) {
    const channels = new Map<string, string>();
    for (const { data, name } of exchange.stream.flatMap((raw) => eventOf(exchange, raw) ?? [])) {
      for (const { channel, kind, path } of dialects[exchange.dialect].readEvent(data, name).deltas) {
        if (/^arguments(?:-text)?$/u.test(kind) && !channel.endsWith('.whole'))
          channels.set(channel, `${channels.get(channel) ?? ''}${String(valueAt(data, path))}`);
      }
    }
    expect([...channels.values()], exchange.name).toEqual(exchange.toolCalls.map((call) => call.arguments));
  }
});

test('pieces of Vertex are gathered into calls', () => {
  const meter = dialects.gemini.openMeter();
  const piece = (functionCall: object): void =>
    meter.read({ candidates: [{ content: { parts: [{ functionCall }] } }] }, undefined);
  piece({ name: 'look', id: 'a', willContinue: true });
  piece({ partialArgs: [{ jsonPath: '$.place', stringValue: 'Ro', willContinue: true }], willContinue: true });
  piece({ partialArgs: [{ jsonPath: '$.place', stringValue: 'me' }], willContinue: true });
  piece({});
  piece({ name: 'walk', args: {} });
  expect(meter.outcome('cut').toolCalls).toEqual([
    { name: 'look', id: 'a', arguments: 'Rome' },
    { name: 'walk', arguments: '{}' },
  ]);
});

const ends: readonly (readonly [
  name: string,
  dialect: DialectName,
  events: readonly unknown[],
  end: 'ended' | 'cut',
  completeness: string,
])[] = [
  ['nothing', 'anthropic-messages', [], 'ended', 'partial'],
  [
    'an end without message_stop',
    'anthropic-messages',
    [
      { type: 'message_start', message: { usage: { input_tokens: 1 } } },
      { type: 'message_delta', usage: { output_tokens: 2 } },
    ],
    'ended',
    'partial',
  ],
  [
    'a finish whose usage was cut off',
    'openai-chat',
    [{ choices: [{ delta: {}, finish_reason: 'stop' }] }],
    'cut',
    'partial',
  ],
  ['a finish without usage', 'openai-chat', [{ choices: [{ delta: {}, finish_reason: 'stop' }] }], 'ended', 'complete'],
  [
    'a finish and [DONE]',
    'openai-chat',
    [{ choices: [{ delta: {}, finish_reason: 'stop' }] }, '[DONE]'],
    'cut',
    'complete',
  ],
  [
    '[DONE] before a finish',
    'openai-chat',
    ['[DONE]', { choices: [{ delta: {}, finish_reason: 'stop' }] }],
    'cut',
    'complete',
  ],
  ['messageStop without metadata', 'bedrock-converse', [{ stopReason: 'end_turn' }], 'cut', 'partial'],
  [
    'an answer in the background',
    'openai-responses',
    [{ object: 'response', status: 'queued', output: [] }],
    'ended',
    'partial',
  ],
  [
    'an answer that was asked for',
    'openai-responses',
    [{ object: 'response', status: 'completed', output: [] }],
    'ended',
    'complete',
  ],
  ['an error', 'openai-responses', [{ error: { message: 'x' } }], 'ended', 'partial'],
];

test.each(ends.map(([name, dialect, ...rest]) => [name, dialect, rest] as const))(
  '%s of %s is as complete as it says',
  (_name, dialect, [told, end, completeness]) => {
    const meter = dialects[dialect].openMeter();
    for (const event of told) meter.read(event, undefined);
    expect(meter.outcome(end).completeness).toBe(completeness);
  },
);

test('counts in every chunk do not end a stream', () => {
  const meter = dialects['openai-chat'].openMeter();
  meter.read(
    { choices: [{ index: 0, delta: { content: 'a' } }], usage: { prompt_tokens: 3, completion_tokens: 1 } },
    undefined,
  );
  expect(meter.outcome('cut')).toMatchObject({ completeness: 'partial', usage: { uncachedInput: 3, output: 1 } });
});

describe('held-back text leaves in the form of its neighbours', () => {
  const held: readonly (readonly [DialectName, Delta, like: unknown, made: unknown])[] = [
    [
      'openai-chat',
      { channel: 'choices.1.tool_calls.2', kind: 'arguments', path: [] },
      { id: 'c', created: 1, model: 'm', usage: null, choices: [] },
      {
        id: 'c',
        created: 1,
        model: 'm',
        choices: [
          { index: 1, delta: { tool_calls: [{ index: 2, function: { arguments: 'x' } }] }, finish_reason: null },
        ],
      },
    ],
    [
      'openai-responses',
      { channel: 'output.1.content.2', kind: 'text', path: ['delta'] },
      { type: 'response.output_text.done', item_id: 'i', sequence_number: 9 },
      {
        type: 'response.output_text.delta',
        sequence_number: 9,
        item_id: 'i',
        output_index: 1,
        content_index: 2,
        delta: 'x',
        logprobs: [],
      },
    ],
    [
      'openai-responses',
      { channel: 'output.1.content.0', kind: 'text', path: ['delta'] },
      { type: 'response.refusal.done', item_id: 'i' },
      {
        type: 'response.refusal.delta',
        sequence_number: 0,
        item_id: 'i',
        output_index: 1,
        content_index: 0,
        delta: 'x',
      },
    ],
    [
      'openai-responses',
      { channel: 'output.1.arguments', kind: 'arguments', path: ['delta'] },
      { type: 'response.completed', response: { output: [{ id: 'a' }, { id: 'b' }] } },
      { type: 'response.function_call_arguments.delta', sequence_number: 0, item_id: 'b', output_index: 1, delta: 'x' },
    ],
    [
      'openai-responses',
      { channel: 'output.0.arguments', kind: 'arguments', path: ['delta'] },
      { type: 'response.mcp_call_arguments.done', item_id: 'm' },
      { type: 'response.mcp_call_arguments.delta', sequence_number: 0, item_id: 'm', output_index: 0, delta: 'x' },
    ],
    [
      'anthropic-messages',
      { channel: 'content.3', kind: 'arguments', path: [] },
      { type: 'content_block_stop', index: 3 },
      { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: 'x' } },
    ],
    [
      'bedrock-invoke',
      { channel: 'content.3', kind: 'text', path: [] },
      { contentBlockStop: { contentBlockIndex: 3 } },
      { contentBlockDelta: { contentBlockIndex: 3, delta: { text: 'x' } } },
    ],
    [
      'ollama-generate',
      { channel: 'thinking', kind: 'thinking', path: [] },
      { model: 'm', done: true, eval_count: 4 },
      { model: 'm', response: '', thinking: 'x', done: false },
    ],
  ];
  test.each(held.map(([dialect, delta, ...rest]) => [dialect, delta, rest] as const))(
    '%s %j',
    (dialect, delta, [like, made]) => expect(dialects[dialect].deltaEvent(delta, 'x', like)).toEqual(made),
  );
});
