import { expect, test } from 'vitest';
import { actionOf } from './action-of.ts';
import { geminiHooks, geminiTools } from './dialects/gemini.ts';
import { claudeTools } from './tools/claude.ts';
import { codexTools, opencodeTools } from './answer-hook.ts';
import type { HookCall, ToolTable } from './types.ts';

const call = (tool: string, input: Record<string, unknown>): HookCall => ({
  moment: 'before',
  event: 'x',
  tool,
  input,
  cwd: '/usr',
});
const patch = (files: number): string =>
  `*** Begin Patch\n${Array.from({ length: files }, (_, index) => `*** Add File: d/${index}\n+x\n`).join('')}*** End Patch`;

// Quadratic work on the first line would take hours.
test.each<readonly [string, ToolTable, HookCall]>([
  ['a text of a million letters as a URL', claudeTools, call('WebFetch', { url: 'a'.repeat(1_000_000), prompt: '' })],
  ['a pattern of a million wildcards', claudeTools, call('Glob', { pattern: '*'.repeat(1_000_000) })],
  ['a pattern of a million braces', claudeTools, call('Grep', { pattern: 'x', glob: '{,'.repeat(500_000) })],
  ['a path longer than any', claudeTools, call('Read', { file_path: '/a'.repeat(500_000) })],
  ['a patch of many files', codexTools, call('apply_patch', { command: patch(1001) })],
  [
    'many patterns that can be read in two ways',
    geminiTools,
    call('read_many_files', { include: Array.from({ length: 600 }, (_, index) => `a/../${index}`) }),
  ],
  ['a member that nobody knows', claudeTools, call('Bash', { command: 'ls', tomorrow: true })],
  ['many URLs', geminiTools, call('web_fetch', { prompt: 'https://a.test '.repeat(1001) })],
])('%s is refused', (_what, tools, asked) => {
  expect(() => actionOf(tools, asked)).toThrow(expect.objectContaining({ code: 'HF_HOOK_INVALID' }));
});

test('a tool of an MCP server is one in every way that its name can be read, or as the agent says', () => {
  const names = (tools: ToolTable, asked: HookCall): readonly string[] => {
    const action = actionOf(tools, asked);
    return action.kind === 'mcp'
      ? action.requests.map((request) =>
          request.kind === 'tool' ? `${request.server}/${request.tool} ${request.arguments}` : request.kind,
        )
      : [action.kind];
  };
  expect(names(claudeTools, call('mcp__mail__send', { to: 'x' }))).toEqual(['mail/send {"to":"x"}']);
  expect(names(codexTools, call('mcp__my__mail__send', {}))).toEqual(['my/mail__send {}', 'my__mail/send {}']);
  expect(names(geminiTools, call('mcp_my_mail_send', {}))).toEqual(['my/mail_send {}', 'my_mail/send {}']);
  const message = { hook_event_name: 'BeforeTool', cwd: '/usr', tool_name: 'mcp_my_mail_send', tool_input: {} };
  expect(
    names(
      geminiTools,
      geminiHooks.decode({ ...message, mcp_context: { server_name: 'my_mail', tool_name: 'send', command: 'x' } }),
    ),
  ).toEqual(['my_mail/send {}']);
  for (const context of [{}, { server_name: 'mail', tool_name: 1 }])
    expect(() => geminiHooks.decode({ ...message, mcp_context: context })).toThrow(
      expect.objectContaining({ code: 'HF_HOOK_INVALID' }),
    );
  for (const name of ['mcp__mail', 'mcp__mail__', 'mcp____send', 'mcp_mail_send', 'amcp__mail__send', 'Tomorrow'])
    expect(names(claudeTools, call(name, {}))).toEqual(['refused']);
  expect(names(opencodeTools, call('mcp__mail__send', {}))).toEqual(['refused']);
  expect(() => names(claudeTools, call(`mcp__${'a__'.repeat(1001)}b`, {}))).toThrow(
    expect.objectContaining({ code: 'HF_HOOK_INVALID' }),
  );
});

