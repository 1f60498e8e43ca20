import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { CgroupFacts } from '../../plan/facts.ts';
import type { Mount } from '../../plan/mount.ts';
import type { Plan } from '../../plan/types.ts';
import { fullPlan, planWith } from '../testing/plan.ts';
import {
  bundleConfig,
  bundleDirectory,
  type GvisorOptions,
  gvisorPlan,
  gvisorLauncher,
  innerRunsc,
  stateDirectory,
} from './gvisor-plan.ts';
import {
  gvisorAdapted,
  findRuntime,
  gvisorBackend,
  filesIdentity,
  gvisorOutcome,
  gvisorPresence,
  recall,
  remember,
} from './gvisor.ts';
import {
  askRunsc,
  choosePlatform,
  judgeAnswer,
  platforms,
  type ProbeResult,
  type ProbeResults,
  readVersion,
} from './platform.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const runsc = { path: '/usr/bin/runsc', version: '0.0~20221219.0', date: 20221219 };
const options: GvisorOptions = { runsc, platform: 'ptrace', programs: [], terminal: 'no' };
const scratch = mkdtempSync(join(tmpdir(), 'holdfast-gvisor-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function program(name: string, script: string): string {
  const path = join(scratch, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('the plan around', () => {
  const plan = gvisorPlan(fullPlan, options);

  test('keeps everything that confines a box, and opens the paths that the runtime needs', () => {
    const { command: _command, mounts, limits: _limits, seccomp, ...rest } = plan;
    const { command: _planned, mounts: before, limits: _before, seccomp: _seccomp, ...kept } = fullPlan;
    expect(rest).toEqual(kept);
    expect(mounts.slice(0, before.length)).toEqual(before);
    expect(seccomp).toEqual({ ptrace: 'allow', nesting: 'runtime' });
  });

  test('runs the runtime behind the forwarder, or alone on a terminal', () => {
    expect(plan.command.argv.slice(0, 4)).toEqual([gvisorLauncher, 'forward', String(2 ** 40), innerRunsc]);
    expect(gvisorPlan(planWith({ limits: { grace: 1, cgroups: [] } }), options).command.argv[2]).toBe('unlimited');
    expect(plan.command.environment).toEqual({});
    expect(gvisorPlan(fullPlan, { ...options, terminal: 'yes' }).command.argv[0]).toBe(innerRunsc);
  });

  test('newer releases never keep the box’s writes in memory', () => {
    expect(plan.command.argv.join(' ')).not.toContain('overlay2');
    expect(gvisorPlan(fullPlan, { ...options, runsc: { ...runsc, date: 20240930 } }).command.argv).toContain(
      '--overlay2=none',
    );
  });

  test('processes get an allowance, sizes of files are counted inside', () => {
    const cgroups = [
      {
        directory: '/sys/fs/cgroup/x',
        files: [
          { name: 'pids.max', value: '100' },
          { name: 'memory.max', value: '100' },
        ],
      },
    ];
    const { limits } = gvisorPlan(planWith({ limits: { ...fullPlan.limits, cgroups } }), options);
    expect(limits).toMatchObject({ processes: 164, memory: 1e9, cpuTime: 1500, wall: 60_000 });
    expect([limits.fileSize, limits.openFiles, limits.cgroups[0]?.files]).toEqual([
      undefined,
      undefined,
      [
        { name: 'pids.max', value: '164' },
        { name: 'memory.max', value: '100' },
      ],
    ]);
  });
});

describe('the bundle', () => {
  const config = JSON.parse(bundleConfig(fullPlan, { terminal: 'no' })) as {
    process: Record<string, unknown>;
    mounts: { destination: string; options: string[] }[];
    linux: { seccomp: { syscalls: { names: string[] }[] } };
  };

  test('holds the command as it was planned', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }),
        fc.dictionary(fc.string({ minLength: 1 }), fc.string()),
        (argv, environment) => {
          const { process } = JSON.parse(
            bundleConfig(planWith({ command: { argv, cwd: '/w', environment } }), { terminal: 'yes' }),
          ) as { process: Record<string, unknown> };
          expect(process).toMatchObject({
            terminal: true,
            args: argv,
            cwd: '/w',
            env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
            noNewPrivileges: true,
          });
        },
      ),
    );
  });

  test('has no capability, and the limits of files', () => {
    expect(Object.values(config.process['capabilities'] as Record<string, string[]>).flat()).toEqual([]);
    expect(config.process['rlimits']).toEqual(
      expect.arrayContaining([
        { type: 'RLIMIT_FSIZE', soft: 2 ** 40, hard: 2 ** 40 },
        { type: 'RLIMIT_NOFILE', soft: 64, hard: 64 },
        { type: 'RLIMIT_CORE', soft: 0, hard: 0 },
      ]),
    );
  });

  test('shares paths that the host may change, and covers the runtime’s own', () => {
    const layer = { path: '/state/x', identity: { device: '1', inode: '2', type: 'directory' } } as const;
    const staged: Mount = {
      kind: 'overlay',
      lower: '/srv/staged',
      target: '/srv/staged',
      identity: layer.identity,
      layer: { upper: layer, work: layer },
    };
    const { mounts } = JSON.parse(
      bundleConfig(planWith({ mounts: [...fullPlan.mounts, staged] }), { terminal: 'no' }),
    ) as typeof config;
    expect(
      mounts.filter(({ options: words }) => words.includes('rbind')).map(({ destination }) => destination),
    ).toEqual(['/srv/project', '/srv/staged']);
    for (const directory of [stateDirectory, bundleDirectory])
      expect(mounts).toContainEqual(expect.objectContaining({ destination: directory, type: 'tmpfs' }));
  });

  test('closes mounting, and tracing where the policy does', () => {
    const names = (plan: Plan) =>
      (JSON.parse(bundleConfig(plan, { terminal: 'no' })) as typeof config).linux.seccomp.syscalls.flatMap(
        (row) => row.names,
      );
    expect(names(fullPlan)).toEqual(expect.arrayContaining(['mount', 'umount2', 'unshare', 'ptrace']));
    expect(names(planWith({ seccomp: { ptrace: 'allow' } }))).not.toContain('ptrace');
    // CLONE_NEWUSER of linux/sched.h: in a namespace of its own the command would have every capability.
    expect(config.linux.seccomp.syscalls).toContainEqual({
      names: ['clone'],
      action: 'SCMP_ACT_ERRNO',
      errnoRet: 1,
      args: [{ index: 0, value: 0x1000_0000, valueTwo: 0x1000_0000, op: 'SCMP_CMP_MASKED_EQ' }],
    });
  });
});

