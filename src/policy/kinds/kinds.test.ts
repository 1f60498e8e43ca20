import { describe, expect, test } from 'vitest';
import type { PathPattern } from '../patterns/path-pattern.ts';
import { pathQuery, patternRoots } from '../patterns/resolve-path.ts';
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
} from '../testing/requests.ts';
import { envFinder, envQuery, envRuleClauses } from './env.ts';
import { execIndex, execRuleClauses } from './exec.ts';
import {
  everyOperation,
  fileIndex,
  fileQuery,
  fileRuleClauses,
  isWriting,
  readOperations,
  writeOperations,
} from './file.ts';
import {
  connectQuery,
  connectRuleClauses,
  dnsQuery,
  dnsRuleClauses,
  hostFinder,
  httpQuery,
  httpRuleClauses,
  onEveryPort,
} from './host.ts';
import { knownCommand, knownHost, knownPath, knownPorts } from './known-pattern.ts';
import { registryFinder, registryQuery, registryRuleClauses } from './registry.ts';
import { type Effect, signalFinder, signalName, signalRuleClauses } from './signal.ts';
import { toolFinder, toolQuery, toolRuleClauses } from './tool.ts';
import { socketFinder, socketQuery, socketRuleClauses, trustFinder, trustQuery, trustRuleClauses } from './trust.ts';

const roots = patternRoots({ home: '/home/dev', workspace: '/home/dev/app' });
const clause = <Value>(value: Value, effect: Effect = 'restricts') => ({ value, effect });
const named = { name: 'r', decision: 'deny' } as const;

describe('file', () => {
  test('operations fall into reading and writing', () => {
    for (const operation of ['read', 'execute'] as const)
      expect(isWriting(fileQuery(file(operation, '/a')) ?? pathQuery([], writeOperations))).toBe(false);
    for (const operation of ['write', 'create', 'delete'] as const)
      expect(isWriting(fileQuery(file(operation, '/a')) ?? pathQuery([], 0))).toBe(true);
    expect(readOperations & writeOperations).toBe(0);
    expect(readOperations | writeOperations).toBe(everyOperation);
  });

  test('a query has the components of the normal path', () => {
    expect(fileQuery(file('read', '/a/./b//c/../d'))?.components).toEqual(['a', 'b', 'd']);
    expect(fileQuery({ kind: 'file', operation: 'read', path: 'a' })).toBeUndefined();
  });

  test('a rule without operations is about all of them', () => {
    expect(
      fileRuleClauses({ ...named, paths: ['a', 'b'] }, clause(1)).map(({ matcher }) => matcher.operations),
    ).toEqual([everyOperation, everyOperation]);
    expect(
      fileRuleClauses({ ...named, paths: ['a'], operations: ['read', 'execute'] }, clause(1))[0]?.matcher.operations,
    ).toBe(readOperations);
  });

  test('the first clause that matches counts', () => {
    const clauses = [
      ...fileRuleClauses({ ...named, paths: ['src/*.ts'], operations: ['write'] }, clause('first')),
      ...fileRuleClauses({ ...named, paths: ['src'] }, clause('second')),
    ];
    const index = fileIndex(clauses, roots);
    const ask = (request: ReturnType<typeof file>) => index.first(fileQuery(request) ?? pathQuery([], 0))?.value;
    expect(ask(file('write', 'src/a.ts'))).toBe('first');
    expect(ask(file('read', 'src/a.ts'))).toBe('second');
    expect(ask(file('delete', 'src'))).toBe('second');
    expect(ask(file('read', 'doc'))).toBeUndefined();
  });

  test('denials fold names and look upwards, grants do neither', () => {
    const ask = (effect: Effect, request: ReturnType<typeof file>) =>
      fileIndex(fileRuleClauses({ ...named, paths: ['**/Secret/key'] }, clause(true, effect)), roots).first(
        fileQuery(request) ?? pathQuery([], 0),
      )?.value;
    expect(ask('restricts', file('read', 'SECRET/KEY'))).toBe(true);
    expect(ask('allows', file('read', 'SECRET/KEY'))).toBeUndefined();
    expect(ask('allows', file('read', 'Secret/key'))).toBe(true);
    expect(ask('restricts', file('delete', 'Secret'))).toBe(true);
    expect(ask('allows', file('delete', 'Secret'))).toBeUndefined();
  });
});

