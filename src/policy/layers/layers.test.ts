import { describe, expect, test } from 'vitest';
import { decide } from '../decide.ts';
import type { PolicyDocument, PolicyValue } from '../document/types.ts';
import { meet, policyOf } from '../policy.ts';
import { bareLayer, documentFrom, places, policyFrom } from '../testing/policies.ts';
import { file } from '../testing/requests.ts';
import { compileLayer, userLayer } from './compile-layer.ts';
import { parseAmount, parseBytes, parseDuration, writtenBytes, writtenDuration } from './quantities.ts';
import { builtinRequired } from './required.ts';

describe('compileLayer', () => {
  test('refuses what its place may not say, also in documents that were never parsed for it', () => {
    const cases = [
      ['project', '[files]\nrelease = ["x"]', 'cannot release'],
      ['project', '[environment.set]\nA = "b"', 'cannot set variables'],
      ['session', '[[propose]]\nname = "a"\nreason = "b"', 'cannot propose'],
      ['required', '', 'built in'],
    ] as const;
    for (const [kind, text, message] of cases) {
      expect(() => compileLayer(documentFrom(text), { kind, ...places })).toThrow(
        expect.objectContaining({
          code: 'HF_POLICY_INVALID',
          message: expect.stringContaining(message),
          remedy: expect.stringMatching(/\w/),
        }),
      );
    }
  });

  test.each<[string, Partial<PolicyValue>]>([
    ['a path', { files: { read: ['../x'] } }],
    ['a host', { network: { hosts: ['*'] } }],
    ['a command', { commands: { deny: ['a | b'] } }],
    ['a port', { connect: [{ name: 'a', decision: 'deny', hosts: ['x'], ports: ['http'] }] }],
  ])('refuses a document with a bad pattern rather than half understand it: %s', (_, value) => {
    const document: PolicyDocument = { file: 'made.toml', value: { version: 1, ...value }, lines: new Map() };
    const decideAll = (): void => {
      const policy = policyOf([userLayer(undefined, places), compileLayer(document, { kind: 'project', ...places })]);
      decide(policy, file('read', 'x'));
      decide(policy, { kind: 'connect', host: 'x.test', port: 1, protocol: 'tcp' });
      decide(policy, { kind: 'exec', program: 'x', argv: ['x'], context: 'direct' });
    };
    expect(decideAll).toThrow(expect.objectContaining({ code: 'HF_POLICY_INVALID' }));
  });

  test.each([
    ['home', { home: 'relative', workspace: '/w' }],
    ['home', { home: '', workspace: '/w' }],
    ['workspace', { home: '/h', workspace: 'w' }],
    ['workspace', { home: '/h', workspace: '/w\0' }],
  ])('refuses an unusable %s rather than take it for the root', (place, unusable) => {
    const error = expect.objectContaining({ code: 'HF_PATH_UNREPRESENTABLE', message: expect.stringContaining(place) });
    expect(() => userLayer(undefined, unusable)).toThrow(error);
    expect(() => builtinRequired(unusable)).toThrow(error);
    expect(() => compileLayer(documentFrom(''), { kind: 'project', ...unusable })).toThrow(error);
  });

  test('takes a user document for the base that it is', () => {
    const layer = compileLayer(documentFrom('[files]\nread = ["/srv"]'), { kind: 'user', ...places });
    expect(decide(policyOf([layer]), file('read', '/srv/x')).decision).toBe('allow');
    expect(decide(policyOf([layer]), file('read', '/usr/x')).decision).toBe('allow');
  });
});

