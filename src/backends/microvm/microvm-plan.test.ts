import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { notifyFilter } from '../../plan/seccomp/notify.ts';
import type { NotifyGroup, Plan } from '../../plan/types.ts';
import type { LaunchOutcome } from '../backend.ts';
import { fullPlan, planWith } from '../testing/plan.ts';
import { microvmAdapted } from './adapt.ts';
import { machineText, guestPaths } from './machine.ts';
import { checkHardware, microvmBackend, microvmOutcome } from './microvm.ts';
import { type MicrovmParts, microvmPlan } from './parts.ts';

const mebi = 1 << 20;
const identity = { device: '1', inode: '2', type: 'file' } as const;
const file = (path: string) => ({ path, identity });
const parts: MicrovmParts = {
  qemu: '/usr/bin/qemu',
  accelerator: 'tcg',
  guest: file('/g'),
  kernel: file('/k'),
  initramfs: file('/i'),
  filter: Uint8Array.of(1, 2, 255),
};
const open: Plan['network'] = {
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
const enforceable = planWith({ landlock: { ...fullPlan.landlock, execution: 'any' } });

const listing = (...paths: readonly string[]): Plan['landlock'] => ({
  minimumAbi: 1,
  execution: 'listed',
  rules: [{ path: '/', access: 'read' }, ...paths.map((path) => ({ path, access: 'execute' as const }))],
});

/** The words that qemu gets. */
function wordsOf(plan: Plan, accelerator: 'kvm' | 'tcg' = 'tcg'): readonly string[] {
  return machineText(plan, { qemu: '/usr/bin/qemu', accelerator, memory: 512 * mebi })
    .split('\n')
    .flatMap((line) => (line.startsWith('word ') ? [line.slice(5)] : []));
}

describe('the plan of the box around a microVM', () => {
  test('starts qemu in the place of the command, and keeps everything else that confines', () => {
    const plan = microvmPlan(enforceable, parts);
    expect(plan.command).toEqual({
      ...enforceable.command,
      argv: [guestPaths.guest, 'host', guestPaths.machine, '--', ...enforceable.command.argv],
    });
    expect(plan.mounts.slice(0, enforceable.mounts.length)).toEqual(enforceable.mounts);
    expect({ ...plan, command: 0, mounts: 0, limits: 0 }).toEqual({ ...enforceable, command: 0, mounts: 0, limits: 0 });
  });

  test('shows its own parts read-only, and /dev/kvm only where that is used', () => {
    const added = (accelerator: 'kvm' | 'tcg') => microvmPlan(enforceable, { ...parts, accelerator }).mounts;
    expect(
      added('tcg').flatMap((mount) =>
        mount.kind === 'bind' && mount.target.startsWith(guestPaths.directory) ? [mount.access] : [],
      ),
    ).toEqual(['read-only', 'read-only', 'read-only']);
    expect(added('tcg').some((mount) => mount.kind === 'devices' && mount.kvm === 'shown')).toBe(false);
    expect(added('kvm').some((mount) => mount.kind === 'devices' && mount.kvm === 'shown')).toBe(true);
  });

  test('a closed network is no network card', () => {
    expect(wordsOf(planWith({ network: { kind: 'closed' } })).join(' ')).not.toContain('net');
    expect(wordsOf(planWith({ network: open }))).toContain('virtio-net-device,netdev=net');
  });

  test('a line of the file stays one line, whatever the names of mounts', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\0', 'word ', '/'), maxLength: 8 }), (name) => {
        const text = machineText(planWith({ mounts: [{ kind: 'tmpfs', target: `/${name}`, mode: 0o700, size: 1 }] }), {
          qemu: '/q',
          accelerator: 'tcg',
          memory: mebi,
        });
        expect(
          text.split('\n').filter((line) => line.startsWith('word ') || line.startsWith('emulated-kernel ')),
        ).toHaveLength(wordsOf(fullPlan).length + 1);
      }),
    );
  });

  test("memory below which something else is mounted stays the box's own", () => {
    const tmp = { kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 5 } as const;
    const text = (mounts: Plan['mounts']) =>
      machineText(planWith({ mounts }), { qemu: '/q', accelerator: 'tcg', memory: mebi });
    expect(text([tmp])).toContain('tmpfs 1777 5 /tmp\n');
    expect(text([tmp, { kind: 'mask', target: '/tmp/secret', type: 'file' }])).not.toContain('tmpfs');
  });
});