describe('exec', () => {
  const ask = (commands: readonly string[], effect: Effect, request: ReturnType<typeof exec>) =>
    execIndex(execRuleClauses({ ...named, commands: [...commands] }, clause(true, effect)), roots).first(request)
      ?.value;

  test.each([
    [['git push'], 'allows', exec('git', 'push'), true],
    [['git push'], 'allows', { ...exec('git', 'push'), program: '/usr/bin/git' }, true],
    [['git push'], 'allows', { ...exec('git', 'push'), program: '/home/dev/app/bin/git' }, undefined],
    [['git push'], 'restricts', { ...exec('git', 'push'), program: '/home/dev/app/bin/git' }, true],
    [['./run.sh'], 'allows', { ...exec('run.sh'), program: '/home/dev/app/run.sh' }, true],
    [['scripts/run.sh'], 'allows', { ...exec('run.sh'), program: '/home/dev/app/scripts/run.sh' }, true],
    [['~/bin/x'], 'allows', { ...exec('x'), program: '/home/dev/bin/x' }, true],
    [['/opt/x'], 'allows', { ...exec('x'), program: '/opt/x' }, true],
    [['/opt/x'], 'allows', { ...exec('x'), program: '/opt/y' }, undefined],
  ] as const)('%j (%s) of %j: %s', (...[commands, effect, request, expected]) => {
    expect(ask(commands, effect, request)).toBe(expected);
  });

  test('a workspace with wildcards in its name is only itself', () => {
    const odd = patternRoots({ home: '/h', workspace: '/w/*' });
    const index = execIndex(execRuleClauses({ ...named, commands: ['./x'] }, clause(true, 'allows')), odd);
    expect(index.first({ ...exec('x'), program: '/w/*/x' })?.value).toBe(true);
    expect(index.first({ ...exec('x'), program: '/w/other/x' })).toBeUndefined();
  });

  test('a context is asked for', () => {
    const index = execIndex(execRuleClauses({ ...named, commands: ['sh'], context: 'nested' }, clause(true)), roots);
    expect(index.first({ ...exec('sh'), context: 'nested' })?.value).toBe(true);
    expect(index.first(exec('sh'))).toBeUndefined();
  });
});

describe('host', () => {
  test('queries have one spelling of the host, and a port that exists', () => {
    expect(connectQuery(connect('EXAMPLE.com.', 1))?.host.text).toBe('example.com');
    expect(connectQuery(connect('example.com', 65_535))?.port).toBe(65_535);
    for (const port of [0, -1, 65_536, 1.5, Number.NaN])
      expect(connectQuery(connect('example.com', port))).toBeUndefined();
    expect(httpQuery(http('GET', 'https://a.test/%61'))?.request.path).toBe('/a');
    expect(dnsQuery(dns('a..b'))).toBeUndefined();
    expect(dnsQuery(dns('A.test'))).toMatchObject({ host: { text: 'a.test' }, port: 0 });
  });

  test('ports of a rule hold for the hosts that name none', () => {
    const patterns = connectRuleClauses(
      { ...named, hosts: ['a.test', 'b.test:1'], ports: [80, '90-91'] },
      clause(1),
    ).map(({ matcher }) => [matcher.pattern.source, matcher.pattern.ports]);
    expect(patterns).toEqual([
      ['a.test', { from: 80, to: 80 }],
      ['a.test', { from: 90, to: 91 }],
      ['b.test:1', { from: 1, to: 1 }],
    ]);
  });

  test('a protocol is asked for', () => {
    const find = hostFinder(connectRuleClauses({ ...named, hosts: ['any'], protocol: 'udp' }, clause(true)));
    const ask = (protocol: 'tcp' | 'udp') => find.first({ text: 'a.test' }, 53, connect('a.test', 53, protocol))?.value;
    expect([ask('udp'), ask('tcp')]).toEqual([true, undefined]);
  });

  test('schemes, methods and paths are asked for together', () => {
    const find = hostFinder(
      httpRuleClauses(
        { ...named, hosts: ['any'], schemes: ['https'], methods: ['get'], paths: ['/a/*', '/b'] },
        clause(true),
      ),
    );
    const ask = (method: string, url: string) => {
      const query = httpQuery(http(method, url));
      return query === undefined ? undefined : find.first(query.host, query.port, query.request)?.value;
    };
    expect(ask('GET', 'https://x.test/a/1')).toBe(true);
    expect(ask('get', 'https://x.test/b')).toBe(true);
    expect(ask('POST', 'https://x.test/b')).toBeUndefined();
    expect(ask('GET', 'http://x.test/b')).toBeUndefined();
    expect(ask('GET', 'https://x.test/c')).toBeUndefined();
    expect(ask('GET', 'https://x.test/a')).toBeUndefined();
  });

  test('record types are asked for, in any case', () => {
    const find = hostFinder(dnsRuleClauses({ ...named, names: ['any'], types: ['txt'] }, clause(true)));
    expect(find.first({ text: 'a.test' }, 0, dns('a.test', 'TXT'))?.value).toBe(true);
    expect(find.first({ text: 'a.test' }, 0, dns('a.test', 'a'))).toBeUndefined();
  });

  test('a name is looked up before its port is known', () => {
    expect(onEveryPort(knownHost('a.test:443'))).toEqual({
      kind: 'host',
      source: 'a.test:443',
      host: { kind: 'exact', text: 'a.test' },
    });
  });
});

