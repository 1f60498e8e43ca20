import * as fc from 'fast-check';
import type { PolicyDocument, PolicyValue } from '../document/types.ts';
import { compileLayer, userLayer } from '../layers/compile-layer.ts';
import type { Layer } from '../layers/layer.ts';
import type { PolicyRequest } from '../request.ts';
import { places } from './policies.ts';
import { hashOf } from './requests.ts';

/** Few names, so that patterns and requests meet often. */
const name = fc.constantFrom('a', 'b', '.env', '.git', 'hooks', 'src', 'config');
const pattern = fc
  .tuple(
    fc.constantFrom('', '/', '~/', '**/'),
    fc.array(fc.oneof({ weight: 4, arbitrary: name }, fc.constantFrom('*', 'a*', '**')), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([start, parts]) => start + parts.join('/'))
  .filter((source) => source !== '**' && source !== '**/**');
const host = fc.constantFrom(
  'a.test',
  'b.a.test',
  '*.a.test',
  '*.test',
  'localhost',
  '10.0.0.0/8',
  '10.1.2.3',
  'any',
  'a.test:443',
  '*.test:80',
  'any:443',
);
const command = fc.constantFrom(
  'git',
  'git push',
  'git *',
  '*',
  'npm test',
  'rm -rf *',
  'git push --force',
  'rm -r',
  'git -*',
  '/usr/bin/git',
);
const variable = fc.constantFrom('A', 'A_*', '*', 'MY_TOKEN', 'LD_PRELOAD', 'PATH');
const tool = fc.constantFrom('s/a', 's/*', 't', '*/delete_*');
const key = fc.constantFrom('HKCU\\a', 'HKLM', 'HKCU\\*\\b');
const socket = fc.constantFrom('/run/a', '/run', '@a*', '**/b');

function list<Item>(item: fc.Arbitrary<Item>): fc.Arbitrary<readonly Item[] | undefined> {
  return fc.option(fc.array(item, { maxLength: 3 }), { nil: undefined });
}

const someDecision = fc.constantFrom('allow', 'audit', 'ask', 'deny');

function rules<Matchers extends object>(matchers: fc.Arbitrary<Matchers>) {
  return list(fc.tuple(someDecision, matchers).map(([decision, matcher]) => ({ name: 'r', decision, ...matcher })));
}

/** Documents about every kind of request, which may contradict themselves. */
const value: fc.Arbitrary<PolicyValue> = fc
  .record({
    files: fc.record({
      read: list(pattern),
      write: list(pattern),
      deny: list(pattern),
      protect: list(pattern),
      ephemeral: list(pattern),
      new_protected: fc.constantFrom(undefined, 'refuse', 'quarantine'),
    }),
    network: fc.record({
      hosts: list(host),
      deny: list(host),
      presets: list(fc.constantFrom('npm', 'github')),
      forward: list(fc.constantFrom(3000, '3001:80')),
      dns: fc.constantFrom(undefined, 'fake', 'real'),
    }),
    sockets: fc.record({
      allow: list(socket),
      deny: list(socket),
      later: fc.constantFrom(undefined, 'refuse', 'reach'),
    }),
    commands: fc.record({
      allow: list(command),
      ask: list(command),
      deny: list(command),
      unknown: fc.constantFrom(undefined, 'ask', 'allow', 'deny'),
    }),
    environment: fc.record({ pass: list(variable), deny: list(variable) }),
    tools: fc.record({ allow: list(tool), ask: list(tool), deny: list(tool) }),
    registry: fc.record({ allow: list(key), deny: list(key) }),
    file: rules(
      fc.record({
        paths: fc.array(pattern, { minLength: 1, maxLength: 2 }),
        operations: list(fc.constantFrom('read', 'write', 'delete')),
      }),
    ),
    exec: rules(fc.record({ commands: fc.array(command, { minLength: 1, maxLength: 2 }) })),
    connect: rules(
      fc.record({
        hosts: fc.array(host, { minLength: 1, maxLength: 2 }),
        protocol: fc.constantFrom(undefined, 'tcp', 'udp'),
      }),
    ),
    http: rules(
      fc.record({
        hosts: fc.array(host, { minLength: 1, maxLength: 2 }),
        methods: fc.constantFrom(undefined, ['GET'], ['POST']),
      }),
    ),
    dns: rules(
      fc.record({ names: fc.array(fc.constantFrom('a.test', '*.test', 'any'), { minLength: 1, maxLength: 2 }) }),
    ),
    signal: rules(fc.record({ targets: fc.constantFrom(undefined, ['box'], ['outside', 'self']) })),
    env: rules(fc.record({ names: fc.array(variable, { minLength: 1, maxLength: 2 }) })),
    trust: rules(
      fc.record({
        paths: fc.array(pattern, { minLength: 1, maxLength: 2 }),
        sha256: fc.constantFrom(undefined, [hashOf('a')]),
      }),
    ),
    limits: fc.record({
      memory: fc.constantFrom(undefined, '1GiB', '50%', '10MiB', 'none'),
      processes: fc.constantFrom(undefined, 5, 5000, 'none'),
    }),
    backend: fc.record({ use: fc.constantFrom(undefined, 'auto', 'native') }),
    process: fc.record({ ptrace: fc.constantFrom(undefined, 'allow', 'deny') }),
    require: fc.record({ guarantees: list(fc.constantFrom('fs.read', 'kernel.separate')) }),
  })
  // JSON omits undefined values, as a file would.
  .map((record) => JSON.parse(JSON.stringify({ version: 1, ...record })) as PolicyValue);

const document: fc.Arbitrary<PolicyDocument> = fc
  .tuple(value, fc.constantFrom('a.toml', 'b.toml'))
  .map(([content, file]) => ({ file, value: content, lines: new Map() }));

/** Layers of every kind but the required one, with or without a base. */
export const layer: fc.Arbitrary<Layer> = fc
  .tuple(document, fc.constantFrom('managed', 'user', 'project', 'session'))
  .map(([content, kind]) =>
    kind === 'user' ? userLayer(content, places) : compileLayer(content, { kind, ...places }),
  );

const path = fc
  .tuple(fc.constantFrom('/', '/home/dev/', '/home/dev/app/', '/tmp/', '/usr/'), fc.array(name, { maxLength: 4 }))
  .map(([start, parts]) => start + parts.join('/'));
const hostName = fc.constantFrom(
  'a.test',
  'b.a.test',
  'c.b.a.test',
  'x.test',
  'A.TEST.',
  'localhost',
  '10.1.2.3',
  '0x0a010203',
  '::1',
  'not a host',
);
const argv = fc.array(fc.constantFrom('git', 'push', 'npm', 'test', 'rm', '-rf', '-f', '--force', '--', '-C', 'x'), {
  minLength: 1,
  maxLength: 4,
});

/** Requests of every kind, including a few invalid ones. */
export const request: fc.Arbitrary<PolicyRequest> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('file' as const),
      operation: fc.constantFrom('read', 'write', 'create', 'delete', 'execute'),
      path,
    }),
  },
  fc
    .tuple(
      argv,
      fc.constantFrom('', '/usr/bin/', '/tmp/'),
      fc.constantFrom('direct' as const, 'nested' as const),
      fc.constantFrom([], [1]),
    )
    .map(([words, directory, context, unknown]) => ({
      kind: 'exec' as const,
      program: `${directory}${words[0] ?? ''}`,
      argv: words,
      context,
      unknown,
    })),
  fc.record({
    kind: fc.constant('connect' as const),
    host: hostName,
    port: fc.constantFrom(80, 443, 5432, 0),
    protocol: fc.constantFrom('tcp', 'udp'),
  }),
  fc.record({
    kind: fc.constant('http' as const),
    method: fc.constantFrom('GET', 'POST'),
    scheme: fc.constantFrom('http', 'https'),
    host: hostName,
    port: fc.constantFrom(80, 443),
    path: fc.constantFrom('/', '/a'),
  }),
  fc.record({ kind: fc.constant('dns' as const), name: hostName, recordType: fc.constantFrom('A', 'TXT') }),
  fc.record({
    kind: fc.constant('socket' as const),
    operation: fc.constantFrom('connect', 'bind', 'send'),
    address: fc.constantFrom('/run/a', '/run/b', '@abc', '@x', 'relative'),
  }),
  fc.record({
    kind: fc.constant('signal' as const),
    signal: fc.constantFrom('SIGTERM', 'SIGKILL'),
    target: fc.constantFrom('self', 'child', 'box', 'supervisor', 'outside'),
  }),
  fc.record({
    kind: fc.constant('env' as const),
    name: fc.constantFrom('A', 'A_B', 'PATH', 'MY_TOKEN', 'LD_PRELOAD', 'X=Y'),
  }),
  fc.record({
    kind: fc.constant('tool' as const),
    server: fc.constantFrom('s', 't'),
    tool: fc.constantFrom('a', 'delete_x'),
    arguments: fc.constant('{}'),
  }),
  fc.record({ kind: fc.constant('trust' as const), path, sha256: fc.constantFrom(hashOf('a'), hashOf('b'), 'none') }),
  fc.record({
    kind: fc.constant('registry' as const),
    operation: fc.constantFrom('read', 'write', 'create', 'delete'),
    key: fc.constantFrom('HKCU\\a', 'HKEY_CURRENT_USER\\A\\b', 'HKLM\\x', ''),
  }),
);