describe('rules that only the second kernel could enforce are refused', () => {
  const open = planWith({ landlock: { ...fullPlan.landlock, execution: 'any' } });

  test('all else is left as it is', () => {
    expect(gvisorAdapted(open)).toBe(open);
    const guarded = { ...open, notify: { kind: 'guard', groups: ['creations', 'connections'] } } as const;
    expect(gvisorAdapted(guarded)).toBe(guarded);
  });

  test.each<[string, Partial<Plan>, string]>([
    ['a list of programs', { landlock: fullPlan.landlock }, 'syscalls'],
    [
      'a program that shares its file',
      {
        programs: [
          {
            program: 'x',
            path: '/usr/bin/x',
            identity: { device: '1', inode: '1', type: 'file' },
            held: 'notification',
            sharedWith: ['y'],
          },
        ],
      },
      'syscalls',
    ],
    ['rules about signals', { notify: { kind: 'supervisor', groups: ['opens', 'signals'] } }, 'signals'],
    ['rules about sockets', { notify: { kind: 'supervisor', groups: ['sockets'] } }, 'unix-sockets'],
    ['rules about files', { notify: { kind: 'supervisor', groups: ['deletions'] } }, 'fs.write'],
  ])('%s', (_, changes, guarantee) => {
    expect(() => gvisorAdapted({ ...open, ...changes })).toThrow(
      expect.objectContaining({
        code: 'HF_GUARANTEE_MISSING',
        details: { missing: [guarantee] },
        message: expect.stringContaining(`(guarantee: ${guarantee})`) as string,
      }),
    );
  });
});

