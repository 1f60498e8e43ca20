import { describe, expect, test } from 'vitest';
import type { JournalEvent } from '../../audit/index.ts';
import { buildPolicy } from '../../place/build-policy.ts';
import { decide } from '../../policy/decide.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import { render } from '../import/settle.ts';
import { observationsOf } from './observe.ts';
import { type LearnFacts, propose } from './recording.ts';

const home = '/home/dev';
/** Names that no policy can express, and names that it can. */
const hiddenNames = [
  'a\nb',
  'a\tb',
  'a\u001B[2Jb',
  'a\u007Fb',
  'a\u0085b',
  'a\u009B2Jb',
  'a\u202Eb',
  'a\u2028b',
  'a\uD800b',
];
const plainNames = ['a"b', "a'b", 'a\\b', 'a*b', '[ab]', 'a?b', '{a,b}', '⟦x⟧', 'a # b', '!a', '$HOME', '**', ' '];
const oddNames = [...hiddenNames, ...plainNames];
const workspace = '/home/dev/app';
const files = new Set([
  '/home/dev/.tool/config',
  '/home/dev/.tool/other',
  '/home/dev/.ssh/id_rsa',
  '/home/dev/secrets/x',
  '/srv/data/a',
  '/home/dev/app/main.c',
  '/usr/bin/cc',
  '/srv/data/*[a]?',
  '/home/devil/x',
  ...oddNames.map((name) => `/srv/data/${name}`),
]);
const directories = new Set([
  '/',
  '/home',
  home,
  workspace,
  '/home/dev/.tool',
  '/home/dev/.config',
  '/srv',
  '/srv/data',
  '/etc',
  '/usr',
  '/usr/local',
]);

function factsWith(policy = 'version = 1\n'): LearnFacts {
  const file = '/home/dev/.config/holdfast/policy.toml';
  const base = buildPolicy({
    home,
    workspace: { root: workspace, gitDirectories: [], cwd: workspace },
    visible: [],
    userFile: file,
    sources: [{ kind: 'user', file, text: policy }],
    grants: {},
    ownDirectories: [],
  });
  return {
    home,
    workspace,
    decide: (request) => decide(base, request),
    typeOf: (path) =>
      files.has(path)
        ? 'file'
        : directories.has(path)
          ? 'directory'
          : path.startsWith('/srv/shut/')
            ? 'closed'
            : 'missing',
  };
}

const file = (operation: 'read' | 'write' | 'create' | 'delete', path: string): PolicyRequest => ({
  kind: 'file',
  operation,
  path,
});
const connect = (host: string): PolicyRequest => ({ kind: 'connect', host, port: 443, protocol: 'tcp' });
const seen = (...requests: readonly PolicyRequest[]) =>
  requests.map((request) => ({ request, times: 1, outcome: 'seen', why: '' }) as const);
const proposed = (requests: readonly PolicyRequest[], policy?: string) => propose(seen(...requests), factsWith(policy));

describe('the proposal', () => {
  test.each<[string, PolicyRequest, string]>([
    [
      'a file of the home by itself, not its directory',
      file('read', '/home/dev/.tool/config'),
      'files.read ~/.tool/config',
    ],
    ['a file elsewhere', file('read', '/srv/data/a'), 'files.read /srv/data/a'],
    [
      'a file of a home whose name only begins like this one',
      file('read', '/home/devil/x'),
      'files.read /home/devil/x',
    ],
    ['a file that is changed', file('write', '/home/dev/.tool/config'), 'files.write ~/.tool/config'],
    ['the nearest directory of one that is made', file('create', '/home/dev/.tool/new/deep'), 'files.write ~/.tool'],
    [
      'a name with signs of a pattern by itself',
      file('read', '/srv/data/*[a]?'),
      String.raw`files.read /srv/data/\*[a]\?`,
    ],
    ['a host with its port', connect('api.example.com'), 'network.hosts api.example.com:443'],
  ])('%s', (_name, request, line) => {
    expect(proposed([request]).items.map(({ place, text }) => `${place} ${text}`)).toEqual([line]);
  });

  test.each<[string, PolicyRequest]>([
    ['what the policy allows', file('read', '/usr/bin/cc')],
    ['what is in the workspace', file('write', '/home/dev/app/main.c')],
    ['what was looked for and is not there', file('read', '/home/dev/.tool/none')],
    ['the home itself', file('read', home)],
    ['what its user cannot read', file('read', '/srv/shut/a')],
    ['what its user cannot make', file('create', '/srv/shut/a')],
  ])('has nothing for %s', (_name, request) => {
    expect(proposed([request])).toEqual({ items: [], withheld: [] });
  });

  test('a file that is there is changed by itself, whatever is beside it', () => {
    expect(proposed([file('write', '/home/dev/.tool/config'), file('delete', '/home/dev/.tool/other')]).items).toEqual([
      { place: 'files.write', text: '~/.tool/config', from: 'changed once' },
      { place: 'files.write', text: '~/.tool/other', from: 'changed once' },
    ]);
  });

  test('a line shows its count, and omits lines that another covers', () => {
    const { items } = propose(
      [
        ...seen(file('read', '/home/dev/.tool/config'), file('create', '/home/dev/.tool/new')),
        { request: connect('a.example'), times: 3, outcome: 'seen', why: '' },
      ],
      factsWith(),
    );
    expect(items).toEqual([
      { place: 'files.write', text: '~/.tool', from: 'made something in it once' },
      { place: 'network.hosts', text: 'a.example:443', from: 'connected to 3 times' },
    ]);
  });
});

