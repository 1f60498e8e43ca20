import { describe, expect, test } from 'vitest';
import type { Mount } from '../../plan/mount.ts';
import { host } from '../../plan/testing/host.ts';
import type { NetworkPlan, Plan } from '../../plan/types.ts';
import { directory, fullPlan, planWith } from '../testing/plan.ts';
import { describeProfile, seatbeltCommand, type SeatbeltOptions, seatbeltProfile } from './profile.ts';
import { evaluator, type Request } from './testing/evaluator.ts';
import { options } from './testing/plans.ts';

const asker = (plan: Plan, changes: Partial<SeatbeltOptions> = {}) =>
  evaluator(seatbeltProfile(plan, { ...options, ...changes }));
const may = (plan: Plan, request: Request, changes: Partial<SeatbeltOptions> = {}): boolean =>
  asker(plan, changes)(request).decision === 'allow';
const bind = (target: string, access: 'read-only' | 'read-write'): Mount => ({
  kind: 'bind',
  source: target,
  target,
  access,
  ownership: 'as-is',
  identity: directory,
  presence: 'required',
});

describe('files', () => {
  const usual = host({ tree: { '/home/me/project/.env': 'file' } }).plan();
  const ask = asker(usual);
  const allowed = (operation: string, path: string): boolean => ask({ operation, path }).decision === 'allow';

  test('a name is refused before it exists, in any case, at any depth', () => {
    for (const path of [
      '/home/me/project/.vscode/tasks.json',
      '/home/me/project/a/b/.VSCODE',
      '/home/me/project/.git/hooks/pre-commit',
      '/home/me/project/.hu\u017fky/x',
    ])
      expect(allowed('file-write-create', path), path).toBe(false);
    for (const path of ['/home/me/project/src/a.ts', '/home/me/project/.git/index', '/home/me/project/vscode'])
      expect(allowed('file-write-create', path), path).toBe(true);
  });

  test('secrets are neither read nor looked at nor loaded', () => {
    for (const operation of [
      'file-read-data',
      'file-read-metadata',
      'file-map-executable',
      'process-exec',
      'file-write-unlink',
    ])
      expect(allowed(operation, '/home/me/project/a/.env.local'), operation).toBe(false);
    expect(allowed('file-read-data', '/home/me/project/.env.example')).toBe(true);
  });

  // Attack: `mv .github x`, change `x/workflows`, move it back; or move a directory with `workflows` in it to
  // `.github`.
  test('parents of a protected path are neither moved nor made', () => {
    for (const operation of ['file-write-unlink', 'file-write-create'])
      expect(allowed(operation, '/home/me/project/.github'), operation).toBe(false);
    expect(allowed('file-write-create', '/home/me/project/.github/dependabot.yml')).toBe(true);
    expect(allowed('file-write-create', '/home/me/project/node_modules')).toBe(true);
  });

  // Attack: `mv a $TMPDIR/a`, where no name is protected, and back.
  test('names are refused in the private directory as well', () => {
    expect(allowed('file-write-create', `${options.privateDirectory}/tmp/a/b`)).toBe(true);
    for (const name of ['.vscode', '.env'])
      expect(allowed('file-write-create', `${options.privateDirectory}/tmp/a/${name}`), name).toBe(false);
  });

  // Attack: the directory around a mask is moved, and what was below it has another path.
  test('parents of a fixed path cannot be moved', () => {
    const plan = planWith({
      mounts: [bind('/srv/project', 'read-write'), { kind: 'mask', target: '/srv/project/a/b/key', type: 'file' }],
      protection: { ...fullPlan.protection, roots: ['/srv/project'], guarded: ['/srv/project/tools/hooks'] },
    });
    for (const path of ['', '/a', '/a/b', '/a/b/key', '/tools', '/tools/hooks'])
      expect(may(plan, { operation: 'file-write-unlink', path: `/srv/project${path}` }), path).toBe(false);
    expect(may(plan, { operation: 'file-write-unlink', path: '/srv/project/a/c' })).toBe(true);
  });

  test('private files in memory stay in the private directory, off the host', () => {
    for (const path of ['/tmp/x', '/private/tmp/x', '/var/tmp/x', '/run/holdfast/session.json'])
      for (const operation of ['file-read-data', 'file-write-create'])
        expect(allowed(operation, path), path).toBe(false);
    expect(allowed('file-write-create', `${options.privateDirectory}/tmp/x`)).toBe(true);
    expect(allowed('file-read-data', `${options.privateDirectory}/run/holdfast/session.json`)).toBe(true);
    expect(allowed('file-write-data', `${options.privateDirectory}/run/holdfast/session.json`)).toBe(false);
  });

  test('files that wait for approval are hidden, except in packages and git’s branches', () => {
    const names = [
      {
        components: ['agents.md'],
        effect: 'withheld' as const,
        except: [],
        scope: 'outside-packages' as const,
        reason: 'a test',
      },
    ];
    const approved = ['/srv/project/sub/AGENTS.md', '/srv/project/.git/own'];
    const plan = planWith({
      mounts: [bind('/srv/project', 'read-write')],
      protection: {
        roots: ['/srv/project'],
        shownRoots: [],
        gitDirectories: [],
        names,
        guarded: [],
        released: [],
        withholding: ['/srv/project'],
        approved,
      },
    });
    const reads = asker(plan);
    const hidden = ['AGENTS.md', 'a/agents.md/x', '.git/AGENTS.md', '.git/own/agents.md', 'refs/agents.md'];
    const shown = [
      'sub/AGENTS.md',
      'node_modules/a/agents.md',
      '.git/refs/heads/agents.md',
      '.git/own/refs/agents.md',
      'sub/agents',
    ];
    expect(
      [...hidden, ...shown].filter(
        (name) => reads({ operation: 'file-read-data', path: `/srv/project/${name}` }).decision === 'allow',
      ),
    ).toEqual(shown);
  });

  // Attack: a grant of `/private`, in which a Mac has its `/tmp`.
  test("the host's own directory is refused where it really lies", () => {
    const plan = planWith({
      mounts: [{ kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 0 }, bind('/private', 'read-only')],
    });
    const reads = asker(plan, { privateDirectory: '/Volumes/box' });
    expect(
      ['/private/tmp/x', '/tmp/x', '/private/other'].map(
        (path) => reads({ operation: 'file-read-data', path }).decision,
      ),
    ).toEqual(['deny', 'deny', 'allow']);
  });

  test('deeper mounts win, whatever order they come in', () => {
    const mounts = [
      bind('/srv/a/b', 'read-write'),
      bind('/srv/a', 'read-only'),
      { kind: 'mask', target: '/srv/a/b/c', type: 'directory' } as const,
    ];
    for (const each of [mounts, mounts.toReversed()]) {
      const plan = planWith({
        mounts: each,
        protection: { ...fullPlan.protection, roots: [], shownRoots: [], names: [], guarded: [], released: [] },
      });
      expect(
        ['/srv/a/x', '/srv/a/b/x', '/srv/a/b/c/x'].map((path) => [
          may(plan, { operation: 'file-read-data', path }),
          may(plan, { operation: 'file-write-data', path }),
        ]),
      ).toEqual([
        [true, false],
        [true, true],
        [false, false],
      ]);
    }
  });

  test('only listed programs are executed where there is a list', () => {
    const plan = planWith({ mounts: [bind('/usr', 'read-only')] });
    expect(
      ['/usr/bin/cat', '/usr/bin/ls', '/usr/lib/dyld'].map((path) => may(plan, { operation: 'process-exec', path })),
    ).toEqual([true, false, false]);
    const denied = {
      ...usual,
      programs: [
        { program: 'curl', path: '/usr/bin/curl', identity: directory, held: 'notification' as const, sharedWith: [] },
      ],
    };
    expect(
      ['/usr/bin/curl', '/usr/bin/ls'].map((path) => may(denied, { operation: 'process-exec-interpreter', path })),
    ).toEqual([false, true]);
  });

  test('terminals of other windows stay out of reach', () => {
    const write = (path: string, changes = {}): boolean => may(usual, { operation: 'file-ioctl', path }, changes);
    expect([
      write('/dev/ttys001'),
      write('/dev/tty'),
      write('/dev/ttys001', { terminal: '/dev/ttys001' }),
      write('/dev/ttys002', { terminal: '/dev/ttys001' }),
    ]).toEqual([false, false, true, false]);
    expect(may(usual, { operation: 'file-write-data', path: '/dev/null' })).toBe(true);
    expect(may(usual, { operation: 'file-read-data', path: '/dev/disk0' })).toBe(false);
  });
});

