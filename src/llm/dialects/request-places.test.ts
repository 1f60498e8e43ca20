import { describe, expect, test } from 'vitest';
import { exchanges } from '../../../test/fixtures/llm/index.ts';
import { ollamaError } from '../../../test/fixtures/llm/ollama.ts';
import type { DialectName } from '../types.ts';
import { dialects } from './dialects.ts';
import { isTextLeaf, modelRefusalAnswer } from './request-places.ts';
import { leavesAt } from './testing/read-leaves.ts';

/** What a model reads of a request, and what it must not have changed. `x…` are looked into, `o…` are not. */
const requests: readonly (readonly [name: string, dialect: DialectName, request: unknown])[] = [
  [
    'texts and system',
    'anthropic-messages',
    {
      system: 'x1',
      messages: [
        { role: 'user', content: 'x2' },
        { role: 'system', content: [{ type: 'text', text: 'x3' }] },
      ],
      metadata: { user_id: 'o1' },
    },
  ],
  [
    'system in blocks',
    'anthropic-messages',
    { system: [{ type: 'text', text: 'x1', cache_control: { type: 'ephemeral' } }] },
  ],
  [
    'signed and encrypted blocks',
    'anthropic-messages',
    {
      messages: [
        {
          content: [
            { type: 'thinking', thinking: 'o1', signature: 'o2' },
            { type: 'redacted_thinking', data: 'o3' },
            { content: [{ type: 'web_search_result', encrypted_content: 'o4', title: 'x1', url: 'x2' }] },
          ],
        },
      ],
    },
  ],
  [
    'tools',
    'anthropic-messages',
    {
      messages: [
        {
          content: [
            { type: 'tool_use', id: 'o1', name: 'o2', input: { a: 'x1', signature: 'x2', list: [{ b: 'x3' }] } },
            { type: 'tool_result', tool_use_id: 'o3', content: 'x4' },
            { type: 'tool_result', content: [{ type: 'text', text: 'x5' }] },
          ],
        },
      ],
    },
  ],
  [
    'documents',
    'anthropic-messages',
    {
      messages: [
        {
          content: [
            {
              type: 'document',
              title: 'x1',
              context: 'x2',
              source: { type: 'content', content: [{ type: 'text', text: 'x3' }] },
            },
            { type: 'document', source: { type: 'content', content: 'x4' } },
            { type: 'image', source: { type: 'base64', data: 'o1' } },
          ],
        },
      ],
    },
  ],
  [
    'search results in a tool result',
    'anthropic-messages',
    {
      messages: [
        {
          content: [
            {
              type: 'tool_result',
              content: [{ type: 'search_result', source: 'x1', title: 'x2', content: [{ type: 'text', text: 'x3' }] }],
            },
          ],
        },
      ],
    },
  ],
  [
    'what server-side tools gave',
    'anthropic-messages',
    {
      messages: [
        {
          content: [
            { type: 'bash_code_execution_tool_result', content: { stdout: 'x1', stderr: 'x2', content: [] } },
            { type: 'text_editor_code_execution_tool_result', content: { content: 'x3', lines: ['x4'] } },
            { type: 'mcp_tool_result', content: [{ text: 'x5' }] },
            { type: 'compaction', content: 'x6', encrypted_content: 'o1' },
          ],
        },
      ],
    },
  ],
  [
    'a batch',
    'anthropic-messages',
    { requests: [{ custom_id: 'o1', params: { system: 'x1', messages: [{ content: [{ text: 'x2' }] }] } }] },
  ],
  ['the old prompt', 'anthropic-messages', { prompt: 'x1' }],
  [
    'all kinds of messages',
    'openai-chat',
    {
      messages: [
        { content: 'x1', name: 'o1' },
        {
          content: [
            { text: 'x2' },
            { image_url: { url: 'o2' } },
            { input_audio: { data: 'o3' } },
            { file: { file_data: 'o4' } },
          ],
        },
        {
          refusal: 'x3',
          reasoning_content: 'x4',
          tool_calls: [{ id: 'o5', function: { name: 'o6', arguments: 'x5' } }, { custom: { input: 'x6' } }],
          function_call: { arguments: 'x7' },
        },
      ],
      prediction: { content: 'x8' },
    },
  ],
  ['what is no chat', 'openai-chat', { prompt: ['x1', 'x2'], suffix: 'x3', input: ['x4'] }],
  [
    'items of all kinds',
    'openai-responses',
    {
      instructions: 'x1',
      input: [
        { content: 'x2' },
        { content: [{ text: 'x3' }, { image_url: 'o1' }, { file_data: 'o2' }] },
        { arguments: 'x4' },
        { output: 'x5' },
        { output: [{ text: 'x6' }, { stdout: 'x7', stderr: 'x8' }] },
        { action: { command: ['x9'], env: { A: 'x10' } } },
        { operation: { diff: 'x11' } },
        { type: 'reasoning', summary: [{ text: 'o3' }], encrypted_content: 'o4' },
        { arguments: { q: 'x12' } },
        { output: { image_url: 'o5' } },
      ],
    },
  ],
  [
    'a plain input',
    'openai-responses',
    { input: 'x1', prompt: { id: 'o1', variables: { a: 'x2', b: { text: 'x3' } } } },
  ],
  [
    'response.create of a WebSocket',
    'openai-responses',
    {
      type: 'response.create',
      input: [{ content: [{ text: 'x1' }] }],
      response: { instructions: 'x2', input: [{ output: 'x3' }] },
    },
  ],
  ['items of a conversation', 'openai-responses', { items: [{ content: [{ text: 'x1' }] }] }],
  [
    'both spellings',
    'gemini',
    {
      system_instruction: { parts: [{ text: 'x1' }] },
      systemInstruction: { parts: { text: 'x2' } },
      contents: [
        {
          parts: [
            { function_call: { args: { a: 'x3' } } },
            { functionResponse: { response: { b: ['x4'] } } },
            { inline_data: { data: 'o1' }, thought_signature: 'o2' },
            { code_execution_result: { output: 'x5' } },
          ],
        },
      ],
    },
  ],
  ['one where a list should be', 'gemini', { contents: { parts: { text: 'x1' } } }],
  [
    'embeddings, counts and batches',
    'gemini',
    {
      content: { parts: [{ text: 'x1' }] },
      requests: [{ content: { parts: [{ text: 'x2' }] } }],
      generateContentRequest: { contents: [{ parts: [{ text: 'x3' }] }] },
      batch: { input_config: { requests: { requests: [{ request: { contents: [{ parts: [{ text: 'x4' }] }] } }] } } },
      instances: [{ content: 'x5' }],
    },
  ],
  [
    'blocks of all kinds',
    'bedrock-converse',
    {
      system: [{ text: 'x1' }],
      messages: [
        {
          content: [
            { text: 'x2' },
            { image: { source: { bytes: 'o1' } } },
            { document: { name: 'x3', source: { text: 'x4' } } },
            { reasoningContent: { reasoningText: { text: 'o2', signature: 'o3' } } },
            { toolUse: { toolUseId: 'o4', input: { a: ['x5'] } } },
            {
              toolResult: {
                content: [
                  { text: 'x6' },
                  { json: { b: 'x7' } },
                  { document: { source: { content: [{ text: 'x8' }] } } },
                ],
              },
            },
          ],
        },
      ],
    },
  ],
  ['a count', 'bedrock-converse', { input: { converse: { messages: [{ content: [{ text: 'x1' }] }] } } }],
  [
    'bodies of all models',
    'bedrock-invoke',
    {
      prompt: 'x1',
      inputText: 'x2',
      system: 'x3',
      message: 'x4',
      messages: [{ content: [{ text: 'x5', source: { data: 'o1' } }, { toolUse: { input: { a: 'x6' } } }] }],
    },
  ],
  [
    'chat',
    'ollama-chat',
    {
      messages: [{ content: 'x1', images: ['o1'], tool_calls: [{ function: { name: 'o2', arguments: { a: 'x2' } } }] }],
    },
  ],
  ['generate', 'ollama-generate', { prompt: 'x1', system: 'x2', suffix: 'x3', images: ['o1'] }],
];