describe('wanted but not proposed', () => {
  test.each<[string, PolicyRequest, readonly [why: string, policy?: string]]>([
    ['a credential store', file('read', '/home/dev/.ssh/id_rsa'), ['credential store']],
    [
      'what a policy denies',
      file('read', '/home/dev/secrets/x'),
      ['is refused', 'version = 1\n[files]\ndeny = ["~/secrets"]\n'],
    ],
    [
      'a host that a policy denies',
      connect('evil.example'),
      ['is refused', 'version = 1\n[network]\ndeny = ["evil.example"]\n'],
    ],
    ['an address', connect('192.0.2.7'), ['not a name']],
    ['an address in other words', connect('0x7f000001'), ['not a name']],
    ['a host whose name means every host', connect('any'), ['means other hosts']],
    ['a new file beside those of the system', file('create', '/etc/new'), ['all of that is too much']],
    ['a new file below the system', file('create', '/usr/local/new'), ['all of that is too much']],
    ['a new file in a directory of the root', file('create', '/srv/new'), ['all of that is too much']],
    ['a new file beside those of every program', file('create', '/home/dev/.config/new'), ['all of that is too much']],
    ['a directory that was listed', file('read', '/srv/data'), ['would show everything in it']],
    ['a new file in the home itself', file('create', '/home/dev/.new'), ['all of that is too much']],
    [
      'a socket of the host',
      { kind: 'socket', operation: 'connect', address: '/run/docker.sock' },
      ['leads out of the box'],
    ],
  ])('%s', (_name, request, [why, policy]) => {
    const { items, withheld } = proposed([request], policy);
    expect(items).toEqual([]);
    expect(withheld).toEqual([{ what: expect.any(String), why: expect.stringContaining(why) }]);
  });
});

test('a new file in what lies above the workspace is not proposed', () => {
  const facts: LearnFacts = {
    ...factsWith(),
    workspace: '/home/dev/code/app',
    typeOf: (path) => (path === '/home/dev/code' ? 'directory' : 'missing'),
  };
  expect(propose(seen(file('create', '/home/dev/code/new')), facts)).toEqual({
    items: [],
    withheld: [{ what: 'create /home/dev/code/new', why: expect.stringContaining('all of that is too much') }],
  });
});

test('a refusal during recording is reported, even if the policy allows it', () => {
  expect(
    propose([{ request: file('read', '/usr/bin/cc'), times: 1, outcome: 'held', why: 'because' }], factsWith()),
  ).toEqual({ items: [], withheld: [{ what: 'read /usr/bin/cc', why: 'because' }] });
});

describe('odd names', () => {
  const held = (names: readonly string[]) =>
    proposed([...names.map((name) => file('read', `/srv/data/${name}`)), file('read', '/home/dev/.tool/config')]);

  test('make a policy that allows the paths read, and no others', () => {
    const { items, withheld } = held(plainNames);
    expect(withheld).toEqual([]);
    const facts = factsWith(render(items, 'odd').text);
    const decided = (path: string) => facts.decide(file('read', path)).decision;
    for (const name of plainNames) expect([name, decided(`/srv/data/${name}`)]).toEqual([name, 'allow']);
    for (const name of ['a', 'b', 'aXb', 'x', 'HOME', ''])
      expect([name, decided(`/srv/data/${name}`)]).toEqual([name, 'deny']);
  });

  test('that no policy can express are reported, and the others proposed', () => {
    const { items, withheld } = held(hiddenNames);
    expect(items.map(({ text }) => text)).toEqual(['~/.tool/config']);
    expect(withheld).toHaveLength(hiddenNames.length);
    expect(() => factsWith(render(items, 'odd').text)).not.toThrow();
  });
});

describe('the journal', () => {
  const head = { session: 's', workspace, seq: 1 };
  const refusal = (request: PolicyRequest, code: string) =>
    ({
      ...head,
      type: 'refusal',
      request,
      verdict: { code, message: 'because' },
      observed: 'enforcement',
    }) as unknown as JournalEvent;
  const connection = { ...head, type: 'connection', host: 'a.example', port: 443 } as unknown as JournalEvent;
  const opened = { ...head, type: 'enforcement', request: file('read', '/x') } as unknown as JournalEvent;
  const end = { ...head, type: 'session.end' } as unknown as JournalEvent;

  test('a connection and its refusal are one, and other events none', () => {
    const refused = refusal(connect('a.example'), 'rule');
    expect(
      observationsOf([refused, connection, end, refused, refused]).map(({ request, times }) => ({ request, times })),
    ).toEqual([{ request: connect('a.example'), times: 3 }]);
    expect(observationsOf([connection, refused, connection]).map(({ times }) => times)).toEqual([2]);
  });

  test('a refusal only of the recording counts as seen, one of a rule as held', () => {
    expect(
      observationsOf([opened, refusal(connect('a.example'), 'not-granted'), refusal(connect('b.example'), 'rule')]),
    ).toMatchObject([
      { request: file('read', '/x'), outcome: 'seen' },
      { request: connect('a.example'), outcome: 'seen', why: 'because' },
      { request: connect('b.example'), outcome: 'held', why: 'because' },
    ]);
  });
});
