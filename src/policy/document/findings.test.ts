import { describe, expect, test } from 'vitest';
import { patternFindings } from './parse.ts';
import { placeFindings } from './place-findings.ts';
import { quantityFindings } from './quantity-findings.ts';
import { ruleFindings } from './rule-findings.ts';
import type { PolicyValue } from './types.ts';

/** A document that has passed the schema. */
const value = (parts: Readonly<Record<string, unknown>>): PolicyValue =>
  ({ version: 1, ...parts }) as unknown as PolicyValue;
const rule = (parts: Readonly<Record<string, unknown>>) => [{ name: 'r', decision: 'deny', ...parts }];

describe('patternFindings', () => {
  test.each([
    [{ files: { read: ['ok', '..'] } }, 'files.read[1]'],
    [{ files: { write: ['..'] } }, 'files.write[0]'],
    [{ files: { deny: ['..'] } }, 'files.deny[0]'],
    [{ files: { protect: ['..'] } }, 'files.protect[0]'],
    [{ files: { ephemeral: ['..'] } }, 'files.ephemeral[0]'],
    [{ files: { release: ['..'] } }, 'files.release[0]'],
    [{ network: { hosts: ['a.test', 'b.test', '*'] } }, 'network.hosts[2]'],
    [{ network: { deny: ['a b'] } }, 'network.deny[0]'],
    [{ sockets: { allow: ['..'] } }, 'sockets.allow[0]'],
    [{ sockets: { deny: ['@a\n'] } }, 'sockets.deny[0]'],
    [{ commands: { allow: ['a|'], ask: ['|'] } }, 'commands.ask[0]'],
    [{ commands: { deny: ["'"] } }, 'commands.deny[0]'],
    [{ environment: { pass: ['A-B'] } }, 'environment.pass[0]'],
    [{ environment: { deny: [''] } }, 'environment.deny[0]'],
    [{ tools: { ask: ['a\u0000'] } }, 'tools.ask[0]'],
    [{ registry: { allow: ['\\'] } }, 'registry.allow[0]'],
    [{ file: rule({ paths: ['..'] }) }, 'file[0].paths[0]'],
    [{ exec: rule({ commands: [' '] }) }, 'exec[0].commands[0]'],
    [{ connect: rule({ hosts: ['x:y'] }) }, 'connect[0].hosts[0]'],
    [{ connect: rule({ hosts: ['x'], ports: [80, '9-8'] }) }, 'connect[0].ports[1]'],
    [{ http: rule({ hosts: ['*'] }) }, 'http[0].hosts[0]'],
    [{ http: rule({ hosts: ['x'], ports: ['a'] }) }, 'http[0].ports[0]'],
    [{ http: rule({ hosts: ['x'], paths: ['/\u0007'] }) }, 'http[0].paths[0]'],
    [{ http: rule({ hosts: ['x'], methods: ['G\u0000'] }) }, 'http[0].methods[0]'],
    [{ dns: rule({ names: ['x.test:53'] }) }, 'dns[0].names[0]'],
    [{ dns: rule({ names: ['*'] }) }, 'dns[0].names[0]'],
    [{ socket: rule({ addresses: ['{a}'] }) }, 'socket[0].addresses[0]'],
    [{ signal: rule({ signals: ['TERM', '9'] }) }, 'signal[0].signals[1]'],
    [{ env: rule({ names: ['A=B'] }) }, 'env[0].names[0]'],
    [{ tool: rule({ tools: ['\u001b'] }) }, 'tool[0].tools[0]'],
    [{ trust: rule({ paths: ['..'] }) }, 'trust[0].paths[0]'],
    [{ registry_rule: rule({ keys: ['\u0000'] }) }, 'registry_rule[0].keys[0]'],
    [{ propose: [{ name: 'a', reason: 'b', files: { read: ['..'] } }] }, 'propose[0].files.read[0]'],
    [{ propose: [{ name: 'a', reason: 'b', files: { write: ['..'] } }] }, 'propose[0].files.write[0]'],
    [{ propose: [{ name: 'a', reason: 'b', files: { ephemeral: ['..'] } }] }, 'propose[0].files.ephemeral[0]'],
    [
      {
        propose: [
          { name: 'a', reason: 'b' },
          { name: 'c', reason: 'd', network: { hosts: ['*'] } },
        ],
      },
      'propose[1].network.hosts[0]',
    ],
    [{ propose: [{ name: 'a', reason: 'b', sockets: { allow: ['..'] } }] }, 'propose[0].sockets.allow[0]'],
    [{ propose: [{ name: 'a', reason: 'b', environment: { pass: ['-'] } }] }, 'propose[0].environment.pass[0]'],
  ])('%j', (parts, at) => {
    expect(patternFindings(value(parts))).toEqual([
      { at, message: expect.stringMatching(/\w/), remedy: expect.stringMatching(/\w/) },
    ]);
  });

  test('sound patterns cause none', () => {
    const sound = {
      files: { read: ['/a', '~/b', 'c/*', '**/d'], release: ['.vscode'] },
      network: { hosts: ['a.test', '*.b.test:443', '10.0.0.0/8', 'any'] },
      sockets: { allow: ['/run/x', '@y*'] },
      commands: { allow: ['git push *'] },
      environment: { pass: ['A_*', 'B?'] },
      tools: { allow: ['server/*', 'server'] },
      registry: { allow: ['HKCU\\Software'] },
      connect: rule({ hosts: ['x'], ports: [80, '90-100'] }),
      signal: rule({ signals: ['TERM', 'SIGRTMIN+1', 'sigkill'] }),
    };
    expect(patternFindings(value(sound))).toEqual([]);
  });
});

