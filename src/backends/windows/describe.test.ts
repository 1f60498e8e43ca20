import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OpenNetwork } from '../../plan/types.ts';
import { fullPlan, planWith } from '../testing/plan.ts';
import { appContainerSid } from './access.ts';
import { commandLine, describeWindows, type WindowsFoundName, type WindowsOptions, windowsPlan } from './index.ts';

const options: WindowsOptions = {
  identity: 'appcontainer',
  tag: 'test-1',
  drives: [{ posix: '/', windows: 'C:\\' }],
  privateDirectory: 'C:\\private\\box',
  proxyPort: 4321,
  processors: 4,
};
const open: OpenNetwork = {
  kind: 'names',
  families: ['ipv4', 'ipv6'],
  dns: 'fake',
  resolver: '198.18.0.1',
  divertPort: 1,
  fallbackPorts: [443],
  loopbackPorts: [],
  forward: [{ host: 1, box: 2 }],
  authority: 'none',
};
const found: readonly WindowsFoundName[] = [
  { path: 'C:\\srv\\project\\.env', type: 'file', effect: 'hidden' },
  { path: 'C:\\srv\\project\\.git', type: 'directory', effect: 'pinned' },
  { path: 'C:\\srv\\project\\.git\\hooks', type: 'directory', effect: 'read-only' },
];

describe('recorded', () => {
  test.each([
    ['appcontainer', fullPlan, { ...options, found }],
    [
      'restricted-token',
      planWith({
        network: open,
        notify: { kind: 'supervisor', groups: ['opens'] },
        requires: ['fs.read', 'pid', 'syscalls', 'fs.write'],
      }),
      { ...options, identity: 'restricted-token' as const },
    ],
    ['open-appcontainer', planWith({ network: open }), options],
  ])('%s', async (name, plan, given) => {
    await expect(`${JSON.stringify(windowsPlan(plan, given), undefined, 2)}\n`).toMatchFileSnapshot(
      `testing/expected/${name}.json`,
    );
  });
});

test.each([
  // Of programs that come with Windows.
  [
    'Microsoft.MicrosoftEdge_8wekyb3d8bbwe',
    'S-1-15-2-3624051433-2125758914-1423191267-1740899205-1073925389-3782572162-737981194',
  ],
  [
    'microsoft.windowscalculator_8wekyb3d8bbwe',
    'S-1-15-2-466767348-3739614953-2700836392-1801644223-4227750657-1087833535-2488631167',
  ],
])('the identifier of %s', (profile, sid) => {
  expect(appContainerSid(profile)).toBe(sid);
});

describe('no hidden path stays open', () => {
  test('names that are one to JavaScript and two to Windows', () => {
    const names = ['.env.k', '.env.\u212a', '.env.i\u0307', '.env.\u0130'].map((name) => `C:\\srv\\project\\${name}`);
    const { access } = windowsPlan(fullPlan, {
      ...options,
      found: names.map((path) => ({ path, type: 'file', effect: 'hidden' })),
    });
    expect(access.map(({ path }) => path)).toEqual(expect.arrayContaining(names));
  });

  test('contents of a directory that cannot be shown at its place', () => {
    const bind = fullPlan.mounts.find((mount) => mount.kind === 'bind') ?? never();
    const { access } = windowsPlan(
      planWith({
        mounts: [
          { ...bind, source: '/home/me/project', target: '/data' },
          { kind: 'mask', target: '/data/.env', type: 'file' },
        ],
      }),
      options,
    );
    expect(
      access.flatMap(({ path, entries }) => (entries.some(({ effect }) => effect === 'allow') ? [path] : [])),
    ).toEqual([]);
  });
});

describe('the fence', () => {
  test.each(['appcontainer', 'restricted-token'] as const)(
    'blocks everything of %s, in both directions and both families',
    (identity) => {
      const { fence, identity: who } = windowsPlan(fullPlan, { ...options, identity });
      expect(fence.filters.every(({ action }) => action === 'block')).toBe(true);
      expect(fence.filters.map(({ layer }) => layer).toSorted()).toEqual([
        'ALE_AUTH_CONNECT_V4',
        'ALE_AUTH_CONNECT_V6',
        'ALE_AUTH_LISTEN_V4',
        'ALE_AUTH_LISTEN_V6',
        'ALE_AUTH_RECV_ACCEPT_V4',
        'ALE_AUTH_RECV_ACCEPT_V6',
      ]);
      for (const { conditions } of fence.filters)
        expect(conditions).toEqual([
          { field: identity === 'appcontainer' ? 'ALE_PACKAGE_ID' : 'ALE_USER_ID', equals: who.sid },
        ]);
    },
  );

  test('lets through one port of the loopback, and only of an open network', () => {
    const { filters } = windowsPlan(planWith({ network: open }), options).fence;
    const permits = filters.filter(({ action }) => action === 'permit');
    expect(permits).toHaveLength(1);
    expect(permits[0]?.conditions.map(({ equals }) => equals).slice(1)).toEqual(['TCP', '127.0.0.1', '4321']);
    for (const filter of filters)
      if (filter.action === 'block') expect(filter.weight).toBeLessThan(permits[0]?.weight ?? 0);
  });
});