describe('socket', () => {
  const find = socketFinder(
    [
      ...socketRuleClauses({ ...named, addresses: ['/run/*.sock', '@x*'], operations: ['connect'] }, clause('connect')),
      ...socketRuleClauses({ ...named, addresses: ['/run', '@'] }, clause('all')),
    ],
    roots,
  );
  const ask = (address: string, operation: 'connect' | 'bind' | 'send' = 'connect') => {
    const query = socketQuery(socket(address, operation));
    return query === undefined ? 'none' : find(query);
  };

  test.each([
    ['/run/a.sock', 'connect', 'connect'],
    ['/run/a.sock', 'bind', 'all'],
    ['/run/a/b.sock', 'connect', 'all'],
    ['/RUN/a.sock', 'connect', undefined],
    ['/srv/a', 'connect', undefined],
    ['@xyz', 'connect', 'connect'],
    ['@xyz', 'send', undefined],
    ['@', 'bind', 'all'],
    ['@y', 'connect', undefined],
    ['relative', 'connect', 'none'],
    ['', 'connect', 'none'],
  ] as const)('%s %s: %s', (address, operation, expected) => {
    expect(ask(address, operation)).toBe(expected);
  });
});

describe('signal', () => {
  test.each([
    ['kill', 'SIGKILL'],
    ['SIGKILL', 'SIGKILL'],
    ['sigterm', 'SIGTERM'],
    ['RTMIN+1', 'SIGRTMIN+1'],
  ])('%s is %s', (name, expected) => {
    expect(signalName(name)).toBe(expected);
  });

  test('signals and targets are asked for together', () => {
    const find = signalFinder([
      ...signalRuleClauses({ ...named, signals: ['kill'], targets: ['box'] }, clause('both')),
      ...signalRuleClauses({ ...named, targets: ['child'] }, clause('target')),
      ...signalRuleClauses({ ...named, signals: ['STOP'] }, clause('signal')),
    ]);
    expect(find(signal('KILL', 'box'))).toBe('both');
    expect(find(signal('TERM', 'box'))).toBeUndefined();
    expect(find(signal('KILL', 'child'))).toBe('target');
    expect(find(signal('STOP', 'self'))).toBe('signal');
    expect(signalFinder(signalRuleClauses(named, clause('any')))(signal('X', 'self'))).toBe('any');
  });
});

describe('env', () => {
  const ask = (names: readonly string[], effect: Effect, name: string) =>
    envFinder(envRuleClauses({ ...named, names: [...names] }, clause(true, effect)))(env(name));

  test.each([
    [['A'], 'allows', 'A', true],
    [['A*'], 'allows', 'AB', true],
    [['A*'], 'allows', 'A_TOKEN', undefined],
    [['A_TOKEN'], 'allows', 'A_TOKEN', true],
    [['A*'], 'restricts', 'A_TOKEN', true],
    [['A'], 'allows', 'a', undefined],
  ] as const)('%j (%s) of %s: %s', (...[names, effect, name, expected]) => {
    expect(ask(names, effect, name)).toBe(expected);
  });

  test.each(['', 'A=B', 'A\0', '\ud800'])('%j is not a variable', (name) => {
    expect(envQuery(env(name))).toBeUndefined();
  });

  test.each(['A', 'a.b', 'BASH_FUNC_x%%', '\u00e9', ' '])('%j may be one', (name) => {
    expect(envQuery(env(name))).toEqual(env(name));
  });
});