describe('ruleFindings', () => {
  test('names are unique over all tables and proposals, and every later use is named', () => {
    const found = ruleFindings(
      value({
        file: rule({ paths: ['a'] }),
        exec: [...rule({ commands: ['a'] }), ...rule({ commands: ['b'] })],
        propose: [{ name: 'r', reason: 'x' }],
      }),
    );
    expect(found.map(({ at }) => at)).toEqual(['exec[0]', 'exec[1]', 'propose[0]']);
    expect(found[0]?.message).toBe('the name "r" is already used by file[0]');
  });

  test.each([
    ['file', { paths: ['a'] }, ['build/out', '/abs', '~/x', '.']],
    ['exec', { commands: ['a'] }, ['/usr/bin/true']],
    ['connect', { hosts: ['a'] }, ['b.test:443', '127.0.0.1:80', 'localhost:3000', '[::1]:80']],
    ['http', { hosts: ['a'] }, ['b.test:443']],
    ['socket', { addresses: ['/a'] }, ['/run/b', '@c']],
    ['registry_rule', { keys: ['HKCU'] }, ['HKCU\\Other']],
  ])('[[%s]] may be redirected to one place', (table, matcher, targets) => {
    for (const target of targets)
      expect(
        ruleFindings(value({ [table]: rule({ ...matcher, decision: 'redirect', redirect_to: target }) })),
        target,
      ).toEqual([]);
  });

  test.each([
    ['file', { paths: ['a'] }, ['*', 'a/**', '..', '**/x', '{a}']],
    ['exec', { commands: ['a'] }, ['true', './x', '']],
    [
      'connect',
      { hosts: ['a'] },
      ['b.test', '*.b.test:443', 'any:443', '10.0.0.0/8:80', 'b.test:80-90', 'b.test:0', ''],
    ],
    ['http', { hosts: ['a'] }, ['https://b.test', 'b.test']],
    ['socket', { addresses: ['/a'] }, ['relative', '']],
    ['registry_rule', { keys: ['HKCU'] }, ['HKCU\\*']],
  ])('[[%s]] may not be redirected elsewhere', (table, matcher, targets) => {
    for (const target of targets) {
      expect(
        ruleFindings(value({ [table]: rule({ ...matcher, decision: 'redirect', redirect_to: target }) })),
        target,
      ).toEqual([
        {
          at: `${table}[0].redirect_to`,
          message: `"${target}" is not a place to redirect ${table} requests to`,
          remedy: expect.stringMatching(/\w/),
        },
      ]);
    }
  });

  test('a redirect says where to, and nothing else does', () => {
    expect(ruleFindings(value({ file: rule({ paths: ['a'], decision: 'redirect' }) }))).toMatchObject([
      { at: 'file[0]', remedy: 'add redirect_to = "…"' },
    ]);
    expect(ruleFindings(value({ file: rule({ paths: ['a'], redirect_to: 'b' }) }))).toMatchObject([
      { at: 'file[0].redirect_to' },
    ]);
  });

  test.each([
    ['file', { paths: [] }, 'paths'],
    ['file', { paths: ['a'], operations: [] }, 'operations'],
    ['exec', { commands: [] }, 'commands'],
    ['connect', { hosts: ['a'], ports: [] }, 'ports'],
    ['http', { hosts: ['a'], methods: [] }, 'methods'],
    ['signal', { signals: [] }, 'signals'],
    ['signal', { targets: [] }, 'targets'],
    ['trust', { paths: ['a'], sha256: [] }, 'sha256'],
    ['env', { names: ['A'], match: [] }, 'match'],
  ])('[[%s]] %j is about nothing', (table, matcher, key) => {
    expect(ruleFindings(value({ [table]: rule(matcher) }))).toEqual([
      {
        at: `${table}[0].${key}`,
        message: `"r" can never match: ${key} is empty`,
        remedy: `name something, or leave ${key} out`,
      },
    ]);
  });
});

