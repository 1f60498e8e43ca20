import { expect, test } from 'vitest';
import { actionOf } from './action-of.ts';
import { claudeTools } from './tools/claude.ts';
import { geminiTools } from './tools/gemini.ts';
import { opencodeTools } from './tools/opencode.ts';
import type { ToolTable } from './types.ts';

function hosts(tools: ToolTable, tool: string, input: Record<string, unknown>): readonly string[] {
  const action = actionOf(tools, { moment: 'before', event: 'x', tool, input, cwd: '/usr' });
  return action.kind === 'access' ? action.requests.map((request) => (request.kind === 'connect' ? `${request.host}:${request.port}` : request.kind)) : [action.kind];
}

/** Each with the host that `fetch` goes to. */
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
  expect(hosts(geminiTools, 'web_fetch', { prompt: `look at https://good.test and ${url} for me` })).toEqual(expect.arrayContaining(['good.test:443', host]));
});

test('what a URL may not hold is taken out of one, as by whoever fetches it', () => {
  for (const [blank, tools, tool] of [['\t', claudeTools, 'WebFetch'], ['\n', opencodeTools, 'webfetch'], ['\r', geminiTools, 'web_fetch']] as const) expect(hosts(tools, tool, { url: ` https://good.test${blank}.evil.test ` })).toEqual(['good.test.evil.test:443']);
});

test('a text has as many as are in it, with quotes and brackets around them', () => {
  const prompt = 'compare "https://a.test/x", <http://b.test> and (https://[::1]:8/@c)\nhttps://d.test/@e';
  expect(hosts(geminiTools, 'web_fetch', { prompt, url: 'https://f.test' })).toEqual(['f.test:443', 'd.test:443', 'a.test:443', 'b.test:80', '::1:8']);
  expect(hosts(geminiTools, 'web_fetch', { prompt: '(https://good.test"@evil.test)' })).toEqual(['good.test:443', 'evil.test):443']);
});

test.each(['', 'see a.test', 'https://', 'ftp://a.test', 'file:///etc/passwd', 'see ftp://a.test and https://b.test', 'x https://a.test'])('%j names no URL of the web', (url) => {
  expect(() => hosts(claudeTools, 'WebFetch', { url })).toThrow(expect.objectContaining({ code: 'HF_HOOK_INVALID' }));
});