describe('tool', () => {
  const find = toolFinder([
    ...toolRuleClauses({ ...named, tools: ['git/push', '*/delete_*'] }, clause('listed')),
    ...toolRuleClauses({ ...named, tools: ['local'] }, clause('server')),
  ]);

  test.each([
    ['git/push', 'listed'],
    ['git/pushx', undefined],
    ['any/delete_all', 'listed'],
    ['local/x', 'server'],
    ['local/x/y', 'server'],
    ['locals/x', undefined],
  ])('%s: %s', (name, expected) => {
    expect(find(tool(name))).toBe(expected);
  });

  test('names that could pose as others are no request', () => {
    expect(toolQuery({ ...tool('a/b'), server: 'a/b' })).toBeUndefined();
    expect(toolQuery({ ...tool('a/b'), tool: 'b\u001b' })).toBeUndefined();
    expect(toolQuery(tool('a/b/c'))).toEqual(tool('a/b/c'));
  });
});

describe('trust', () => {
  const find = trustFinder(
    [
      ...trustRuleClauses(
        { ...named, paths: ['.mcp.json'], sha256: [hashOf('a'), hashOf('b')] },
        clause('hash', 'allows'),
      ),
      ...trustRuleClauses({ ...named, paths: ['**/Vendor'] }, clause('path')),
    ],
    roots,
  );
  const ask = (path: string, digit: string) => {
    const query = trustQuery(trust(path, hashOf(digit)));
    return query === undefined ? 'none' : find(query);
  };

  test.each([
    ['.mcp.json', 'a', 'hash'],
    ['.mcp.json', 'b', 'hash'],
    ['.mcp.json', 'c', undefined],
    ['sub/.mcp.json', 'a', undefined],
    ['x/VENDOR/y', 'c', 'path'],
  ])('%s with %s: %s', (path, digit, expected) => {
    expect(ask(path, digit)).toBe(expected);
  });

  test.each(['', 'abc', hashOf('g'), hashOf('A'), `${hashOf('a')}a`])('%s is not a hash', (sha256) => {
    expect(trustQuery(trust('.mcp.json', sha256))).toBeUndefined();
  });
});

describe('registry', () => {
  const find = registryFinder([
    ...registryRuleClauses({ ...named, keys: ['HKCU\\Software\\*\\Run'], operations: ['write'] }, clause('run')),
    ...registryRuleClauses({ ...named, keys: ['HKEY_CURRENT_USER\\Software'] }, clause('software')),
  ]);
  const ask = (key: string, operation: 'read' | 'write' | 'delete' = 'read') => {
    const query = registryQuery(registry(key, operation));
    return query === undefined ? 'none' : find(query);
  };

  test.each([
    ['HKCU\\SOFTWARE\\x\\run\\y', 'write', 'run'],
    ['HKCU\\Software\\x\\Run', 'read', 'software'],
    ['HKCU\\Software', 'read', 'software'],
    ['HKCU', 'read', undefined],
    ['HKCU', 'delete', 'software'],
    ['HKLM\\Software', 'read', undefined],
    ['', 'read', 'none'],
  ] as const)('%s %s: %s', (key, operation, expected) => {
    expect(ask(key, operation)).toBe(expected);
  });
});

describe('known patterns', () => {
  test('are taken as they are', () => {
    expect((knownPath('a/b') satisfies PathPattern).components).toEqual(['a', 'b']);
    expect(knownHost('a.test').host).toEqual({ kind: 'exact', text: 'a.test' });
    expect(knownCommand('git push').words).toHaveLength(1);
    expect(knownPorts(80)).toEqual({ from: 80, to: 80 });
    expect(knownPorts('80-81')).toEqual({ from: 80, to: 81 });
  });

  test.each([
    ['path', () => knownPath('..')],
    ['host', () => knownHost('*')],
    ['command', () => knownCommand('a | b')],
    ['port', () => knownPorts(0)],
    ['port', () => knownPorts('x')],
  ])('a %s that was never checked is refused with a remedy', (_, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'HF_POLICY_INVALID', remedy: expect.stringMatching(/\w/) }));
  });
});
