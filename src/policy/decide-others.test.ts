import { describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import type { PolicyRequest } from './request.ts';
import { policyFrom, type PolicyTexts } from './testing/policies.ts';
import { env, exec, hashOf, registry, signal, socket, tool, trust } from './testing/requests.ts';
import type { Verdict } from './verdict.ts';

const ask = (texts: PolicyTexts, request: PolicyRequest): Verdict => decide(policyFrom(texts), request);

describe('commands', () => {
  test('run by default: the box contains them', () => {
    expect(ask({}, exec('rm', '-rf', '/'))).toMatchObject({
      decision: 'allow',
      code: 'granted',
      rule: 'commands.default',
    });
    expect(ask({}, exec(''))).toMatchObject({ decision: 'deny', code: 'unrepresentable' });
  });

  const user = `[commands]
ask = ["git push *"]
deny = ["rm -rf *", "curl"]
[[exec]]
name = "force"
decision = "deny"
reason = "history is shared"
commands = ["git push --force *"]
[[exec]]
name = "nested-sh"
decision = "audit"
commands = ["sh -c *"]
context = "nested"
`;

  test.each([
    [exec('git', 'push', 'origin'), 'ask', 'commands.ask[0]'],
    [exec('git', 'push'), 'allow', 'commands.default'],
    [exec('git', 'push', '--force', 'origin'), 'deny', 'force'],
    [exec('rm', '-rf', 'x'), 'deny', 'commands.deny[0]'],
    [exec('curl'), 'deny', 'commands.deny[1]'],
    [{ ...exec('curl'), program: '/usr/bin/curl' }, 'deny', 'commands.deny[1]'],
    [{ ...exec('curl'), program: '/tmp/x/curl' }, 'deny', 'commands.deny[1]'],
    [{ ...exec('curl'), program: '/usr/bin/other' }, 'deny', 'commands.deny[1]'],
    [{ ...exec('sh', '-c', 'x'), context: 'nested' as const }, 'audit', 'nested-sh'],
    [exec('sh', '-c', 'x'), 'allow', 'commands.default'],
  ])('%j: %s by %s', (request, decision, rule) => {
    expect(ask({ user }, request)).toMatchObject({ decision, rule });
  });

  test('a list of allowed ones refuses all others, in every layer', () => {
    const list = '[commands]\nallow = ["git *", "npm test", "./build.sh", "~/bin/tool"]\nask = ["git push *"]';
    for (const layer of ['user', 'project', 'managed', 'session'] as const) {
      const texts = { [layer]: list };
      expect(ask(texts, exec('git', 'status')).decision).toBe('allow');
      expect(ask(texts, exec('git', 'push', 'x')).decision).toBe('ask');
      expect(ask(texts, exec('npm', 'test', '--', 'x')).decision).toBe('allow');
      expect(ask(texts, exec('npm', 'publish'))).toMatchObject({
        decision: 'deny',
        layer,
        code: layer === 'user' ? 'not-granted' : 'outside-ceiling',
      });
      expect(ask(texts, { ...exec('git', 'status'), program: '/usr/bin/git' }).decision).toBe('allow');
    }
  });

  test('no planted program passes for an allowed one', () => {
    const texts = { user: '[commands]\nallow = ["git", "./build.sh", "~/bin/tool"]' };
    for (const program of [
      '/home/dev/app/git',
      '/home/dev/app/node_modules/.bin/git',
      '/tmp/git',
      '/var/tmp/x/git',
      '/dev/shm/git',
      './git',
      '/usr/../tmp/git',
    ]) {
      expect(ask(texts, { ...exec('git'), program }).decision, program).toBe('deny');
    }
    expect(ask(texts, { ...exec('build.sh'), program: '/home/dev/app/build.sh' }).decision).toBe('allow');
    expect(ask(texts, { ...exec('build.sh'), program: '/home/dev/app/sub/build.sh' }).decision).toBe('deny');
    expect(ask(texts, { ...exec('tool'), program: '/home/dev/bin/tool' }).decision).toBe('allow');
  });
});

describe('sockets', () => {
  const user =
    '[sockets]\nallow = ["/run/app.sock", "@app*", "~/.sock/*"]\ndeny = ["@app-secret"]\n[[socket]]\nname = "no-bind"\ndecision = "deny"\naddresses = ["/run"]\noperations = ["bind"]';

  test.each([
    [socket('/run/app.sock'), 'allow', 'sockets.allow[0]'],
    [socket('/run/./app.sock'), 'allow', 'sockets.allow[0]'],
    [socket('/run/app.sock', 'send'), 'allow', 'sockets.allow[0]'],
    [socket('/run/app.sock', 'bind'), 'deny', 'no-bind'],
    [socket('/run/docker.sock'), 'deny', 'sockets.allow.default'],
    [socket('@app-1'), 'allow', 'sockets.allow[1]'],
    [socket('@app-secret'), 'deny', 'sockets.deny[0]'],
    [socket('@other'), 'deny', 'sockets.allow.default'],
    [socket('/home/dev/.sock/x'), 'allow', 'sockets.allow[2]'],
    [socket('relative.sock'), 'deny', 'request'],
    [socket('/run/\0'), 'deny', 'request'],
    [socket('@\ud800'), 'deny', 'request'],
  ])('%j: %s by %s', (request, decision, rule) => {
    expect(ask({ user }, request)).toMatchObject({ decision, rule });
  });

  test.each([
    '/run/docker.sock',
    '/var/run/docker.sock',
    '/run/user/1000/bus',
    '/tmp/ssh-x/agent.1',
    '/tmp/.X11-unix/X0',
    '@/tmp/.X11-unix/X0',
  ])('%s of the host is closed', (address) => {
    expect(ask({}, socket(address)).decision).toBe('deny');
  });

  test('a ceiling narrows', () => {
    expect(ask({ user, project: '[sockets]\nallow = []' }, socket('/run/app.sock')).code).toBe('outside-ceiling');
    expect(ask({ project: '[sockets]\nallow = ["/run"]' }, socket('/run/app.sock')).code).toBe('not-granted');
  });
});

describe('signals', () => {
  test.each([
    ['self', 'allow'],
    ['child', 'allow'],
    ['box', 'allow'],
    ['supervisor', 'deny'],
    ['outside', 'deny'],
  ] as const)('to %s: %s', (target, decision) => {
    expect(ask({}, signal('SIGTERM', target)).decision).toBe(decision);
  });

  test('no rule opens the way out', () => {
    const user = '[[signal]]\nname = "open"\ndecision = "allow"';
    expect(ask({ user }, signal('SIGTERM', 'outside'))).toMatchObject({
      decision: 'deny',
      layer: 'required',
      rule: 'signal.outside-box',
    });
    expect(ask({ user }, signal('SIGTERM', 'supervisor')).layer).toBe('required');
  });

  test('names are compared with and without SIG, in any case', () => {
    const project = '[[signal]]\nname = "no-kill"\ndecision = "deny"\nsignals = ["kill", "SIGSTOP"]\ntargets = ["box"]';
    for (const name of ['SIGKILL', 'KILL', 'sigkill', 'Stop'])
      expect(ask({ project }, signal(name, 'box')).rule).toBe('no-kill');
    expect(ask({ project }, signal('SIGTERM', 'box')).decision).toBe('allow');
    expect(ask({ project }, signal('SIGKILL', 'child')).decision).toBe('allow');
  });
});

describe('variables', () => {
  test.each([
    'PATH',
    'HOME',
    'USER',
    'LANG',
    'LC_ALL',
    'TERM',
    'TZ',
    'EDITOR',
    'CI',
    'NODE_ENV',
    'JAVA_HOME',
    'GOPATH',
    'CARGO_HOME',
    'VIRTUAL_ENV',
    'COLUMNS',
    'NO_COLOR',
    'PNPM_HOME',
  ])('%s passes', (name) => {
    expect(ask({}, env(name))).toMatchObject({ decision: 'allow' });
  });

  test.each([
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'PYTHONSTARTUP',
    'BASH_ENV',
    'GIT_SSH_COMMAND',
    'SSH_AUTH_SOCK',
    'DBUS_SESSION_BUS_ADDRESS',
    'DISPLAY',
    'ANYTHING',
    'path',
    'LC',
    'DATABASE_URL',
  ])('%s stays outside', (name) => {
    expect(ask({}, env(name))).toMatchObject({ decision: 'deny', code: 'not-granted' });
  });

  test.each(['', 'A=B', 'A\0B', 'A\ud800'])('%j is not a variable', (name) => {
    expect(ask({ user: '[environment]\npass = ["*"]' }, env(name)).code).toBe('unrepresentable');
  });

  test('a wildcard lets no secret and no loader pass, a name does', () => {
    const open = { user: '[environment]\npass = ["*"]' };
    for (const name of ['MY_SETTING', 'DISPLAY', 'FOO']) expect(ask(open, env(name)).decision, name).toBe('allow');
    for (const name of [
      'MY_TOKEN',
      'API_KEY',
      'DB_PASSWORD',
      'LD_PRELOAD',
      'NODE_OPTIONS',
      'PYTHONPATH',
      'GIT_DIR',
      'DATABASE_URL',
      'npm_config_userconfig',
      'BASH_FUNC_x%%',
    ])
      expect(ask(open, env(name)).decision, name).toBe('deny');
    expect(ask({ user: '[environment]\npass = ["MY_TOKEN"]' }, env('MY_TOKEN')).decision).toBe('allow');
    expect(ask({ user: '[[env]]\nname = "all"\ndecision = "allow"\nnames = ["*"]' }, env('MY_TOKEN')).decision).toBe(
      'deny',
    );
  });

  test('a wildcard that refuses covers secrets too', () => {
    const texts = { user: '[environment]\npass = ["A_TOKEN"]', project: '[environment]\ndeny = ["A_*"]' };
    expect(ask(texts, env('A_TOKEN'))).toMatchObject({ decision: 'deny', layer: 'project' });
  });

  test('ceilings and rules narrow', () => {
    expect(ask({ project: '[environment]\npass = ["LANG"]' }, env('PATH'))).toMatchObject({
      decision: 'deny',
      code: 'outside-ceiling',
    });
    expect(ask({ project: '[environment]\npass = ["LANG"]' }, env('LANG')).decision).toBe('allow');
    expect(ask({ project: '[environment]\npass = ["X"]' }, env('X')).code).toBe('not-granted');
    expect(
      ask({ project: '[[env]]\nname = "ask"\ndecision = "ask"\nnames = ["EDITOR"]' }, env('EDITOR')).decision,
    ).toBe('ask');
  });

  test('a variable that a policy sets is passed', () => {
    expect(ask({ user: '[environment.set]\nMY_TOKEN = "x"' }, env('MY_TOKEN'))).toMatchObject({
      decision: 'allow',
      rule: 'environment.set.MY_TOKEN',
      line: 3,
    });
  });
});

describe('tools', () => {
  const user =
    '[tools]\nallow = ["github/get_*", "local"]\nask = ["local/write"]\ndeny = ["*/delete_*"]\n[[tool]]\nname = "audit-search"\ndecision = "audit"\ntools = ["github/search"]';

  test.each([
    [tool('github/get_issue'), 'allow', 'tools.allow[0]'],
    [tool('github/create_issue'), 'ask', 'tools.default'],
    [tool('github/delete_repo'), 'deny', 'tools.deny[0]'],
    [tool('github/search'), 'audit', 'audit-search'],
    [tool('local/anything'), 'allow', 'tools.allow[1]'],
    [tool('local/write'), 'ask', 'tools.ask[0]'],
    [tool('localx/anything'), 'ask', 'tools.default'],
    [{ ...tool('a/b'), server: 'a/b' }, 'deny', 'request'],
    [{ ...tool('a/b'), server: '' }, 'deny', 'request'],
    [{ ...tool('a/b'), tool: '' }, 'deny', 'request'],
    [{ ...tool('a/b'), tool: 'x\n' }, 'deny', 'request'],
  ])('%j: %s by %s', (request, decision, rule) => {
    expect(ask({ user }, request)).toMatchObject({ decision, rule });
  });

  test('a list of allowed ones is a ceiling in later layers', () => {
    expect(ask({ user, project: '[tools]\nallow = ["local"]' }, tool('github/get_issue'))).toMatchObject({
      decision: 'deny',
      layer: 'project',
    });
    expect(ask({ project: '[tools]\nallow = ["local"]' }, tool('local/x')).decision).toBe('ask');
  });
});

describe('trust', () => {
  const user = `[[trust]]\nname = "known"\ndecision = "allow"\npaths = [".mcp.json"]\nsha256 = ["${hashOf('a')}"]\n[[trust]]\nname = "never"\ndecision = "deny"\npaths = ["vendor"]`;

  test.each([
    [trust('.mcp.json', hashOf('a')), 'allow', 'known'],
    [trust('.mcp.json', hashOf('b')), 'ask', 'trust.default'],
    [trust('other', hashOf('a')), 'ask', 'trust.default'],
    [trust('vendor/x', hashOf('a')), 'deny', 'never'],
    [trust('VENDOR/x', hashOf('a')), 'ask', 'trust.default'],
    [trust('.mcp.json', 'A'.repeat(64)), 'deny', 'request'],
    [trust('.mcp.json', ''), 'deny', 'request'],
    [{ ...trust('x'), path: 'relative' }, 'deny', 'request'],
  ])('%j: %s by %s', (request, decision, rule) => {
    expect(ask({ user }, request)).toMatchObject({ decision, rule });
  });

  test('a project cannot trust itself', () => {
    expect(ask({ project: user }, trust('.mcp.json', hashOf('a'))).decision).toBe('ask');
  });
});

describe('the registry', () => {
  const user =
    "[registry]\nallow = ['HKCU\\Software\\Example', 'HKCU\\Software\\*\\Settings']\ndeny = ['HKCU\\Software\\Example\\Run']\n[[registry_rule]]\nname = 'ask-delete'\ndecision = 'ask'\nkeys = ['HKCU\\Software']\noperations = ['delete']";

  test.each([
    [registry('HKCU\\Software\\Example'), 'allow'],
    [registry('HKCU\\Software\\Example\\Sub', 'write'), 'allow'],
    [registry('HKEY_CURRENT_USER\\SOFTWARE\\example'), 'allow'],
    [registry('HKCU\\Software\\Other\\Settings\\x'), 'allow'],
    [registry('HKCU\\Software\\Examples'), 'deny'],
    [registry('HKCU\\Software\\Example\\Run\\x', 'write'), 'deny'],
    [registry('HKCU\\Software\\Example\\RUN'), 'deny'],
    [registry('HKCU\\Software\\Example', 'delete'), 'deny'],
    [registry('HKCU\\Software\\Example\\Sub', 'delete'), 'ask'],
    [registry('HKLM\\Software\\Example'), 'deny'],
    [registry(''), 'deny'],
  ])('%j: %s', (request, decision) => {
    expect(ask({ user }, request).decision).toBe(decision);
  });

  test('is closed by default', () => {
    expect(ask({}, registry('HKCU\\Software'))).toMatchObject({ decision: 'deny', code: 'not-granted' });
  });
});
