import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HoldfastError } from '../../errors/index.ts';
import type { CgroupFacts } from '../../plan/facts.ts';
import type { Mount } from '../../plan/mount.ts';
import type { OpenNetwork, Plan } from '../../plan/types.ts';
import { guaranteeNames as guarantees } from '../../policy/guarantees.ts';
import { directory, fullPlan, mountOf, planWith } from '../testing/plan.ts';
import { landlockGuarantees, promisedAbi } from './landlock-abi.ts';
import { adaptToLandlock } from './landlock.ts';

const none: CgroupFacts = { kind: 'none', reason: 'a test' };
const order = { none: 0, partial: 1, kernel: 2 } as const;

describe('the guarantees of Landlock alone', () => {
  test('says something of every guarantee, and never less with a newer ABI', () => {
    for (const guarantee of guarantees) {
      const strengths = [0, 1, 2, 3, 4, 5, 6, 7].map(
        (abi) => order[landlockGuarantees({ uid: 1000, cgroups: none }, abi)[guarantee]],
      );
      expect(strengths, guarantee).toEqual(strengths.toSorted());
    }
  });

  test.each([
    ['fs.write', 3],
    ['net.names', 4],
    ['abstract-sockets', 6],
    ['signals', 6],
  ] as const)('%s is the kernel’s from ABI %i on', (guarantee, abi) => {
    const at = (version: number) => landlockGuarantees({ uid: 1000, cgroups: none }, version)[guarantee];
    expect([at(abi - 1) === 'kernel', at(abi)]).toEqual([false, 'kernel']);
  });

  test('counts processes only where a control group does', () => {
    const limits = (cgroups: CgroupFacts) => landlockGuarantees({ uid: 1000, cgroups }, 6)['limits.processes'];
    expect([
      limits(none),
      limits({ kind: 'v1', directories: { pids: '/g' } }),
      limits({ kind: 'v2', directory: '/g', controllers: ['pids'] }),
      limits({ kind: 'v2', directory: '/g', controllers: [] }),
    ]).toEqual(['partial', 'kernel', 'kernel', 'partial']);
  });
});

test.each([
  ['6.18.44-fc', 6],
  ['6.12.0', 6],
  ['6.11.9', 5],
  ['6.8.0-45-generic', 4],
  ['6.1.0-28-amd64', 2],
  ['5.15.0', 1],
  ['5.10.0', 0],
  ['10.0', 6],
  ['nonsense', 0],
] as const)('a kernel %s promises ABI %i', (release, abi) => {
  expect(promisedAbi(release)).toBe(abi);
});

const place = { scratch: '/tmp/holdfast-1000-box', abi: 6 };
const network: OpenNetwork = {
  kind: 'names',
  families: ['ipv4'],
  dns: 'fake',
  resolver: '198.18.0.1',
  divertPort: 1,
  fallbackPorts: [],
  loopbackPorts: [],
  forward: [],
  authority: 'none',
};
const adapted = (changes: Partial<Plan> = {}): Plan => adaptToLandlock(planWith(changes), place);

function refusal(changes: Partial<Plan>): unknown {
  try {
    return adapted(changes);
  } catch (error) {
    return error instanceof HoldfastError ? [error.code, error.details['missing']] : error;
  }
}