describe('quantityFindings', () => {
  test.each(['1B', '1KiB', '512MiB', '1.5GiB', '4GB', '1TiB', '1%', '75%', '100%', '0.5%', 'none'])(
    'memory and tmp may be %s',
    (amount) => {
      expect(quantityFindings(value({ limits: { memory: amount, tmp: amount } }))).toEqual([]);
    },
  );

  test.each(['0B', '0GiB', '0%', '101%', '1000%', '2000TiB'])('memory and tmp may not be %s', (amount) => {
    expect(quantityFindings(value({ limits: { memory: amount, tmp: amount } })).map(({ at }) => at)).toEqual([
      'limits.memory',
      'limits.tmp',
    ]);
  });

  test.each(['1ms', '90s', '10m', '1.5h', '7d', 'none'])('times may be %s', (time) => {
    expect(quantityFindings(value({ limits: { wall: time, cpu_time: time } }))).toEqual([]);
  });

  test.each(['0ms', '0s', '99999999999999d'])('times may not be %s', (time) => {
    expect(quantityFindings(value({ limits: { wall: time, cpu_time: time } })).map(({ at }) => at)).toEqual([
      'limits.cpu_time',
      'limits.wall',
    ]);
  });

  test('a file has a size, not a share', () => {
    expect(quantityFindings(value({ limits: { file_size: '1GiB' } }))).toEqual([]);
    expect(quantityFindings(value({ limits: { file_size: 'none' } }))).toEqual([]);
    expect(quantityFindings(value({ limits: { file_size: '10%' } }))).toMatchObject([
      { at: 'limits.file_size', remedy: 'write it as "1GiB"' },
    ]);
    expect(quantityFindings(value({ limits: { file_size: '0B' } }))).toMatchObject([{ at: 'limits.file_size' }]);
    expect(quantityFindings(value({ limits: { staged: '10GiB' } }))).toEqual([]);
    expect(quantityFindings(value({ limits: { staged: '10%' } }))).toMatchObject([
      { at: 'limits.staged', remedy: 'write it as "1GiB"' },
    ]);
    expect(quantityFindings(value({ limits: { staged: '0B' } }))).toMatchObject([{ at: 'limits.staged' }]);
    expect(quantityFindings(value({ limits: { trash: '10GB', trash_age: '7d' } }))).toEqual([]);
    expect(quantityFindings(value({ limits: { trash: '10%' } }))).toMatchObject([
      { at: 'limits.trash', remedy: 'write it as "1GiB"' },
    ]);
    expect(quantityFindings(value({ limits: { trash: '0B', trash_age: '0d' } })).map(({ at }) => at)).toEqual([
      'limits.trash',
      'limits.trash_age',
    ]);
  });

  test('no limits are no findings', () => {
    expect(quantityFindings(value({}))).toEqual([]);
    expect(quantityFindings(value({ limits: {} }))).toEqual([]);
  });
});

describe('placeFindings', () => {
  const all = value({
    files: { release: [] },
    propose: [],
    environment: { set: {} },
    limits: { trash: '1GB', trash_age: '1d' },
  });

  test.each([
    ['managed', ['propose']],
    ['user', ['propose']],
    ['project', ['files.release', 'environment.set', 'limits.trash', 'limits.trash_age']],
    ['session', ['files.release', 'propose', 'limits.trash', 'limits.trash_age']],
  ] as const)('%s may not say %j', (kind, places) => {
    expect(placeFindings(all, kind).map(({ at }) => at)).toEqual(places);
  });

  test('required may not be said at all', () => {
    expect(placeFindings(value({}), 'required')).toHaveLength(1);
  });

  test('files without layer-bound keys are valid in any layer', () => {
    for (const kind of ['managed', 'user', 'project', 'session'] as const)
      expect(placeFindings(value({ files: { read: ['a'] } }), kind)).toEqual([]);
  });
});