test.each(requests)('%s of %s', (_name, name, request) => {
  const all = leavesAt(request, ['**']);
  expect(leavesAt(request, dialects[name].requestText).toSorted()).toEqual(
    all.filter((leaf) => /^x\d+$/u.test(leaf)).toSorted(),
  );
});

test('a tool definition is separate from inspected text', () => {
  for (const { dialect, request } of exchanges) {
    const { requestText, toolDefinitions } = dialects[dialect];
    const texts = leavesAt(request, requestText);
    for (const definition of leavesAt(request, toolDefinitions).filter((leaf) => leaf.endsWith('.')))
      expect(texts).not.toContain(definition);
  }
});

test.each(
  exchanges
    .filter(
      ({ request }) => Object.hasOwn(request as object, 'tools') || Object.hasOwn(request as object, 'toolConfig'),
    )
    .map((exchange) => [exchange.name, exchange] as const),
)('%s: what a tool is for is found by option', (_name, { dialect, request }) => {
  expect(leavesAt(request, dialects[dialect].toolDefinitions)).toContainEqual(
    expect.stringMatching(/^(?:Reads|Tells|Runs|Looks)/u),
  );
});

describe('a leaf that is text or a file', () => {
  test.each(['Both begin alike.', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'R2l0', ''])(
    '%j is looked into',
    (leaf) => expect(isTextLeaf(leaf)).toBe(true),
  );
  test.each([
    'iVBORw0KGgoAAAANSUhEUg==',
    'JVBERi0xLjcK',
    '/9j/4AAQSkZJRg==',
    'R0lGODlhAQABAAAA',
    'UklGRiQAAABXRUJQ',
    'data:image/png;base64,iVBORw0KGgo=',
  ])('%j is a file', (leaf) => expect(isTextLeaf(leaf)).toBe(false));
  test('plain text documents are found there', () => {
    const [{ dialect, request }] = exchanges as unknown as [{ dialect: DialectName; request: unknown }];
    expect(leavesAt(request, dialects[dialect].requestTextOrBase64).filter(isTextLeaf)).toEqual(['Both begin alike.']);
  });
});

