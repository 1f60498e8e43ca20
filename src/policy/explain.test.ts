import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explanationFor } from './command/explain-command.ts';
import { decide } from './decide.ts';
import type { GrantSource } from './layers/compile-layer.ts';
import type { PolicyRequest } from './request.ts';
import { request as anyRequest } from './testing/arbitraries.ts';
import { policyFrom, type PolicyTexts } from './testing/policies.ts';
import {
  connect,
  dns,
  env,
  exec,
  file,
  hashOf,
  http,
  registry,
  signal,
  socket,
  tool,
  trust,
} from './testing/requests.ts';
import { wayText } from './words/verdict-of.ts';
import type { Way } from './words/ways.ts';
import { rounds } from '../../scripts/testing/extent.ts';

function onlyWay(texts: PolicyTexts, request: PolicyRequest): Way {
  const { wouldAllow } = explanationFor(policyFrom(texts), request);
  expect(wouldAllow).toHaveLength(1);
  return wouldAllow[0] as Way;
}

describe('the way to allow a request', () => {
  test.each<[PolicyRequest, string, readonly string[] | undefined]>([
    [file('read', '/srv/x'), 'files.read = ["/srv/x"]', ['--read', '/srv/x']],
    [file('execute', '/srv/x'), 'files.read = ["/srv/x"]', ['--read', '/srv/x']],
    [file('write', '/srv/x'), 'files.write = ["/srv/x"]', ['--write', '/srv/x']],
    [file('create', '/srv/./a//x'), 'files.write = ["/srv/a/x"]', ['--write', '/srv/a/x']],
    [file('delete', '/srv/a b'), 'files.write = ["/srv/a b"]', ['--write', '/srv/a b']],
    [file('read', '/srv/*'), `files.read = ['/srv/\\*']`, ['--read', '/srv/*']],
    [file('read', '/srv/"'), `files.read = ["/srv/\\""]`, ['--read', '/srv/"']],
    [file('read', '/srv/\u200b'), 'files.read = ["/srv/\\U0000200b"]', ['--read', '/srv/\u200b']],
    [connect('Example.com'), 'network.hosts = ["example.com:443"]', ['--host', 'example.com:443']],
    [connect('::1', 80), 'network.hosts = ["[::1]:80"]', ['--host', '[::1]:80']],
    [
      connect('time.test', 123, 'udp'),
      'connect = [{ name = "udp-123", decision = "allow", hosts = ["time.test:123"], protocol = "udp" }]',
      undefined,
    ],
    [http('POST', 'https://example.com/x'), 'network.hosts = ["example.com:443"]', ['--host', 'example.com:443']],
    [dns('example.com'), 'network.hosts = ["example.com"]', ['--host', 'example.com']],
    [socket('/run/x.sock'), 'sockets.allow = ["/run/x.sock"]', ['--socket', '/run/x.sock']],
    [socket('@a*b'), `sockets.allow = ['@a\\*b']`, ['--socket', '@a*b']],
    [env('MY_TOKEN'), 'environment.pass = ["MY_TOKEN"]', ['--env', 'MY_TOKEN']],
    [tool('github/x'), 'tools.allow = ["github/x"]', undefined],
    [
      trust('.mcp.json', hashOf('c')),
      `trust = [{ name = "trust-cccccccc", decision = "allow", paths = ["/home/dev/app/.mcp.json"], sha256 = ["${hashOf('c')}"] }]`,
      undefined,
    ],
    [registry('HKCU\\Software\\X'), `registry.allow = ['HKCU\\Software\\X']`, undefined],
  ])('%j', (request, line, flag) => {
    const way = onlyWay({}, request);
    const expected = { kind: 'add', layer: 'user', file: '~/.config/holdfast/policy.toml', line };
    expect(way).toEqual(flag === undefined ? expected : { ...expected, flag });
  });

  test.each<[PolicyRequest, RegExp]>([
    [file('read', '~/.ssh/id'), /credential stores never enter/],
    [file('write', 'holdfast.toml'), /would not be restricted/],
    [file('read', 'relative\0'), /no rule can name/],
    [signal('SIGKILL', 'outside'), /cannot leave the box/],
    [file('read', '/srv/a\nb'), /no network path/],
    [env('BASH_FUNC_x%%'), /no network path/],
  ])('no change would allow %j', (request, reason) => {
    const { wouldAllow } = explanationFor(policyFrom(), request);
    expect(wouldAllow).toContainEqual({
      kind: 'nothing',
      layer: expect.any(String),
      reason: expect.stringMatching(reason),
    });
  });

  test('a release for protected and hidden paths', () => {
    expect(onlyWay({}, file('write', '.vscode/x'))).toEqual({
      kind: 'add',
      layer: 'user',
      file: '~/.config/holdfast/policy.toml',
      line: 'files.release = ["/home/dev/app/.vscode"]',
    });
    expect(onlyWay({ user: '' }, file('read', '.env'))).toMatchObject({
      file: 'user.toml',
      line: 'files.release = ["/home/dev/app/.env"]',
    });
  });

  test('a release and a grant for hidden paths without a grant', () => {
    const { verdict, wouldAllow } = explanationFor(policyFrom(), file('read', '/srv/.env'));
    expect(verdict.code).toBe('hidden-file');
    expect(wouldAllow).toEqual([
      { kind: 'add', layer: 'user', file: '~/.config/holdfast/policy.toml', line: 'files.release = ["/srv/.env"]' },
      {
        kind: 'add',
        layer: 'user',
        file: '~/.config/holdfast/policy.toml',
        line: 'files.read = ["/srv/.env"]',
        flag: ['--read', '/srv/.env'],
      },
    ]);
    expect(verdict.remedy).toBe(
      'add files.release = ["/srv/.env"] to ~/.config/holdfast/policy.toml, and add files.read = ["/srv/.env"] to ~/.config/holdfast/policy.toml, or run with --read /srv/.env',
    );
  });

  test('a line of its own list where commands are listed, in the user policy and in a ceiling', () => {
    expect(onlyWay({ user: '[commands]\nallow = ["git"]' }, exec('npm', 'test'))).toEqual({
      kind: 'add',
      layer: 'user',
      file: 'user.toml',
      line: 'commands.allow = ["npm test"]',
    });
    expect(onlyWay({ project: '[commands]\nallow = ["git"]' }, exec('npm', 'test'))).toEqual({
      kind: 'add',
      layer: 'project',
      file: 'project.toml',
      line: 'commands.allow = ["npm test"]',
    });
    expect(onlyWay({ project: '[files]\nread = ["src"]' }, file('write', 'doc/x'))).toMatchObject({
      line: expect.stringMatching(/^files\.read = /u),
    });
  });

  test('the whole guarded path, not a part that the kernel could not give back', () => {
    const lineFor = (operation: 'read' | 'write' | 'delete', path: string): unknown => {
      const way = onlyWay({}, file(operation, path));
      return way.kind === 'add' ? way.line : way;
    };
    expect(lineFor('write', 'a/.VSCode/x/y')).toBe('files.release = ["/home/dev/app/a/.VSCode"]');
    expect(lineFor('write', '.git/modules/lib/hooks/x')).toBe(
      'files.release = ["/home/dev/app/.git/modules/lib/hooks"]',
    );
    expect(lineFor('read', 'a/.env.local')).toBe('files.release = ["/home/dev/app/a/.env.local"]');
    expect(lineFor('write', '.git')).toBe('files.release = ["/home/dev/app/.git"]');
    expect(lineFor('delete', '.github')).toEqual({
      kind: 'nothing',
      layer: 'user',
      reason: 'it would also remove or move protected files in it',
    });
  });

  test('the line to change for a file’s denial or rule', () => {
    expect(onlyWay({ user: '[files]\ndeny = ["src"]' }, file('read', 'src/x'))).toEqual({
      kind: 'change',
      layer: 'user',
      file: 'user.toml',
      at: 3,
      rule: 'files.deny[0]',
    });
    expect(
      onlyWay(
        { project: '[[exec]]\nname = "ask-push"\ndecision = "ask"\ncommands = ["git push"]' },
        exec('git', 'push'),
      ),
    ).toEqual({ kind: 'change', layer: 'project', file: 'project.toml', at: 2, rule: 'ask-push' });
  });

  test('a line for every layer that is in the way, and flags only for the user', () => {
    const texts = { user: '', project: '[files]\nread = ["src"]', managed: '[files]\nwrite = ["src"]' };
    expect(explanationFor(policyFrom(texts), file('write', '/srv/x')).wouldAllow).toEqual([
      { kind: 'add', layer: 'managed', file: 'managed.toml', line: 'files.write = ["/srv/x"]' },
      { kind: 'add', layer: 'user', file: 'user.toml', line: 'files.write = ["/srv/x"]', flag: ['--write', '/srv/x'] },
      { kind: 'add', layer: 'project', file: 'project.toml', line: 'files.read = ["/srv/x"]' },
    ]);
  });

  test('one for each request, although the rule is the same', () => {
    const policy = policyFrom();
    for (const [operation, path, line] of [
      ['write', 'a/.vscode/x', 'files.release = ["/home/dev/app/a/.vscode"]'],
      ['write', 'b/.vscode/x', 'files.release = ["/home/dev/app/b/.vscode"]'],
      ['read', 'a/.env', 'files.release = ["/home/dev/app/a/.env"]'],
      ['read', 'b/.env', 'files.release = ["/home/dev/app/b/.env"]'],
      ['read', '/srv/a', 'files.read = ["/srv/a"]'],
      ['read', '/srv/b', 'files.read = ["/srv/b"]'],
      ['write', '/srv/b', 'files.write = ["/srv/b"]'],
    ] as const) {
      expect(decide(policy, file(operation, path)).remedy).toContain(`add ${line} to ~/.config/holdfast/policy.toml`);
    }
    const bounded = policyFrom({ project: '[files]\nread = ["src"]' });
    for (const path of ['/home/dev/app/a', '/home/dev/app/b'])
      expect(decide(bounded, file('read', path)).remedy).toBe(`add files.read = ["${path}"] to project.toml`);
  });

  test('none for an allowed request', () => {
    expect(explanationFor(policyFrom(), file('read', '/usr/bin/env')).wouldAllow).toEqual([]);
    expect(
      explanationFor(
        policyFrom({ project: '[[file]]\nname = "a"\ndecision = "audit"\npaths = ["src"]' }),
        file('read', 'src/x'),
      ).wouldAllow,
    ).toEqual([]);
  });
});