describe('unenforceable parts are named', () => {
  const gapsOf = (changes: Parameters<typeof planWith>[0]) =>
    windowsPlan(planWith(changes), options)
      .cannot.map(({ what }) => what)
      .join('\n');

  test('a name that Windows has not, and a place that is not its own', () => {
    const bind = fullPlan.mounts.find((mount) => mount.kind === 'bind') ?? never();
    expect(gapsOf({ mounts: [{ ...bind, source: '/a/nul', target: '/a/nul' }] })).toContain(
      '/a/nul has no path there: a name is that of a device',
    );
    expect(gapsOf({ mounts: [{ ...bind, source: '/a', target: '/b' }] })).toContain('/a cannot be shown at /b');
    expect(gapsOf({ mounts: [{ kind: 'mask', target: '/a:b', type: 'file' }] })).toContain('/a:b has no path there');
  });

  test('and what of it is required makes a launcher refuse', () => {
    expect(
      windowsPlan(planWith({ requires: ['fs.write', 'syscalls', 'pid', 'kernel.separate'] }), options).refuses,
    ).toEqual(['syscalls', 'pid', 'kernel.separate']);
    expect(windowsPlan(planWith({ requires: ['fs.write', 'net.closed'] }), options).refuses).toEqual([]);
  });

  test('rules that ask, writes that wait, and processes that trace each other', () => {
    expect(gapsOf({ notify: { kind: 'supervisor', groups: ['executions'] } })).toContain(
      'nobody is asked about executions',
    );
    expect(gapsOf({})).toContain('nothing keeps writes aside');
    expect(gapsOf({ seccomp: { ptrace: 'deny' } })).toContain('can open and end each other');
    expect(gapsOf({ seccomp: { ptrace: 'allow' } })).not.toContain('can open and end each other');
  });
});

test('limits', () => {
  expect(windowsPlan(fullPlan, options).job).toMatchObject({
    memory: 1e9,
    activeProcesses: 100,
    cpuRate: 3750,
    userTime: 15_000_000,
    flags: ['KILL_ON_JOB_CLOSE', 'DIE_ON_UNHANDLED_EXCEPTION'],
  });
  expect(windowsPlan(planWith({ limits: { grace: 1, cgroups: [], cpus: 64 } }), options).job).toMatchObject({
    cpuRate: 10_000,
  });
});

test.each<[string, Partial<WindowsOptions>]>([
  ['a port', { proxyPort: 0 }],
  ['a tag', { tag: 'a b' }],
  ['a tag that is too long', { tag: 'a'.repeat(51) }],
  ['processors', { processors: 0 }],
  ['a private directory of another machine', { privateDirectory: '\\\\server\\share' }],
  ['a drive that is none', { drives: [{ posix: '/', windows: 'relative' }] }],
  ['a name that is none', { found: [{ path: 'C:\\a\\nul', type: 'file', effect: 'hidden' }] }],
])('%s that no session gives is a defect', (_, changes) => {
  expect(() => windowsPlan(fullPlan, { ...options, ...changes })).toThrow(
    expect.objectContaining({ code: 'HF_INTERNAL' }),
  );
});

test('the output is labelled', () => {
  const { status, notes } = describeWindows(fullPlan);
  expect({ status, first: notes[0] }).toEqual({
    status: 'generated, not run',
    first: 'generated, not run: no machine of this project has tried this plan',
  });
});

function never(): never {
  throw new Error('no bind in the plan');
}

/** `CommandLineToArgvW`. Source: Microsoft, "Parsing C++ command-line arguments". */
function wordsOf(line: string): readonly string[] {
  const end = line.indexOf('"', 1);
  const words = [line.slice(1, end)];
  let [word, quotes, begun] = ['', false, false];
  for (let at = end + 1; at < line.length; at += 1) {
    const [slashes = ''] = /^\\*/u.exec(line.slice(at)) ?? [];
    if (line[at + slashes.length] === '"' && slashes.length > 0) {
      word += '\\'.repeat(Math.floor(slashes.length / 2));
      begun = true;
      at += slashes.length;
      if (slashes.length % 2 === 1) word += '"';
      else quotes = !quotes;
    } else if (line[at] === '"') {
      quotes = !quotes;
      begun = true;
    } else if (!quotes && /[ \t]/u.test(line[at] ?? '')) {
      if (begun) words.push(word);
      [word, begun] = ['', false];
    } else {
      word += line[at] ?? '';
      begun = true;
    }
  }
  return begun ? [...words, word] : words;
}

test('the same words come out again', () => {
  const word = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '\t', '%', '&', '^', '\n'), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (rest) => {
      const made = commandLine(['C:\\bin\\x.exe', ...rest]);
      expect(made.kind === 'line' ? wordsOf(made.line) : made).toEqual(['C:\\bin\\x.exe', ...rest]);
    }),
  );
});

test.each([
  [['x.bat', 'a']],
  [['X.CMD']],
  [['x.cmd ']],
  [['x.bat. .']],
  [['']],
  [['a"b']],
  [['a', 'b\0']],
  [[]],
  [['a', 'x'.repeat(33_000)]],
])('%j has none', (argv) => {
  expect(commandLine(argv).kind).toBe('none');
});
