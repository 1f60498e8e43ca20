import { describe, expect, test } from 'vitest';
import { backendOf } from '../backend-wish.ts';
import { policyFrom } from '../testing/policies.ts';
import { environmentOf } from './build-environment.ts';
import { everyBox } from './levels.ts';
import { limitsOf } from './limits.ts';
import { processSettings, newProtectedOf, laterSocketsOf, gitCommandsOf } from './switches.ts';
import { demandsOf, requirementsOf } from './requirements.ts';

const gibibyte = 2 ** 30;
const facts = { memory: 16 * gibibyte } as const;

describe('limits', () => {
  test('are on by default, and there is no wall time', () => {
    expect(limitsOf(policyFrom(), facts)).toEqual({
      memory: 12 * gibibyte,
      processes: 2048,
      openFiles: 65_536,
      tmp: 2 * gibibyte,
      trash: 2e9,
      trashAge: 30 * 86_400_000,
    });
  });

  test.each([
    ['memory = "4GiB"', { memory: 4 * gibibyte }],
    ['memory = "4GB"', { memory: 4e9 }],
    ['memory = "1.5 GiB"', { memory: 1.5 * gibibyte }],
    ['memory = "512B"', { memory: 512 }],
    ['memory = "90%"', { memory: Math.floor(0.9 * facts.memory) }],
    ['tmp = "25%"', { tmp: 4 * gibibyte }],
    ['processes = 10', { processes: 10 }],
    ['cpus = 1.5', { cpus: 1.5 }],
    ['cpu_time = "90s"', { cpuTime: 90_000 }],
    ['file_size = "1GiB"', { fileSize: gibibyte }],
    ['staged = "1GiB"', { staged: gibibyte }],
    ['trash = "10GB"', { trash: 1e10 }],
    ['trash = "500KB"', { trash: 500_000 }],
    ['trash_age = "7d"', { trashAge: 7 * 86_400_000 }],
    ['open_files = 64', { openFiles: 64 }],
    ['wall = "1h"', { wall: 3_600_000 }],
    ['wall = "250ms"', { wall: 250 }],
    ['wall = "1.5d"', { wall: 129_600_000 }],
  ])('the user sets %s', (line, expected) => {
    expect(limitsOf(policyFrom({ user: `[limits]\n${line}` }), facts)).toMatchObject(expected);
  });

  test('the user may raise or lift a default', () => {
    expect(limitsOf(policyFrom({ user: '[limits]\nprocesses = 100000\nmemory = "100%"' }), facts)).toMatchObject({
      processes: 100_000,
      memory: facts.memory,
    });
    const lifted = limitsOf(
      policyFrom({
        user: '[limits]\nprocesses = "none"\nmemory = "none"\ntmp = "none"\nopen_files = "none"\nwall = "none"\ncpus = "none"\ncpu_time = "none"\nfile_size = "none"\ntrash = "none"\ntrash_age = "none"',
      }),
      facts,
    );
    expect(lifted).toEqual({});
  });

  test('a managed policy lowers the trash as well', () => {
    expect(
      limitsOf(
        policyFrom({
          user: '[limits]\ntrash = "1GB"\ntrash_age = "2d"',
          managed: '[limits]\ntrash = "2GB"\ntrash_age = "1d"',
        }),
        facts,
      ),
    ).toMatchObject({ trash: 1e9, trashAge: 86_400_000 });
  });

  test('other layers only lower', () => {
    const user = '[limits]\nprocesses = 100\nmemory = "4GiB"';
    for (const layer of ['managed', 'project', 'session'] as const) {
      expect(limitsOf(policyFrom({ user, [layer]: '[limits]\nprocesses = 50\nmemory = "50%"' }), facts)).toMatchObject({
        processes: 50,
        memory: 4 * gibibyte,
      });
      expect(
        limitsOf(policyFrom({ user, [layer]: '[limits]\nprocesses = 5000\nmemory = "10%"' }), facts),
      ).toMatchObject({ processes: 100, memory: Math.floor(0.1 * facts.memory) });
      expect(limitsOf(policyFrom({ user, [layer]: '[limits]\nprocesses = "none"' }), facts)).toMatchObject({
        processes: 100,
      });
      expect(limitsOf(policyFrom({ user, [layer]: '[limits]\nwall = "1m"' }), facts)).toMatchObject({ wall: 60_000 });
    }
  });
});