describe('layers are the same when they say the same', () => {
  test('and are kept once', () => {
    const one = bareLayer('project', '[files]\ndeny = ["x"]');
    const same = bareLayer('project', '[files]\ndeny = ["x"]');
    expect(one.id).toBe(same.id);
    expect(policyOf([one, same, userLayer(undefined, places), userLayer(undefined, places)]).layers).toHaveLength(2);
  });

  test.each([
    ['another text', () => bareLayer('project', '[files]\ndeny = ["y"]')],
    ['another line', () => bareLayer('project', '\n[files]\ndeny = ["x"]')],
    ['another kind', () => bareLayer('session', '[files]\ndeny = ["x"]')],
    [
      'another file',
      () => compileLayer(documentFrom('[files]\ndeny = ["x"]', 'other.toml'), { kind: 'project', ...places }),
    ],
    [
      'another workspace',
      () =>
        compileLayer(documentFrom('[files]\ndeny = ["x"]', 'project.toml'), {
          kind: 'project',
          home: places.home,
          workspace: '/w',
        }),
    ],
  ])('but not with %s', (_, make) => {
    expect(make().id).not.toBe(bareLayer('project', '[files]\ndeny = ["x"]').id);
  });

  test('a user layer differs with its grants, and a required one with its places', () => {
    const granted = [{ name: '--read', file: 'command line', grants: { files: { read: ['/x'] } } }];
    expect(userLayer(undefined, places, granted).id).not.toBe(userLayer(undefined, places).id);
    expect(builtinRequired({ ...places, policyFiles: ['/p'] }).id).not.toBe(builtinRequired(places).id);
    expect(builtinRequired({ ...places, ownDirectories: ['/p'] }).id).not.toBe(builtinRequired(places).id);
  });

  test('the order of authority is kept', () => {
    const policy = policyFrom({ session: '', project: '', managed: '', user: '' });
    expect(policy.layers.map(({ kind }) => kind)).toEqual(['required', 'managed', 'user', 'project', 'session']);
    expect(meet(policy, policyFrom()).layers.map(({ kind }) => kind)).toEqual([
      'required',
      'managed',
      'user',
      'user',
      'project',
      'session',
    ]);
  });
});

describe('the required layer', () => {
  const policy = policyOf([
    builtinRequired({
      ...places,
      ownDirectories: ['/data/xdg/holdfast'],
      policyFiles: ['/home/dev/app/policies/mine.toml', '/etc/holdfast/policy.toml'],
    }),
    userLayer(documentFrom('[files]\nwrite = ["/"]'), places),
  ]);

  test('hides directories of Holdfast wherever they are', () => {
    expect(decide(policy, file('read', '/data/xdg/holdfast/journal')).code).toBe('policy-file');
    expect(decide(policy, file('delete', '/data/xdg')).code).toBe('policy-file');
    expect(decide(policy, file('read', '/data/xdg/other')).decision).toBe('allow');
  });

  test('protects policy files wherever they lie', () => {
    expect(decide(policy, file('read', 'policies/mine.toml')).decision).toBe('allow');
    expect(decide(policy, file('write', 'policies/mine.toml'))).toMatchObject({
      code: 'policy-file',
      layer: 'required',
    });
    expect(decide(policy, file('delete', 'policies')).code).toBe('policy-file');
    expect(decide(policy, file('write', 'policies/other.toml')).decision).toBe('allow');
  });
});