describe('limits', () => {
  test('a limit of one process holds inside; a limit of all leaves room for qemu', () => {
    const cgroups = [
      {
        directory: '/c',
        files: [
          { name: 'memory.max', value: String(200 * mebi) },
          { name: 'pids.max', value: '7' },
          { name: 'cpu.max', value: '5 10' },
        ],
      },
    ];
    const { limits } = microvmPlan(
      planWith({
        limits: { memory: 200 * mebi, processes: 7, cpuTime: 1500, openFiles: 9, fileSize: 10, grace: 1, cgroups },
      }),
      parts,
    );
    expect(limits).toMatchObject({ fileSize: 10, processes: 256, memory: 584 * mebi });
    expect(limits).not.toHaveProperty('cpuTime');
    expect(limits).not.toHaveProperty('openFiles');
    expect(limits.cgroups[0]?.files).toEqual([
      { name: 'memory.max', value: String(584 * mebi) },
      { name: 'pids.max', value: '256' },
      { name: 'cpu.max', value: '5 10' },
    ]);
  });

  test('the guest has no more memory than the limit, in whole MiB', () => {
    fc.assert(
      fc.property(fc.integer({ min: 160 * mebi, max: 2 ** 40 }), (memory) => {
        const plan = microvmPlan(planWith({ limits: { memory, grace: 1, cgroups: [] } }), parts);
        const text = plan.mounts.find((mount) => mount.kind === 'file' && mount.target === guestPaths.machine);
        const given = Number(/word -m\nword (\d+)M\n/u.exec(text?.kind === 'file' ? text.content : '')?.[1]) * mebi;
        expect(given).toBeGreaterThan(0);
        expect(given).toBeLessThanOrEqual(memory);
      }),
    );
  });
});

const shared = { program: 'vi', path: '/usr/bin/vim', identity, held: 'notification', sharedWith: ['vim'] } as const;

describe('rules that a guest cannot enforce are refused', () => {
  const supervised = (group: NotifyGroup): Partial<Plan> => ({ notify: { kind: 'supervisor', groups: [group] } });
  test.each<[string, Partial<Plan>, string]>([
    ['a listed program with two lines', { landlock: listing('/bin/a\nb') }, 'syscalls'],
    ['a program that shares its file', { programs: [shared] }, 'syscalls'],
    [
      'executions in a strict box',
      { notify: { kind: 'supervisor', groups: ['executions'], started: 'compared' } },
      'syscalls',
    ],
    ['signals', supervised('signals'), 'syscalls'],
    ['sockets', supervised('sockets'), 'syscalls'],
    ['ports of the host', { network: { ...open, loopbackPorts: [1] } }, 'net.names'],
    ['ports for the host', { network: { ...open, forward: [{ host: 1, box: 1 }] } }, 'net.names'],
    ['less memory than a kernel needs', { limits: { memory: 1, grace: 1, cgroups: [] } }, 'limits.memory'],
  ])('%s', (_, changes, guarantee) => {
    expect(() => microvmAdapted({ ...enforceable, ...changes })).toThrow(
      expect.objectContaining({ code: 'HF_GUARANTEE_MISSING', details: { missing: [guarantee] } }),
    );
  });

  test('and nothing else is', () => {
    const plans = [
      enforceable,
      { ...enforceable, network: open },
      { ...enforceable, ...supervised('creations') },
      { ...enforceable, programs: [{ ...shared, held: 'mask' } as const] },
    ];
    for (const plan of plans) expect(microvmAdapted(plan)).toBe(plan);
  });
});