describe.each(Object.values(dialects))('$name', ({ refusal, refusalEvent, name }) => {
  test.each([
    [400, 400],
    [403, 403],
    [404, 404],
    [429, 429],
    [408, 403],
    [409, 403],
    [425, 403],
    [500, 403],
    [529, 403],
    [200, 403],
    [Number.NaN, 403],
  ])('%d is reported as %d', (status, told) => {
    const answer = refusal({ status, message: 'spent' });
    expect(answer.status).toBe(told);
    expect(JSON.stringify(answer.body)).toContain('spent');
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.headers['x-should-retry']).toBe(told === 429 ? undefined : 'false');
  });

  test('AWS names the error in a header', () => {
    expect(refusal({ status: 403, message: 'x' }).headers['x-amzn-errortype']).toBe(
      name.startsWith('bedrock') ? 'AccessDeniedException' : undefined,
    );
  });

  test('an event that refuses ends the answer', () => {
    const event = refusalEvent?.({ status: 403, message: 'spent' });
    if (event !== undefined) expect(dialects[name].readEvent(event, 'error')).toEqual({ deltas: [], closes: 'all' });
  });
});

test.each([
  ['anthropic-messages', { type: 'error', error: { type: 'permission_error', message: 'spent' } }],
  [
    'openai-chat',
    { error: { message: 'spent', type: 'invalid_request_error', param: null, code: 'refused_by_policy' } },
  ],
  [
    'openai-responses',
    { error: { message: 'spent', type: 'invalid_request_error', param: null, code: 'refused_by_policy' } },
  ],
  ['gemini', { error: { code: 403, message: 'spent', status: 'PERMISSION_DENIED' } }],
  ['bedrock-converse', { message: 'spent' }],
  ['ollama-chat', { error: 'spent' }],
] as const)('%s says it in its own shape', (name, body) =>
  expect(dialects[name].refusal({ status: 403, message: 'spent' }).body).toEqual(body),
);

test('rate limits are reported as such', () => {
  expect(dialects['anthropic-messages'].refusal({ status: 429, message: 'x' }).body).toMatchObject({
    error: { type: 'rate_limit_error' },
  });
  expect(dialects['openai-chat'].refusal({ status: 429, message: 'x' }).body).toMatchObject({
    error: { code: 'rate_limit_exceeded' },
  });
  expect(dialects.gemini.refusal({ status: 429, message: 'x' }).body).toMatchObject({
    error: { status: 'RESOURCE_EXHAUSTED' },
  });
  expect(dialects['bedrock-invoke'].refusal({ status: 429, message: 'x' }).headers['x-amzn-errortype']).toBe(
    'ThrottlingException',
  );
});

test('the body states the sent status', () =>
  expect(modelRefusalAnswer(500, (status) => ({ status }), { a: 'b' })).toMatchObject({
    status: 403,
    body: { status: 403 },
    headers: { a: 'b' },
  }));

test("Ollama's own error has the shape of ours", () => {
  expect(
    dialects['ollama-chat'].refusal({ status: ollamaError.status, message: ollamaError.body.error }),
  ).toMatchObject(ollamaError);
});