test('every request of one call is taken', () => {
  expect(actionOf(codexTools, call('apply_patch', { command: patch(1000) }))).toMatchObject({
    kind: 'access',
    requests: { length: 1000 },
  });
  expect(actionOf(claudeTools, call('WebFetch', { url: 'https://a.test/x', prompt: '' }))).toEqual({
    kind: 'access',
    requests: [{ kind: 'connect', host: 'a.test', port: 443, protocol: 'tcp' }],
  });
  expect(actionOf(claudeTools, call('Glob', { pattern: 'src/**/*.ts' }))).toMatchObject({
    kind: 'access',
    requests: [{ path: '/usr' }, { path: '/usr/src' }],
  });
});

test('Gemini CLI keeps nothing for later sessions', () => {
  expect(actionOf(geminiTools, call('save_memory', { fact: 'always run ./x first' })).kind).toBe('refused');
});

function hosts(tools: ToolTable, tool: string, input: Record<string, unknown>): readonly string[] {
  const action = actionOf(tools, { moment: 'before', event: 'x', tool, input, cwd: '/usr' });
  return action.kind === 'access'
    ? action.requests.map((request) => (request.kind === 'connect' ? `${request.host}:${request.port}` : request.kind))
    : [action.kind];
}

/** Each URL with the host that `fetch` connects to. */
const disguised: readonly (readonly [string, string])[] = [
  ['https://good.test"@evil.test/x', 'evil.test:443'],
  ["http://good.test'@evil.test", 'evil.test:80'],
  ['https://good.test<@evil.test:8443', 'evil.test:8443'],
  ['https:/\\evil.test/?u=https://good.test', 'evil.test:443'],
  ['https:evil.test/https://good.test', 'evil.test:443'],
];

test.each(disguised)('%j is a URL of %s', (url, host) => {
  expect(hosts(claudeTools, 'WebFetch', { url, prompt: '' })).toEqual([host]);
  expect(hosts(opencodeTools, 'webfetch', { url })).toEqual([host]);
  expect(hosts(geminiTools, 'web_fetch', { url })).toEqual([host]);
  expect(hosts(geminiTools, 'web_fetch', { prompt: `look at https://good.test and ${url} for me` })).toEqual(
    expect.arrayContaining(['good.test:443', host]),
  );
});

test('characters that a URL cannot hold are removed, as every client does', () => {
  for (const [blank, tools, tool] of [
    ['\t', claudeTools, 'WebFetch'],
    ['\n', opencodeTools, 'webfetch'],
    ['\r', geminiTools, 'web_fetch'],
  ] as const)
    expect(hosts(tools, tool, { url: ` https://good.test${blank}.evil.test ` })).toEqual(['good.test.evil.test:443']);
});

test('a text has as many as are in it, with quotes and brackets around them', () => {
  const prompt = 'compare "https://a.test/x", <http://b.test> and (https://[::1]:8/@c)\nhttps://d.test/@e';
  expect(hosts(geminiTools, 'web_fetch', { prompt, url: 'https://f.test' })).toEqual([
    'f.test:443',
    'd.test:443',
    'a.test:443',
    'b.test:80',
    '::1:8',
  ]);
  expect(hosts(geminiTools, 'web_fetch', { prompt: '(https://good.test"@evil.test)' })).toEqual([
    'good.test:443',
    'evil.test):443',
  ]);
});

test.each([
  '',
  'see a.test',
  'https://',
  'ftp://a.test',
  'file:///etc/passwd',
  'see ftp://a.test and https://b.test',
  'x https://a.test',
])('%j names no URL of the web', (url) => {
  expect(() => hosts(claudeTools, 'WebFetch', { url })).toThrow(expect.objectContaining({ code: 'HF_HOOK_INVALID' }));
});