describe('statements', () => {
  const statements = policyFrom({
    user: '[files]\nread = ["/srv"]\n[limits]\nmemory = "50%"\nwall = "1h"\n[environment.set]\nA = "x y"\n[backend]\nuse = "native"\n[process]\nptrace = "allow"\n[require]\nguarantees = ["fs.stage"]',
    project:
      '[[exec]]\nname = "ask-push"\ndecision = "ask"\nreason = "shared"\ncommands = ["git push"]\nmatch = ["git push x"]',
  }).layers.flatMap((layer) => layer.statements());

  test.each([
    [
      {
        subject: 'files.read',
        value: '/srv',
        origin: { rule: 'files.read[0]', layer: 'user', file: 'user.toml', line: 3 },
      },
    ],
    [
      {
        subject: 'exec',
        value: 'ask commands=["git push"]',
        reason: 'shared',
        origin: { rule: 'ask-push', layer: 'project', file: 'project.toml', line: 2 },
      },
    ],
    [
      {
        subject: 'limits.memory',
        value: '50%',
        origin: { rule: 'limits.memory', layer: 'user', file: 'user.toml', line: 5 },
      },
    ],
    [
      {
        subject: 'limits.processes',
        value: '2048',
        origin: { rule: 'limits.processes', layer: 'user', file: 'built-in', line: 0 },
      },
    ],
    [
      {
        subject: 'limits.tmp',
        value: '2GiB',
        origin: { rule: 'limits.tmp', layer: 'user', file: 'built-in', line: 0 },
      },
    ],
    [
      {
        subject: 'environment.set',
        value: 'A="x y"',
        origin: { rule: 'environment.set.A', layer: 'user', file: 'user.toml', line: 8 },
      },
    ],
    [
      {
        subject: 'backend.use',
        value: 'native',
        origin: { rule: 'backend.use', layer: 'user', file: 'user.toml', line: 10 },
      },
    ],
    [
      {
        subject: 'process.ptrace',
        value: 'allow',
        origin: { rule: 'process.ptrace', layer: 'user', file: 'user.toml', line: 12 },
      },
    ],
    [
      {
        subject: 'require.guarantees',
        value: 'fs.stage',
        origin: { rule: 'require.guarantees[0]', layer: 'user', file: 'user.toml', line: 14 },
      },
    ],
    [
      {
        subject: 'files.deny',
        value: '~/.ssh',
        reason: 'SSH keys and known hosts',
        origin: { rule: 'credential-store:~/.ssh', layer: 'required', file: 'built-in', line: 0 },
      },
    ],
    [
      {
        subject: 'files.protect',
        value: '**/.git/hooks',
        reason: 'git runs hooks outside the box',
        origin: { rule: 'protected:.git/hooks', layer: 'user', file: 'built-in', line: 0 },
      },
    ],
    [
      {
        subject: 'files.deny',
        value: '**/.env',
        reason: 'environment files hold secrets',
        origin: { rule: 'hidden:.env', layer: 'user', file: 'built-in', line: 0 },
      },
    ],
  ])('$subject $value', (statement) => {
    expect(statements).toContainEqual(statement);
  });

  test('have every path and place that is granted by default', () => {
    const values = statements.filter(({ subject }) => subject.startsWith('files.')).map(({ value }) => value);
    expect(values).toEqual(
      expect.arrayContaining(['.', '~/.cache', '~/.cargo/bin', '~/.local/share/fish', '/usr', '/tmp']),
    );
  });
});

describe('quantities', () => {
  test.each([
    ['1B', 1],
    ['1KB', 1000],
    ['1KiB', 1024],
    ['1.5MiB', 1_572_864],
    ['2GB', 2e9],
    ['1TiB', 2 ** 40],
    ['1 GiB', 2 ** 30],
    ['none', undefined],
    ['1', undefined],
    ['1gib', undefined],
    ['GiB', undefined],
    ['-1GiB', undefined],
  ])('%s is %s bytes', (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
    expect(parseAmount(text)).toEqual(bytes === undefined ? undefined : { kind: 'bytes', bytes });
  });

  test('75% is a share', () => {
    expect(parseAmount('75%')).toEqual({ kind: 'share', share: 0.75 });
    expect(parseAmount('%')).toBeUndefined();
  });

  test.each([
    ['1ms', 1],
    ['90s', 90_000],
    ['10m', 600_000],
    ['1.5h', 5_400_000],
    ['1d', 86_400_000],
    ['30 s', 30_000],
    ['none', undefined],
    ['1', undefined],
    ['1w', undefined],
    ['m', undefined],
  ])('%s is %s milliseconds', (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  test.each([
    [0, '0B'],
    [999, '999B'],
    [2 ** 31, '2GiB'],
    [2e9, '2GB'],
    [1_572_864, '1.5MiB'],
    [18_957_376_512, '17.66GiB'],
  ])('%s bytes are written %s', (bytes, text) => {
    expect(writtenBytes(bytes)).toBe(text);
  });

  test.each([
    [1, '1ms'],
    [90_000, '90s'],
    [2_592_000_000, '30d'],
    [0, '0d'],
  ])('%s milliseconds are written %s', (duration, text) => {
    expect(writtenDuration(duration)).toBe(text);
    expect(parseDuration(text)).toBe(duration);
  });
});
