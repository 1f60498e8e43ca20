import { describe, expect, test } from 'vitest';
import { parsePolicy } from './parse.ts';

/** The messages about statements without effect in a text without other problems. */
function unreachable(text: string): readonly string[] {
  const parsed = parsePolicy(`version = 1\n${text}`, { file: 'policy.toml' });
  return parsed.kind === 'document' ? [] : parsed.problems.map(({ message }) => message);
}

const list = (section: string, lists: Readonly<Record<string, readonly string[]>>): string =>
  `[${section}]\n${Object.entries(lists)
    .map(([key, items]) => `${key} = ${JSON.stringify(items)}`)
    .join('\n')}`;

describe('list items that another list leaves nothing', () => {
  test.each([
    ['files', { deny: ['~/x'], read: ['~/x'] }],
    ['files', { deny: ['~/x'], read: ['~/x/y/z'] }],
    ['files', { deny: ['**/private'], read: ['a/private/b'] }],
    ['files', { deny: ['**/PRIVATE'], read: ['a/private/b'] }],
    ['files', { deny: ['src/*'], write: ['src/a'] }],
    ['files', { deny: ['src/*'], write: ['src/a/*.ts'] }],
    ['files', { deny: ['src/**'], ephemeral: ['src/a'] }],
    ['files', { deny: ['/'], read: ['**/x'] }],
    ['files', { deny: ['.'], protect: ['schema'] }],
    ['files', { protect: ['db'], write: ['db/a'] }],
    ['files', { protect: ['db'], ephemeral: ['db'] }],
    ['network', { deny: ['example.com'], hosts: ['example.com'] }],
    ['network', { deny: ['example.com'], hosts: ['EXAMPLE.com.:443'] }],
    ['network', { deny: ['*.example.com'], hosts: ['a.b.example.com'] }],
    ['network', { deny: ['*.example.com'], hosts: ['*.b.example.com'] }],
    ['network', { deny: ['10.0.0.0/8'], hosts: ['10.1.2.3:5432'] }],
    ['network', { deny: ['any'], hosts: ['localhost'] }],
    ['network', { deny: ['x.test:1-100'], hosts: ['x.test:50'] }],
    ['network', { deny: ['localhost'], hosts: ['127.0.0.1:3000'] }],
    ['sockets', { deny: ['/run/x'], allow: ['/run/x'] }],
    ['sockets', { deny: ['@a*'], allow: ['@abc'] }],
    ['commands', { deny: ['git'], ask: ['git push'] }],
    ['commands', { deny: ['git p*'], allow: ['git push origin'] }],
    ['commands', { ask: ['*'], allow: ['git'] }],
    ['environment', { deny: ['A_*'], pass: ['A_B'] }],
    ['environment', { deny: ['*'], pass: ['X_*'] }],
    ['tools', { deny: ['s/*'], ask: ['s/a'] }],
    ['tools', { ask: ['s/a'], allow: ['s/a'] }],
    ['registry', { deny: ['HKCU'], allow: ['HKCU'] }],
  ])('[%s] %j', (section, lists) => {
    expect(unreachable(list(section, lists))).toEqual([
      expect.stringMatching(/^".*" in \w+\.\w+ has no effect: ".*" in \w+\.\w+ is decided first$/),
    ]);
  });

  test.each([
    ['files', { deny: ['~/x/y'], read: ['~/x'] }],
    ['files', { deny: ['~/xy'], read: ['~/x'] }],
    ['files', { deny: ['**/private'], read: ['a'] }],
    ['files', { deny: ['src/*.key'], read: ['src/a'] }],
    ['files', { deny: ['src/*'], read: ['src'] }],
    ['files', { deny: ['src/a'], read: ['src/*'] }],
    ['files', { deny: ['src/a'], read: ['**/a'] }],
    ['files', { protect: ['db'], read: ['db'] }],
    ['files', { protect: ['db/schema'], write: ['db'] }],
    ['files', { ephemeral: ['x'], write: ['x'] }],
    ['files', { read: ['x'], write: ['x'] }],
    ['network', { deny: ['example.com:25'], hosts: ['example.com'] }],
    ['network', { deny: ['a.example.com'], hosts: ['*.example.com'] }],
    ['network', { deny: ['*.example.com'], hosts: ['example.com'] }],
    ['network', { deny: ['10.1.0.0/16'], hosts: ['10.0.0.0/8'] }],
    ['network', { deny: ['any:25'], hosts: ['any'] }],
    ['network', { deny: ['127.0.0.1'], hosts: ['localhost'] }],
    ['sockets', { deny: ['/run/x'], allow: ['/run'] }],
    ['commands', { deny: ['git push'], allow: ['git'] }],
    ['commands', { ask: ['git push --force'], allow: ['git push'] }],
    ['environment', { deny: ['A'], pass: ['A_*'] }],
    ['tools', { deny: ['s/a'], allow: ['s/*'] }],
    ['registry', { deny: ['HKCU\\\\a'], allow: ['HKCU'] }],
  ])('[%s] %j is not a mistake', (section, lists) => {
    expect(unreachable(list(section, lists))).toEqual([]);
  });
});