describe('the environment', () => {
  const host = {
    PATH: '/bin',
    HOME: '/home/dev',
    LC_ALL: 'C',
    AWS_SECRET_ACCESS_KEY: 'x',
    LD_PRELOAD: 'y',
    GONE: undefined,
    MY_TOKEN: 'z',
  };

  test('passes variables that every layer passes, and names the rest', () => {
    const { environment, dropped } = environmentOf(policyFrom(), host);
    expect({ ...environment }).toEqual({ PATH: '/bin', HOME: '/home/dev', LC_ALL: 'C' });
    expect(dropped).toEqual([
      { name: 'AWS_SECRET_ACCESS_KEY', reason: 'secret-name' },
      { name: 'LD_PRELOAD', reason: 'loads-code' },
      { name: 'MY_TOKEN', reason: 'secret-name' },
    ]);
  });

  test('is narrowed by ceilings and widened by the user only', () => {
    expect({ ...environmentOf(policyFrom({ project: '[environment]\npass = ["PATH"]' }), host).environment }).toEqual({
      PATH: '/bin',
    });
    expect(
      environmentOf(policyFrom({ user: '[environment]\npass = ["MY_TOKEN"]' }), host).environment['MY_TOKEN'],
    ).toBe('z');
    expect(
      environmentOf(policyFrom({ project: '[environment]\npass = ["*", "MY_TOKEN"]' }), host).environment['MY_TOKEN'],
    ).toBeUndefined();
  });

  test('a variable that waits for a person stays out', () => {
    expect(
      environmentOf(policyFrom({ project: '[[env]]\nname = "a"\ndecision = "ask"\nnames = ["PATH"]' }), host).dropped,
    ).toContainEqual({ name: 'PATH', reason: 'not-passed' });
    expect(
      environmentOf(policyFrom({ project: '[[env]]\nname = "a"\ndecision = "audit"\nnames = ["PATH"]' }), host)
        .environment['PATH'],
    ).toBe('/bin');
  });

  test("values that are set replace the host's, and more authority wins", () => {
    const set = (value: string): string => `[environment.set]\nEDITOR = "${value}"`;
    const editorOf = (texts: Parameters<typeof policyFrom>[0]): string | undefined =>
      environmentOf(policyFrom(texts), { EDITOR: 'host' }).environment['EDITOR'];
    expect(editorOf({})).toBe('host');
    expect(editorOf({ user: set('user') })).toBe('user');
    expect(editorOf({ session: set('session') })).toBe('session');
    expect(editorOf({ user: set('user'), session: set('session') })).toBe('user');
    expect(editorOf({ user: set('user'), managed: set('managed') })).toBe('managed');
  });

  test('a value may be set for a blocked variable, unless a layer rules it out', () => {
    expect(
      environmentOf(policyFrom({ managed: '[environment.set]\nPROXY_TOKEN = "x"' }), {}).environment['PROXY_TOKEN'],
    ).toBe('x');
    expect(
      environmentOf(policyFrom({ managed: '[environment.set]\nX = "x"', project: '[environment]\ndeny = ["X"]' }), {})
        .environment['X'],
    ).toBeUndefined();
    expect(
      environmentOf(
        policyFrom({ managed: '[environment.set]\nX = "x"', project: '[environment]\npass = ["PATH"]' }),
        {},
      ).environment['X'],
    ).toBeUndefined();
  });

  test('accepted proposals may set values', () => {
    const granted = [
      {
        name: 'proposal a',
        file: 'holdfast.toml',
        grants: { environment: { set: { CI_MODE: 'on' }, pass: ['MY_TOKEN'] } },
      },
    ];
    expect(environmentOf(policyFrom({ granted }), host).environment).toMatchObject({ CI_MODE: 'on', MY_TOKEN: 'z' });
  });

  test('a variable called __proto__ is one among others', () => {
    const hostile = JSON.parse('{"__proto__":"x","constructor":"y","PATH":"/bin"}') as Record<string, string>;
    const { environment, dropped } = environmentOf(
      policyFrom({ user: '[environment]\npass = ["__proto__"]' }),
      hostile,
    );
    expect(Object.getPrototypeOf(environment)).toBeNull();
    expect(Object.keys(environment).toSorted()).toEqual(['PATH', '__proto__']);
    expect(dropped).toEqual([{ name: 'constructor', reason: 'not-passed' }]);
  });
});