describe('following the remedy allows the request', () => {
  test('by the line in the user policy', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const ways = explanationFor(policyFrom({ user: '' }), request).wouldAllow;
        fc.pre(ways.length > 0 && ways.every((way) => way.kind === 'add'));
        const lines = ways.flatMap((way) => (way.kind === 'add' ? [way.line] : []));
        expect(decide(policyFrom({ user: lines.join('\n') }), request).decision, lines.join('\n')).toBe('allow');
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('by the flag', () => {
    const policy = policyFrom();
    fc.assert(
      fc.property(anyRequest, (request) => {
        const [way, ...others] = explanationFor(policy, request).wouldAllow;
        fc.pre(others.length === 0 && way?.kind === 'add' && way.flag !== undefined);
        if (way?.kind !== 'add' || way.flag === undefined) return;
        expect(decide(policyFrom({ granted: [flagGrant(way.flag)] }), request).decision, way.flag.join(' ')).toBe(
          'allow',
        );
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('under any file name', () => {
    const name = fc
      .string({
        unit: fc.constantFrom('a', ' ', '*', '?', '\\', '{', '"', "'", '\u00e9', '\u202e', '$', '~', '#', '='),
        minLength: 1,
        maxLength: 6,
      })
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(name, fc.constantFrom('read', 'write'), (text, operation) => {
        const request = file(operation as 'read' | 'write', `/srv/${text}/x`);
        const way = onlyWay({ user: '' }, request);
        if (way.kind !== 'add') throw new Error(JSON.stringify(way));
        expect(decide(policyFrom({ user: way.line }), request).decision, way.line).toBe('allow');
        expect(decide(policyFrom({ user: way.line }), file('read', '/srv/y')).decision).toBe('deny');
      }),
      { numRuns: rounds(500) },
    );
  });

  test('for a ceiling, by the line in that file', () => {
    const request = file('write', 'doc/x');
    const way = onlyWay({ project: '[files]\nwrite = ["src"]' }, request);
    if (way.kind !== 'add') throw new Error();
    expect(decide(policyFrom({ project: way.line }), request).decision).toBe('allow');
  });
});

/** The grant that the command line makes from a flag: it escapes wildcards. */
function flagGrant([flag, value]: readonly [string, string]): GrantSource {
  const escaped = value.replaceAll(/[\\*?{}]/g, '\\$&');
  const grants: Readonly<Record<string, GrantSource['grants']>> = {
    '--read': { files: { read: [escaped] } },
    '--write': { files: { write: [escaped] } },
    '--host': { network: { hosts: [value] } },
    '--socket': { sockets: { allow: [escaped] } },
    '--env': { environment: { pass: [value] } },
  };
  return { name: flag, file: 'command line', grants: grants[flag] ?? {} };
}

describe('the trace', () => {
  test('has every layer in the order of authority, also those that abstain', () => {
    const { trace } = explanationFor(
      policyFrom({ user: '', managed: '', project: '[files]\nread = ["src"]', session: '' }),
      file('read', 'src/x'),
    );
    expect(trace.map(({ kind, layer }) => [kind, layer])).toEqual([
      ['abstains', 'required'],
      ['abstains', 'managed'],
      ['answers', 'user'],
      ['answers', 'project'],
      ['abstains', 'session'],
    ]);
    expect(trace.map(({ file: name }) => name)).toEqual([
      'built-in',
      'managed.toml',
      'user.toml',
      'project.toml',
      'session.toml',
    ]);
  });

  test('holds the verdict of each layer', () => {
    const { trace } = explanationFor(policyFrom({ project: '[files]\nread = ["src"]' }), file('read', 'doc/x'));
    expect(trace[1]).toMatchObject({
      verdict: { decision: 'allow', layer: 'user' },
      because: 'the built-in files.write:. grants it (the workspace)',
    });
    expect(trace[2]).toMatchObject({
      verdict: { decision: 'deny', code: 'outside-ceiling' },
      because: 'files.read of project.toml:3 does not include it',
    });
  });
});

describe('in words', () => {
  test.each<[PolicyTexts, PolicyRequest, string, string]>([
    [
      {},
      file('read', '/srv/x'),
      'reading /srv/x is refused: nothing in the policy grants it',
      'add files.read = ["/srv/x"] to ~/.config/holdfast/policy.toml, or run with --read /srv/x',
    ],
    [
      {},
      file('read', '~/.ssh/id'),
      'reading /home/dev/.ssh/id is refused: it is a credential store (SSH keys and known hosts)',
      'nothing would allow it: credential stores never enter the box',
    ],
    [
      {},
      file('write', '.git/hooks/x'),
      'writing /home/dev/app/.git/hooks/x is refused: it is a protected path (git runs hooks outside the box)',
      'add files.release = ["/home/dev/app/.git/hooks"] to ~/.config/holdfast/policy.toml',
    ],
    [
      {},
      file('read', '.env'),
      'reading /home/dev/app/.env is refused: it is a hidden file (environment files hold secrets)',
      'add files.release = ["/home/dev/app/.env"] to ~/.config/holdfast/policy.toml',
    ],
    [
      {},
      file('write', 'holdfast.toml'),
      'writing /home/dev/app/holdfast.toml is refused: it belongs to the policy (it is the policy of this project)',
      'nothing would allow it: a box that could change its policy would not be restricted by it',
    ],
    [
      { project: '[files]\nread = ["src"]' },
      file('read', 'doc'),
      'reading /home/dev/app/doc is refused: files.read of project.toml:3 does not include it',
      'add files.read = ["/home/dev/app/doc"] to project.toml',
    ],
    [
      { user: '[files]\ndeny = ["src"]' },
      file('read', 'src'),
      'reading /home/dev/app/src is refused: files.deny[0] of user.toml:3 rules it out',
      'change files.deny[0] in user.toml line 3',
    ],
    [
      { user: '[commands]\nask = ["git push *"]' },
      exec('git', 'push', 'origin'),
      'running git push origin waits for approval: commands.ask[0] of user.toml:3 says so',
      'approve it when asked, or change commands.ask[0] in user.toml line 3',
    ],
    [
      {},
      connect('example.com'),
      'connecting to example.com:443 is refused: nothing in the policy grants it',
      'add network.hosts = ["example.com:443"] to ~/.config/holdfast/policy.toml, or run with --host example.com:443',
    ],
    [
      {},
      connect('2001:db8::1'),
      'connecting to [2001:db8::1]:443 is refused: nothing in the policy grants it',
      expect.stringContaining("--host '[2001:db8::1]:443'") as unknown as string,
    ],
    [
      {},
      connect('example.com', 53, 'udp'),
      'connecting to example.com:53 over UDP is refused: nothing in the policy grants it',
      expect.stringContaining('protocol = "udp"') as unknown as string,
    ],
    [
      {},
      http('GET', 'https://example.com/a'),
      'GET https://example.com:443/a is refused: nothing in the policy grants it',
      expect.stringContaining('--host') as unknown as string,
    ],
    [
      {},
      dns('example.com', 'TXT'),
      'looking up example.com (TXT) is refused: nothing in the policy grants it',
      expect.stringContaining('--host') as unknown as string,
    ],
    [
      {},
      socket('/run/docker.sock'),
      'connecting to the socket /run/docker.sock is refused: nothing in the policy grants it',
      'add sockets.allow = ["/run/docker.sock"] to ~/.config/holdfast/policy.toml, or run with --socket /run/docker.sock',
    ],
    [
      {},
      socket('/run/x', 'bind'),
      'binding the socket /run/x is refused: nothing in the policy grants it',
      expect.stringContaining('--socket') as unknown as string,
    ],
    [
      {},
      signal('SIGKILL', 'outside'),
      'sending SIGKILL to a process outside the box is refused: the built-in signal.outside-box rules it out (signals cannot leave the box)',
      'nothing would allow it: signals cannot leave the box',
    ],
    [
      {},
      env('MY_TOKEN'),
      'passing the variable MY_TOKEN is refused: nothing in the policy grants it',
      'add environment.pass = ["MY_TOKEN"] to ~/.config/holdfast/policy.toml, or run with --env MY_TOKEN',
    ],
    [
      {},
      tool('a/b'),
      'calling the tool a/b waits for approval: nothing in the policy grants it',
      'approve it when asked, or add tools.allow = ["a/b"] to ~/.config/holdfast/policy.toml',
    ],
    [
      {},
      trust('.mcp.json'),
      'using /home/dev/app/.mcp.json waits for approval: nothing in the policy grants it',
      expect.stringContaining('approve it when asked, or add trust = [') as unknown as string,
    ],
    [
      {},
      registry('HKCU\\X', 'write'),
      'writing the registry key HKCU\\X is refused: nothing in the policy grants it',
      `add registry.allow = ['HKCU\\X'] to ~/.config/holdfast/policy.toml`,
    ],
    [
      {},
      file('read', ''),
      'reading  is refused: it is not a valid request (programs need a name, paths are absolute, hosts are names or addresses, and none has control characters)',
      'nothing would allow it: no rule can name an invalid path, host or name',
    ],
    [
      {},
      file('read', '/usr/bin/env'),
      'allowed: the built-in system:/usr grants it (programs and libraries of the system)',
      'nothing is needed: it is allowed',
    ],
  ])('%#: %j %j', (...[texts, request, message, remedy]) => {
    expect(decide(policyFrom(texts), request)).toMatchObject({ message, remedy });
  });

  test('a path cannot forge a line, repaint one or swap its words', () => {
    const { message, remedy } = decide(policyFrom(), file('read', '/srv/x\nholdfast: allowed\u001b[2K\u202e'));
    expect(message).toBe(
      'reading /srv/x\\u{a}holdfast: allowed\\u{1b}[2K\\u{202e} is refused: nothing in the policy grants it',
    );
    expect(remedy).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test('a long path is cut', () => {
    expect(decide(policyFrom(), file('read', `/srv/${'x'.repeat(5000)}`)).message.length).toBeLessThan(500);
  });

  test('a flag is quoted for the shell', () => {
    expect(wayText(onlyWay({}, file('read', "/srv/it's; rm")))).toContain(`--read '/srv/it'\\''s; rm'`);
  });
});