describe('rules that an earlier one leaves nothing', () => {
  const rule = (table: string, name: string, body: string): string =>
    `[[${table}]]\nname = "${name}"\ndecision = "${name.startsWith('allow') ? 'allow' : 'deny'}"\n${body}\n`;

  test.each([
    ['file', 'paths = ["src"]', 'paths = ["src/a", "src/b/*"]'],
    ['file', 'paths = ["src", "doc"]', 'paths = ["doc/a", "src/b"]'],
    ['file', 'paths = ["src"]', 'paths = ["src/a"]\noperations = ["write"]'],
    ['file', 'paths = ["src"]\noperations = ["read", "write"]', 'paths = ["src"]\noperations = ["write"]'],
    ['exec', 'commands = ["git"]', 'commands = ["git push", "git pull *"]'],
    ['exec', 'commands = ["git"]', 'commands = ["git push"]\ncontext = "nested"'],
    ['exec', 'commands = ["git"]\ncontext = "nested"', 'commands = ["git push"]\ncontext = "nested"'],
    ['connect', 'hosts = ["*.a.test"]', 'hosts = ["x.a.test:443"]\nports = [80]'],
    ['connect', 'hosts = ["any"]\nprotocol = "udp"', 'hosts = ["x.test"]\nprotocol = "udp"'],
    ['connect', 'hosts = ["any"]\nports = [80, 443]', 'hosts = ["x.test"]\nports = [443]'],
    ['http', 'hosts = ["any"]', 'hosts = ["x.test"]\nmethods = ["GET"]\npaths = ["/a"]'],
    ['http', 'hosts = ["any"]\nmethods = ["GET", "POST"]', 'hosts = ["x.test"]\nmethods = ["POST"]'],
    ['dns', 'names = ["any"]', 'names = ["x.test"]\ntypes = ["TXT"]'],
    ['socket', 'addresses = ["@a*"]', 'addresses = ["@ab"]'],
    ['signal', '', 'signals = ["KILL"]'],
    ['signal', 'targets = ["box", "child"]', 'targets = ["box"]\nsignals = ["KILL"]'],
    ['env', 'names = ["A*"]', 'names = ["AB", "AC"]'],
    ['tool', 'tools = ["s/*"]', 'tools = ["s/a"]'],
    ['trust', 'paths = ["."]', 'paths = [".mcp.json"]'],
    ['registry_rule', 'keys = ["HKCU"]', 'keys = ["HKCU"]\noperations = ["write"]'],
  ])('[[%s]] %j before %j', (table, first, second) => {
    expect(unreachable(rule(table, 'allow-first', first) + rule(table, 'second', second))).toEqual([
      '"second" can never match: "allow-first" comes first and matches all of it',
    ]);
  });

  test.each([
    ['file', 'paths = ["src/a"]', 'paths = ["src"]'],
    ['file', 'paths = ["src/a"]', 'paths = ["src/a", "src/b"]'],
    ['file', 'paths = ["src"]\noperations = ["read"]', 'paths = ["src"]'],
    ['file', 'paths = ["src"]\noperations = ["read"]', 'paths = ["src"]\noperations = ["read", "write"]'],
    ['exec', 'commands = ["git push"]', 'commands = ["git"]'],
    ['exec', 'commands = ["git"]\ncontext = "nested"', 'commands = ["git"]'],
    ['exec', 'commands = ["git"]\ncontext = "nested"', 'commands = ["git"]\ncontext = "direct"'],
    ['connect', 'hosts = ["x.test:443"]', 'hosts = ["x.test"]'],
    ['connect', 'hosts = ["any"]\nprotocol = "udp"', 'hosts = ["any"]'],
    ['connect', 'hosts = ["any"]\nports = [80]', 'hosts = ["any"]\nports = [80, 443]'],
    ['http', 'hosts = ["any"]\nmethods = ["GET"]', 'hosts = ["any"]'],
    ['http', 'hosts = ["any"]\npaths = ["/a"]', 'hosts = ["any"]\npaths = ["/a", "/b"]'],
    ['dns', 'names = ["any"]\ntypes = ["TXT"]', 'names = ["any"]'],
    ['signal', 'signals = ["KILL"]', ''],
    ['signal', 'targets = ["box"]', 'signals = ["KILL"]'],
    ['env', 'names = ["AB"]', 'names = ["A*"]'],
    ['trust', `paths = ["."]\nsha256 = ["${'a'.repeat(64)}"]`, 'paths = ["."]'],
  ])('[%s] %j before %j is not a mistake', (table, first, second) => {
    expect(unreachable(rule(table, 'allow-first', first) + rule(table, 'second', second))).toEqual([]);
  });

  test.each([
    ['allow', 'git push --force', 'deny', 'git push --force', 'git push -f'],
    ['allow', 'git push', 'deny', 'git push --force', 'git push --forc'],
    ['allow', 'git push', 'ask', 'git push', 'git -C x push --odd'],
    ['allow', 'git *', 'audit', 'git push', 'git --odd push'],
  ])('%s %s before %s %s leaves it %s', (...[first, allowed, second, restricted]) => {
    const each = (decision: string, command: string): string =>
      `[[exec]]\nname = "${decision}"\ndecision = "${decision}"\ncommands = ["${command}"]\n`;
    expect(unreachable(each(first, allowed) + each(second, restricted))).toEqual([]);
    expect(unreachable(each(second, allowed) + each(first, restricted))).toEqual([
      `"${first}" can never match: "${second}" comes first and matches all of it`,
    ]);
    expect(
      unreachable(each(first, allowed) + each(`${first}`, restricted).replace('name = "allow"', 'name = "again"')),
    ).toEqual([`"again" can never match: "${first}" comes first and matches all of it`]);
  });

  test('rules of other tables are not compared', () => {
    expect(unreachable(rule('file', 'allow-a', 'paths = ["/"]') + rule('trust', 'b', 'paths = ["/"]'))).toEqual([]);
  });

  test.each([
    ['files', 'deny = ["src"]', 'file', 'paths = ["src/a"]'],
    ['commands', 'deny = ["git"]', 'exec', 'commands = ["git push"]'],
    ['network', 'deny = ["*.test"]', 'connect', 'hosts = ["a.test"]'],
    ['network', 'deny = ["*.test"]', 'http', 'hosts = ["a.test"]'],
    ['sockets', 'deny = ["@a*"]', 'socket', 'addresses = ["@ab"]'],
    ['environment', 'deny = ["A*"]', 'env', 'names = ["AB"]'],
    ['tools', 'deny = ["s/*"]', 'tool', 'tools = ["s/a"]'],
    ['registry', 'deny = ["HKCU"]', 'registry_rule', 'keys = ["HKCU"]'],
  ])('[%s] %s comes before every [[%s]]', (...[section, deny, table, body]) => {
    expect(unreachable(`[${section}]\n${deny}\n${rule(table, 'late', body)}`)).toEqual([
      `"late" can never match: "${section}.deny" comes first and matches all of it`,
    ]);
  });

  test('each rule is named once, by the first that shadows it', () => {
    const text =
      rule('file', 'allow-a', 'paths = ["src"]') +
      rule('file', 'b', 'paths = ["src"]') +
      rule('file', 'c', 'paths = ["src/x"]');
    expect(unreachable(text)).toEqual([
      '"b" can never match: "allow-a" comes first and matches all of it',
      '"c" can never match: "allow-a" comes first and matches all of it',
    ]);
  });
});