describe('programs that start in the guest', () => {
  const judged = microvmAdapted({
    ...enforceable,
    notify: { kind: 'supervisor', groups: ['creations', 'executions'] },
  });

  test('are asked about, from a guest that has the guard', () => {
    expect(judged.notify).toEqual({ kind: 'supervisor', groups: ['creations', 'guest-executions'] });
    const guard = microvmPlan(judged, parts).mounts.find(({ target }) => target === guestPaths.guard);
    const filter = notifyFilter({ architecture: 'x64', groups: ['executions'] });
    expect(guard).toMatchObject({ kind: 'file', content: Buffer.from(filter).toString('base64') });
    expect(machineText(judged, { qemu: '/q', accelerator: 'tcg', memory: mebi })).toContain(
      `guard ${guestPaths.guard}\n`,
    );
  });

  test('need a rule; without one there is no guard', () => {
    expect(microvmPlan(enforceable, parts).mounts.some(({ target }) => target === guestPaths.guard)).toBe(false);
    expect(machineText(enforceable, { qemu: '/q', accelerator: 'tcg', memory: mebi })).not.toContain('guard');
  });

  test('are those of a list alone, which the guest holds and the box of qemu does not', () => {
    const landlock = listing('/usr/bin/env', '/usr/bin/sh');
    const groups = ['executions', 'memory-files'] as const;
    const plan = microvmAdapted(planWith({ landlock, notify: { kind: 'supervisor', groups } }));
    const text = machineText(plan, { qemu: '/q', accelerator: 'tcg', memory: mebi });
    expect(text).toContain('listed 1\nexecute /usr/bin/env\nexecute /usr/bin/sh\n');
    expect(plan).toMatchObject({ notify: { groups: ['guest-executions'] }, seccomp: { memoryFiles: 'none' } });
    const around = { minimumAbi: 1, execution: 'any', rules: [{ path: '/', access: 'read' }] };
    expect(microvmPlan(plan, parts).landlock).toEqual(around);
    const nothing = machineText(planWith({ landlock: listing() }), { qemu: '/q', accelerator: 'tcg', memory: mebi });
    expect(nothing).toContain('listed 1\n');
    expect(nothing).not.toContain('execute');
  });

  test("lie where the supervisor can look: private memory is the box's", () => {
    const mounts = [{ kind: 'tmpfs', target: '/tmp', mode: 0o1777, size: 5 }] as const;
    expect(machineText({ ...judged, mounts }, { qemu: '/q', accelerator: 'tcg', memory: mebi })).not.toContain('tmpfs');
  });

  test('a program that shares its file is refused by its name', () => {
    expect(() => microvmAdapted({ ...judged, programs: [shared], notify: enforceable.notify })).toThrow(
      'shares its file',
    );
    const groups = ['executions'] as const;
    expect(() =>
      microvmAdapted({ ...judged, programs: [shared], notify: { kind: 'supervisor', groups } }),
    ).not.toThrow();
  });
});

test('no machine of its own is promised where nothing has shown that there is one', () => {
  vi.stubEnv('XDG_STATE_HOME', '/nonexistent');
  const held = microvmBackend.guarantees({ uid: 1000, cgroups: { kind: 'none', reason: 'a test' } });
  vi.unstubAllEnvs();
  expect(held).toMatchObject({ 'hardware.separate': 'none', 'kernel.separate': 'kernel', 'limits.memory': 'kernel' });
});

test('a machine of its own that was there when the session began is not replaced by an emulated one', () => {
  const demanding = planWith({ requires: ['hardware.separate'] });
  expect(() => checkHardware(demanding, 'tcg')).toThrow(
    expect.objectContaining({ code: 'HF_GUARANTEE_MISSING', details: { missing: ['hardware.separate'] } }),
  );
  expect(() => checkHardware(demanding, 'kvm')).not.toThrow();
  expect(() => checkHardware(planWith({ requires: ['kernel.separate'] }), 'tcg')).not.toThrow();
});

describe('the outcome', () => {
  const ended = (signal: number): LaunchOutcome => ({
    exitCode: 128 + signal,
    signal,
    failure: undefined,
    landlockAbi: 0,
    initPid: 0,
    protectedBefore: [],
    appeared: [],
    refused: [],
    covered: [],
    stderrTail: Buffer.alloc(0),
    ending: 'exited',
  });

  test.each([
    [64, 'run the virtual machine'],
    [63, 'exec'],
    [62, 'exec'],
  ])('an end by %i is a failure', (signal, stage) => {
    expect(microvmOutcome(ended(signal), 'tool')).toMatchObject({ exitCode: 125, signal: 0, failure: { stage } });
  });

  test.each([0, 9, 15, 61])('an end by %i is the command’s own', (signal) => {
    const outcome = ended(signal);
    expect(microvmOutcome(outcome, 'tool')).toBe(outcome);
  });
});