describe('a plan for Landlock alone', () => {
  test('has no namespaces, demands the ABI, and has the supervisor answer everything', () => {
    const { confinement, landlock, notify } = adapted();
    expect([confinement, landlock.minimumAbi, landlock.execution]).toEqual(['landlock', 6, 'listed']);
    expect(notify).toMatchObject({
      kind: 'supervisor',
      reach: 'everything',
      groups: expect.arrayContaining([
        'opens',
        'creations',
        'deletions',
        'renames',
        'truncations',
        'metadata',
        'sockets',
        'executions',
        'descriptors',
        'listens',
      ]),
    });
  });

  test('keeps the groups that rules ask about', () => {
    expect(adapted({ notify: { kind: 'supervisor', groups: ['signals', 'memory-files'] } }).notify).toMatchObject({
      groups: expect.arrayContaining(['signals', 'memory-files', 'opens']),
    });
  });

  test('grants bound paths, harmless devices, system facts and private directories: nothing else', () => {
    const { rules } = adapted().landlock;
    const granted = (access: string) => rules.filter((rule) => rule.access === access).map(({ path }) => path);
    expect(granted('write')).toEqual([]);
    expect(granted('read').filter((path) => !path.startsWith('/proc/'))).toEqual([
      '/usr',
      '/srv/project',
      '/run/socket',
      '/home/me/.npm',
      place.scratch,
    ]);
    expect(granted('devices')).toEqual([
      '/dev/null',
      '/dev/zero',
      '/dev/full',
      '/dev/random',
      '/dev/urandom',
      '/dev/tty',
      '/dev/ptmx',
    ]);
    expect(granted('execute')).toEqual(['/usr/bin/cat']);
    expect(rules.map(({ path }) => path)).not.toContain('/proc');
  });

  test('grants the terminals of a container where /dev/ptmx leads', () => {
    const devices = adaptToLandlock(planWith({ mounts: [{ kind: 'devices', target: '/dev', shmSize: 0 }] }), {
      ...place,
      terminals: '/dev/pts/ptmx',
    }).landlock.rules.flatMap(({ path, access }) => (access === 'devices' ? [path] : []));
    expect(devices).toContain('/dev/pts/ptmx');
    expect(devices).not.toContain('/dev/ptmx');
  });

  test('never grants more than the mounts of the plan show', () => {
    const path = fc.constantFrom(
      '/usr',
      '/home/me',
      '/home/me/.ssh',
      '/srv/project',
      '/srv/project/sub',
      '/tmp',
      '/run/x',
    );
    const bind = fc.record({ path, access: fc.constantFrom('read-only' as const, 'read-write' as const) }).map(
      ({ path: source, access }): Mount => ({
        kind: 'bind',
        source,
        target: source,
        access,
        ownership: 'as-is',
        identity: directory,
        presence: 'optional',
      }),
    );
    const other = path.chain((target) =>
      fc.constantFrom<Mount>(
        { kind: 'tmpfs', target, mode: 0o755, size: 0 },
        { kind: 'mask', target, type: 'directory' },
        { kind: 'directory', target, mode: 0o755 },
        { kind: 'file', target, mode: 0o444, content: '' },
        { kind: 'symlink', target, to: '/' },
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(bind, other)), (mounts) => {
        for (const rule of adapted({
          mounts,
          landlock: { ...fullPlan.landlock, rules: [{ path: '/', access: 'read' }] },
        }).landlock.rules) {
          const bound = mounts.some((mount) => mount.kind === 'bind' && mount.target === rule.path);
          expect([rule.access, bound || rule.path === place.scratch]).toEqual(['read', true]);
        }
      }),
    );
  });

  test('shows a cache read-only, and nothing of the host where a box would have memory of its own', () => {
    const { mounts } = adapted();
    expect(mounts).toContainEqual(
      expect.objectContaining({ kind: 'bind', target: '/home/me/.npm', access: 'read-only' }),
    );
    expect(mounts).toContainEqual({ kind: 'directory', target: '/tmp', mode: 0o1777 });
    expect(mounts.filter(({ kind }) => kind === 'tmpfs')).toEqual([
      { kind: 'tmpfs', target: place.scratch, mode: 0o700, size: 0 },
    ]);
    expect(mounts).toContainEqual(mountOf('mask'));
    expect(mounts).toContainEqual(mountOf('file'));
  });

  test('has its temporary files in the private directory', () => {
    const command = {
      ...fullPlan.command,
      environment: { TMPDIR: '/tmp', TMP: '/tmp', XDG_RUNTIME_DIR: '/run/user/1000', HOME: '/home/me' },
    };
    expect(adapted({ command }).command.environment).toEqual({
      TMPDIR: place.scratch,
      TMP: place.scratch,
      XDG_RUNTIME_DIR: place.scratch,
      HOME: '/home/me',
    });
    expect(adapted({ command: { ...command, environment: {} } }).command.environment).toEqual({
      TMPDIR: place.scratch,
    });
  });

  test.each<[string, string, Partial<Plan>]>([
    [
      'fs.stage',
      'a layer',
      {
        mounts: [
          {
            ...mountOf('overlay'),
            layer: { upper: { path: '/u', identity: directory }, work: { path: '/w', identity: directory } },
          },
        ],
      },
    ],
    ['fs.stage', 'a keeper', { keeper: '/layer' }],
    ['fs.stage', 'a requirement', { requires: ['fs.stage'] }],
    ['fs.read', 'a bind from elsewhere', { mounts: [{ ...mountOf('bind'), source: '/other' }] }],
    ['fs.read', 'a cache from elsewhere', { mounts: [{ ...mountOf('overlay'), lower: '/other' }] }],
    ['net.names', 'a port that is shown', { network: { ...network, forward: [{ host: 1, box: 2 }] } }],
    ['kernel.separate', 'a nested kernel', { seccomp: { ptrace: 'allow', nesting: 'runtime' } }],
  ])('is refused by %s: %s', (guarantee, _what, changes) => {
    expect(refusal(changes)).toEqual(['HF_GUARANTEE_MISSING', [guarantee]]);
  });
});