describe('requirements, tracing and the backend', () => {
  test('requirements unite', () => {
    expect(requirementsOf(policyFrom())).toEqual(expect.arrayContaining(['fs.read', 'pid', 'syscalls']));
    expect(requirementsOf(policyFrom())).not.toContain('kernel.separate');
    const texts = {
      user: '[require]\nguarantees = ["limits.memory"]',
      project: '[require]\nguarantees = ["kernel.separate", "fs.read"]',
    };
    const required = requirementsOf(policyFrom(texts));
    expect(required).toEqual(expect.arrayContaining(['limits.memory', 'kernel.separate', 'fs.read']));
    expect(new Set(required).size).toBe(required.length);
  });

  test.each([
    [{}, []],
    [{ user: '[backend]\nminimum = "restricted"' }, []],
    [{ user: '[backend]\nminimum = "landlock"' }, []],
    [{ project: '[backend]\nminimum = "bubblewrap"' }, [...everyBox]],
    [
      { user: '[backend]\nminimum = "native"', project: '[backend]\nminimum = "separate-kernel"' },
      [...everyBox, 'kernel.separate'],
    ],
    [
      { user: '[backend]\nminimum = "microvm"', project: '[backend]\nminimum = "restricted"' },
      [...everyBox, 'kernel.separate', 'hardware.separate'],
    ],
    [
      { user: '[require]\nguarantees = ["limits.cpu"]', managed: '[backend]\nminimum = "gvisor"' },
      ['limits.cpu', ...everyBox, 'kernel.separate'],
    ],
  ])('%j: a minimum includes its level, and no layer lowers it', (texts, demanded) => {
    const demands = demandsOf(policyFrom(texts));
    expect(demands.map(({ value }) => value).toSorted()).toEqual(demanded.toSorted());
    expect(demands.every(({ origin }) => origin.line > 0)).toBe(true);
  });

  test.each([
    [{}, 'deny'],
    [{ user: '[process]\nptrace = "allow"' }, 'allow'],
    [{ project: '[process]\nptrace = "allow"' }, 'deny'],
    [{ user: '[process]\nptrace = "allow"', project: '[process]\nptrace = "deny"' }, 'deny'],
    [{ user: '[process]\nptrace = "allow"', managed: '[process]\nptrace = "allow"' }, 'allow'],
  ])('%j: tracing is %s', (texts, ptrace) => {
    expect(processSettings(policyFrom(texts))).toEqual({ ptrace });
  });

  test.each([
    [{}, 'refuse'],
    [{ user: '[files]\nnew_protected = "quarantine"' }, 'quarantine'],
    [{ project: '[files]\nnew_protected = "quarantine"' }, 'refuse'],
    [{ user: '[files]\nnew_protected = "quarantine"', project: '[files]\nnew_protected = "refuse"' }, 'refuse'],
    [{ user: '[files]\nnew_protected = "quarantine"', managed: '[files]\nnew_protected = "refuse"' }, 'refuse'],
  ])('%j: a new protected name is met with %s', (texts, answer) => {
    expect(newProtectedOf(policyFrom(texts))).toBe(answer);
  });

  test.each([
    [{}, 'refuse'],
    [{ user: '[sockets]\nlater = "reach"' }, 'reach'],
    [{ project: '[sockets]\nlater = "reach"' }, 'refuse'],
    [{ user: '[sockets]\nlater = "reach"', project: '[sockets]\nlater = "refuse"' }, 'refuse'],
    [{ user: '[sockets]\nlater = "reach"', managed: '[sockets]\nlater = "refuse"' }, 'refuse'],
  ])('%j: to connect to a socket that appears later is to %s', (texts, answer) => {
    expect(laterSocketsOf(policyFrom(texts))).toBe(answer);
  });

  test.each([
    [{}, 'neutral'],
    [{ user: '[commands]\ngit = "as-is"' }, 'as-is'],
    [{ project: '[commands]\ngit = "as-is"' }, 'neutral'],
    [{ user: '[commands]\ngit = "as-is"', project: '[commands]\ngit = "neutral"' }, 'neutral'],
    [{ user: '[commands]\ngit = "as-is"', managed: '[commands]\ngit = "neutral"' }, 'neutral'],
  ])('%j: git reads %s', (texts, answer) => {
    expect(gitCommandsOf(policyFrom(texts))).toBe(answer);
  });

  test.each([
    [{}, 'auto'],
    [{ user: '[backend]\nuse = "auto"' }, 'auto'],
    [{ user: '[backend]\nuse = "native"' }, 'native'],
    [{ user: '[backend]\nuse = "auto"', project: '[backend]\nuse = "gvisor"' }, 'gvisor'],
    [{ user: '[backend]\nuse = "native"', project: '[backend]\nuse = "native"' }, 'native'],
  ])('%j: the backend is %s', (texts, backend) => {
    expect(backendOf(policyFrom(texts))).toBe(backend);
  });

  test('two backends are a contradiction that names both', () => {
    const policy = policyFrom({ user: '[backend]\nuse = "native"', project: '[backend]\nuse = "gvisor"' });
    expect(() => backendOf(policy)).toThrow(
      expect.objectContaining({
        code: 'HF_POLICY_INVALID',
        message: 'user.toml:3 demands the native backend and project.toml:3 demands the gvisor backend',
      }),
    );
  });
});