test('memory is held by a control group or not at all, and processes never wholly', () => {
  const held = (cgroups: CgroupFacts) => gvisorBackend.guarantees({ uid: 1000, cgroups });
  expect(held({ kind: 'none', reason: 'a test' })).toMatchObject({
    'limits.memory': 'none',
    'limits.processes': 'partial',
    'kernel.separate': 'kernel',
    'hardware.separate': 'none',
  });
  expect(held({ kind: 'v2', directory: '/g', controllers: ['memory', 'pids'] })).toMatchObject({
    'limits.memory': 'kernel',
    'limits.processes': 'partial',
  });
});

describe('the platform', () => {
  const result: fc.Arbitrary<ProbeResult> = fc.oneof(
    fc.record({
      kind: fc.constant('works' as const),
      kernel: fc.string(),
      statx: fc.constantFrom('answered' as const, 'refused' as const),
    }),
    fc.record({ kind: fc.constant('fails' as const), reason: fc.string() }),
  );
  const results: fc.Arbitrary<ProbeResults> = fc.record(
    { systrap: result, kvm: result, ptrace: result },
    { requiredKeys: [] },
  );

  test('is the first that works, and nothing is chosen untried', () => {
    fc.assert(
      fc.property(results, fc.constantFrom(20221219, 20240930), (tried, date) => {
        const choice = choosePlatform({ date }, tried);
        if (choice.kind === 'chosen') {
          expect(tried[choice.platform]?.kind).toBe('works');
          for (const better of platforms.slice(0, platforms.indexOf(choice.platform)))
            expect(tried[better]?.kind).not.toBe('works');
        } else if (choice.kind === 'try') expect(tried[choice.platform]).toBeUndefined();
        else expect(Object.values(tried).every(({ kind }) => kind === 'fails')).toBe(true);
      }),
    );
  });

  test('KVM is not tried in a box without the device, nor systrap with a build that does not know it', () => {
    expect(choosePlatform({ date: 20240930 }, {})).toEqual({ kind: 'try', platform: 'systrap' });
    expect(choosePlatform({ date: 20221219 }, {})).toEqual({ kind: 'try', platform: 'ptrace' });
    expect(choosePlatform({ date: 20221219 }, { ptrace: { kind: 'fails', reason: 'because' } })).toMatchObject({
      kind: 'none',
      reasons: expect.stringContaining('ptrace: because') as string,
    });
  });

  test.each([
    ['an answer', 'w\n4.4.0 #1 SMP\n0\n', 'works'],
    ['the answer of an old build', 'w\n4.4.0 #1 SMP\n22\n', 'works'],
    ['nothing', '', 'fails'],
    ['another word', 'x\n4.4.0 #1 SMP\n0\n', 'fails'],
    ['the kernel of the host', 'w\n6.18.0 #1 host\n0\n', 'fails'],
    ['no number', 'w\n4.4.0\nno\n', 'fails'],
  ])('%s', (_, text, kind) => {
    expect(judgeAnswer(text, { word: 'w', host: '6.18.0 #1 host' }).kind).toBe(kind);
  });

  test('total over any answer', () => {
    fc.assert(fc.property(fc.string(), (text) => void judgeAnswer(text, { word: 'w', host: 'h' })));
  });
});