describe('network', () => {
  const open: NetworkPlan = {
    kind: 'names',
    families: ['ipv4'],
    dns: 'fake',
    resolver: '127.0.0.1',
    divertPort: 1,
    fallbackPorts: [443],
    loopbackPorts: [5432],
    forward: [{ host: 80, box: 8080 }],
    authority: 'none',
  };
  const connects = (plan: Plan, address: string): boolean => may(plan, { operation: 'network-outbound', address });

  test('open, it is one port of loopback; closed, nothing', () => {
    const addresses = ['localhost:4321', 'localhost:4322', 'localhost:5432', '*:443', '192.0.2.1:443'];
    expect(addresses.map((address) => connects(planWith({ network: open }), address))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(addresses.filter((address) => connects(planWith({ network: { kind: 'closed' } }), address))).toEqual([]);
  });

  test('a port that is shown may be listened on', () => {
    const listens = (address: string): boolean =>
      may(planWith({ network: open }), { operation: 'network-bind', address });
    expect([listens('localhost:8080'), listens('localhost:80'), listens('*:8080')]).toEqual([true, false, false]);
  });

  test('sockets that the plan shows are connected to, and no others', () => {
    expect(
      ['/run/socket', '/srv/project/own.sock', '/var/run/mDNSResponder', `${options.privateDirectory}/tmp/a.sock`].map(
        (path) => may(fullPlan, { operation: 'network-outbound', path }),
      ),
    ).toEqual([true, false, false, true]);
  });
});

describe('Mach services', () => {
  const reaches = (name: string, changes: Partial<SeatbeltOptions> = {}): boolean =>
    may(fullPlan, { operation: 'mach-lookup', name }, changes);

  test('are those of the list', () => {
    expect(
      ['com.apple.system.logger', 'com.apple.system.loggers', 'com.example.agent'].map((name) => reaches(name)),
    ).toEqual([true, false, false]);
    expect(reaches('com.example.agent', { mach: { allow: ['com.example.agent'], block: [] } })).toBe(true);
  });

  test('with a blocked prefix are blocked although they are allowed', () => {
    const allow = ['com.apple.pasteboard.1', 'com.apple.windowserver.active', 'com.example.agent', 'comXexample.agent'];
    expect(allow.map((name) => reaches(name, { mach: { allow, block: ['com.example.'] } }))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});

test('processes outside get no signal and are not looked at', () => {
  for (const operation of ['signal', 'process-info-pidinfo'])
    expect((['same-sandbox', 'others'] as const).map((target) => may(fullPlan, { operation, target }))).toEqual([
      true,
      false,
    ]);
  expect(
    ['allow', 'deny'].map((ptrace) =>
      may(planWith({ seccomp: { ptrace: ptrace as 'allow' | 'deny' } }), {
        operation: 'mach-priv-task-port',
        target: 'same-sandbox',
      }),
    ),
  ).toEqual([true, false]);
  expect(['hw.ncpu', 'kern.procargs2'].map((name) => may(fullPlan, { operation: 'sysctl-read', name }))).toEqual([
    true,
    false,
  ]);
});

test('every refusal carries the tag', () => {
  const ask = asker(fullPlan, { tag: 'box "7"' });
  for (const request of [
    { operation: 'file-read-data', path: '/srv/project/.env' },
    { operation: 'file-read-data', path: '/nowhere' },
    { operation: 'mach-lookup', name: 'x' },
    { operation: 'system-kext-load' },
  ])
    expect(ask(request)).toMatchObject({ decision: 'deny' });
  expect(ask({ operation: 'file-read-data', path: '/srv/project/.env' }).message).toBe('box "7"');
  expect(ask({ operation: 'system-kext-load' }).message).toBe('box "7"');
});

test('a command is started by words, which no shell reads and none of which is an option', () => {
  const plan = planWith({ command: { argv: ['-p', '(allow default)', "'; x"], cwd: '/', environment: {} } });
  expect(seatbeltCommand(plan, { profile: '/x/box.sb' })).toEqual([
    '/usr/bin/sandbox-exec',
    '-f',
    '/x/box.sb',
    '--',
    '-p',
    '(allow default)',
    "'; x",
  ]);
  expect(() => seatbeltCommand(plan, { profile: 'box.sb' })).toThrow(expect.objectContaining({ code: 'HF_INTERNAL' }));
});

test('the printed profile says that it was not run', () => {
  const text = describeProfile(planWith({ command: { argv: ['a\n(allow default)'], cwd: '/', environment: {} } }));
  expect(text).toMatch(/^; generated, not run: /u);
  expect(evaluator(text)({ operation: 'system-kext-load' }).decision).toBe('deny');
});
