import { describe, expect, test } from 'vitest';
import { decide } from '../decide.ts';
import { mcpStatements } from '../layers/statements.ts';
import { policyFrom, problemsIn } from '../testing/policies.ts';
import { mcpOf } from './mcp-of.ts';
import type { McpSettings } from './types.ts';

const settingsOf = (texts: Parameters<typeof policyFrom>[0]): McpSettings => mcpOf(policyFrom(texts));
const flow = (name: string): string =>
  `[[mcp.flows]]\nname = "${name}"\nfrom = ["a"]\nto = ["b/send"]\ndecision = "deny"\n`;

describe('the layers combined', () => {
  test('by default the first sight is accepted', () => {
    expect(settingsOf({})).toEqual({ pin: 'first-use', servers: [], flows: [] });
  });

  test.each([
    [{ user: '[mcp]\npin = "first-use"' }, 'first-use'],
    [{ user: '[mcp]\npin = "ask"' }, 'ask'],
    [{ user: '[mcp]\npin = "first-use"', project: '[mcp]\npin = "ask"' }, 'ask'],
    [{ managed: '[mcp]\npin = "ask"', user: '[mcp]\npin = "first-use"' }, 'ask'],
  ])('%j: a new server is %s', (texts, pin) => {
    expect(settingsOf(texts).pin).toBe(pin);
  });

  test('servers with the layer that says it, in the order of authority, and every flow with its place', () => {
    const { servers, flows } = settingsOf({
      project: `[[mcp.servers]]\nname = "a"\nread = ["src"]\n${flow('p')}`,
      user: `${flow('u')}[[mcp.servers]]\nname = "a"\nhosts = ["x.example"]`,
      managed: flow('m'),
    });
    expect(servers).toEqual([
      { layer: 'user', server: { name: 'a', hosts: ['x.example'] } },
      { layer: 'project', server: { name: 'a', read: ['src'] } },
    ]);
    expect(flows.map(({ name, origin: { layer, file, line, rule } }) => [name, rule, layer, file, line])).toEqual([
      ['m', 'm', 'managed', 'managed.toml', 2],
      ['u', 'u', 'user', 'user.toml', 2],
      ['p', 'p', 'project', 'project.toml', 5],
    ]);
  });

  test('entries of servers decide nothing by themselves', () => {
    const policy = policyFrom({
      user: '[[mcp.servers]]\nname = "a"\nread = ["/srv/a"]\nhosts = ["x.example"]\ntools = ["*"]',
    });
    expect(decide(policy, { kind: 'connect', host: 'x.example', port: 443, protocol: 'tcp' }).decision).toBe('deny');
    expect(decide(policy, { kind: 'file', operation: 'read', path: '/srv/a/b' }).decision).toBe('deny');
    expect(decide(policy, { kind: 'tool', server: 'a', tool: 'b', arguments: '{}' }).decision).toBe('ask');
  });
});

describe('rules with arguments', () => {
  const call = (path: unknown) =>
    ({ kind: 'tool', server: 'files', tool: 'read', arguments: JSON.stringify({ path }) }) as const;
  const rule = (name: string, decision: string, path: string): string =>
    `[[tool]]\nname = "${name}"\ndecision = "${decision}"\ntools = ["files/*"]\narguments = { path = ["${path}"] }\n`;

  test('are tried in their order, and those that do not match leave it to the next', () => {
    const policy = policyFrom({
      user: `${rule('keys', 'deny', '*.pem')}${rule('docs', 'allow', 'docs/*')}[[tool]]\nname = "rest"\ndecision = "ask"\ntools = ["files"]\n`,
    });
    expect(
      ['docs/a.pem', 'docs/a', 'src/a', ['docs/a', 'src/a']].map((path) => decide(policy, call(path)).rule),
    ).toEqual(['keys', 'docs', 'rest', 'rest']);
  });

  test('of a later layer only restrict', () => {
    const policy = policyFrom({
      user: '[tools]\nallow = ["files"]',
      project: `${rule('keys', 'deny', '*.pem')}${rule('docs', 'allow', '*')}`,
    });
    expect([decide(policy, call('a.pem')).decision, decide(policy, call('a')).decision]).toEqual(['deny', 'allow']);
    expect(decide(policyFrom({ project: rule('docs', 'allow', '*') }), call('a')).decision).toBe('ask');
  });

  test('that can never match are found where one before is about all arguments', () => {
    expect(
      problemsIn(
        `version = 1\n[[tool]]\nname = "a"\ndecision = "deny"\ntools = ["files/*"]\n${rule('b', 'allow', '*.pem')}`,
      ),
    ).toMatchObject([{ line: 6, message: expect.stringContaining('"b" can never match') }]);
  });
});

describe('mistakes in a policy', () => {
  test.each([
    ['[[mcp.servers]]\nname = "a/b"\n', 3, /a name starts/u],
    ['[[mcp.servers]]\nname = "a"\nhost = ["x"]\n', 4, /unknown key "host"/u],
    ['[[mcp.servers]]\nname = "a"\nread = ["../x"]\n', 4, /climbs/u],
    ['[[mcp.servers]]\nname = "a"\nhosts = ["http://x"]\n', 4, /http/u],
    ['[[mcp.servers]]\nname = "a"\n[[mcp.servers]]\nname = "a"\n', 5, /already used by mcp\.servers\[0\]/u],
    ['[[mcp.flows]]\nname = "f"\nfrom = []\nto = ["b"]\ndecision = "deny"\n', 4, /names no tools/u],
    ['[[mcp.flows]]\nname = "f"\nfrom = ["a"]\nto = ["b"]\ndecision = "allow"\n', 6, /decision/u],
    ['[mcp]\npin = "never"\n', 3, /pin/u],
    [
      '[[mcp.servers]]\nname = "a"\ncredentials = ["x"]\n[[credentials]]\nname = "github"\nprovider = "github"\nsource = { env = "T" }\n',
      4,
      /no entry of \[\[credentials\]\] is called "x"/u,
    ],
  ])('%j', (text, line, message) => {
    expect(problemsIn(`version = 1\n${text}`, 'user')).toMatchObject([
      { line, message: expect.stringMatching(message) },
    ]);
  });
});

test('`policy show` has a line for each', () => {
  const value = {
    pin: 'ask',
    servers: [{ name: 'a', read: ['.'] }],
    flows: [{ name: 'f', from: ['a'], to: ['b'], decision: 'deny', reason: 'why' }],
  } as const;
  const lines = mcpStatements({ value, lines: new Map(), origin: { rule: 'mcp', layer: 'user', file: 'x', line: 1 } });
  expect(lines.map(({ subject, value: text, reason }) => [subject, text, reason])).toEqual([
    ['mcp.pin', 'ask', undefined],
    ['mcp.servers', 'a: read=["."]', undefined],
    ['mcp.flows', 'deny b after a (f)', 'why'],
  ]);
});