describe('the runtime', () => {
  test('says its version', () => {
    expect(readVersion('/r', 'runsc version 0.0~20221219.0\nspec: 1.0.2-dev\n')).toEqual({
      path: '/r',
      version: '0.0~20221219.0',
      date: 20221219,
    });
    expect(readVersion('/r', 'runsc version release-20240930.0\nspec: 1.1.0-rc.1\n')?.date).toBe(20240930);
    expect(readVersion('/r', 'hello')).toBeUndefined();
  });

  test.each([
    ['exits 0 at once', 'exit 0'],
    ['says something else', 'echo docker version 20'],
    ['fails', 'echo runsc version release-20240930.0; exit 1'],
  ])('a runtime that %s is absent', (name, script) => {
    const path = program(name.replaceAll(' ', '-'), script);
    expect(askRunsc(path)).toBeUndefined();
    expect(gvisorPresence([path]).kind).toBe('absent');
    expect(() => findRuntime({ launcher: path, directory: scratch, places: [path] })).toThrow(
      expect.objectContaining({ code: 'HF_BACKEND_MISSING' }),
    );
  });

  test('a missing runtime is absent', () => {
    expect(gvisorPresence([join(scratch, 'nothing')])).toMatchObject({
      kind: 'absent',
      remedy: expect.stringContaining('install') as string,
    });
  });

  test('an old one says so', () => {
    expect(gvisorPresence([program('old', 'echo runsc version 0.0~20221219.0')])).toMatchObject({
      kind: 'present',
      version: expect.stringContaining('old') as string,
    });
    expect(gvisorPresence([program('new', 'echo runsc version release-20240930.0')])).toEqual({
      kind: 'present',
      version: 'runsc release-20240930.0',
    });
  });
});

describe('a finding', () => {
  const known = { runsc, platform: 'ptrace', statx: 'refused' } as const;

  test('is remembered for the same file only', () => {
    const path = program('remembered', 'exit 0');
    const identity = filesIdentity(path);
    remember(scratch, identity, known);
    expect(recall(scratch, identity)).toEqual(known);
    program('remembered', 'exit 00');
    expect(recall(scratch, filesIdentity(path))).toBeUndefined();
  });

  test('never names another program than the one of the system', () => {
    const path = program('of-the-system', 'exit 0');
    remember(scratch, `${filesIdentity(path, path)}\n${release()}`, {
      ...known,
      runsc: { ...runsc, path: '/tmp/other' },
    });
    expect(() => findRuntime({ launcher: path, directory: scratch, places: [path] })).toThrow(
      expect.objectContaining({ code: 'HF_BACKEND_MISSING' }),
    );
  });

  test('is forgotten when it is damaged', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        writeFileSync(join(scratch, 'gvisor.json'), text);
        expect(recall(scratch, 'x')).toBeUndefined();
      }),
      { numRuns: rounds(50) },
    );
  });
});

describe('an end before the command', () => {
  const outcome = {
    exitCode: 128,
    signal: 0,
    failure: undefined,
    landlockAbi: 0,
    initPid: 1,
    protectedBefore: [],
    appeared: [],
    refused: [],
    covered: [],
    stderrTail: Buffer.from(''),
    ending: 'exited',
  } as const;
  const said = (text: string, exitCode = 128) =>
    gvisorOutcome({ ...outcome, exitCode, stderrTail: Buffer.from(text) }, 'x');

  test('is no exit of the command', () => {
    expect(
      said('running container: … error finding executable "x" in PATH [/bin]: no such file or directory\n'),
    ).toMatchObject({ exitCode: 125, failure: { stage: 'exec', path: 'x', errno: 2 } });
    expect(said('running container: … permission denied\n')).toMatchObject({ failure: { stage: 'exec', errno: 13 } });
    expect(said('running container: creating container: EOF')).toMatchObject({ failure: { stage: 'start gVisor' } });
  });

  test('and the command’s own 128 is', () => {
    expect([said('').failure, said('running container: x', 1).failure]).toEqual([undefined, undefined]);
  });
});
