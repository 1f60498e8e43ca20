import { describe, expect, test } from 'vitest';
import type { CgroupFacts } from './facts.ts';
import { host } from './testing/host.ts';
import type { LimitPlan } from './types.ts';

const none: CgroupFacts = { kind: 'none', reason: 'a test' };
const every =
  '[limits]\nmemory = "1GB"\nprocesses = 100\ncpus = 1.5\ncpu_time = "10s"\nfile_size = "2MB"\nopen_files = 64\ntmp = "3MB"\nstaged = "4MB"\nwall = "1m"\n';
const lifted =
  '[limits]\nmemory = "none"\nprocesses = "none"\ncpus = "none"\ncpu_time = "none"\nfile_size = "none"\nopen_files = "none"\ntmp = "none"\nwall = "none"\n';

function limits(policy: string, cgroups: CgroupFacts = none): LimitPlan {
  return host({ policy, cgroups }).plan().limits;
}

/** Control group files as `directory/name=value`. */
function files(policy: string, cgroups: CgroupFacts): readonly string[] {
  return limits(policy, cgroups).cgroups.flatMap((group) =>
    group.files.map(({ name, value }) => `${group.directory}/${name}=${value}`),
  );
}

describe('planLimits', () => {
  test('carries every limit over, in bytes and milliseconds', () => {
    expect(limits(every)).toEqual({
      memory: 1e9,
      processes: 100,
      cpus: 1.5,
      cpuTime: 10_000,
      fileSize: 2e6,
      openFiles: 64,
      wall: 60_000,
      privateDisk: 3e6,
      staged: 4e6,
      grace: 5000,
      cgroups: [],
    });
  });

  test('has none that the user lifted', () => {
    expect(limits(lifted)).toEqual({ grace: 5000, cgroups: [] });
  });

  test('are on by default', () => {
    expect(limits('')).toMatchObject({
      memory: expect.any(Number),
      processes: expect.any(Number),
      privateDisk: expect.any(Number),
    });
  });

  test("a share is of the machine's memory", () => {
    expect(host({ policy: '[limits]\nmemory = "50%"\n', memory: 1001 }).plan().limits.memory).toBe(500);
  });
});

describe('control groups of version 2', () => {
  const all: CgroupFacts = { kind: 'v2', directory: '/g/me', controllers: ['memory', 'pids', 'cpu'] };

  test('forbid swap, end the whole box when memory runs out, and count processes and time', () => {
    expect(files(every, all)).toEqual([
      '/g/me/holdfast-id-1/memory.max=1000000000',
      '/g/me/holdfast-id-1/memory.swap.max=0',
      '/g/me/holdfast-id-1/memory.oom.group=1',
      '/g/me/holdfast-id-1/pids.max=100',
      '/g/me/holdfast-id-1/cpu.max=150000 100000',
    ]);
  });

  test('write only files of controllers that were handed down', () => {
    expect(files(every, { ...all, controllers: ['pids'] })).toEqual(['/g/me/holdfast-id-1/pids.max=100']);
  });

  test('the smallest share of a processor is one that the kernel takes: a millisecond in a tenth of a second', () => {
    expect(files(lifted.replace('cpus = "none"', 'cpus = 0.01'), all)).toEqual([
      '/g/me/holdfast-id-1/cpu.max=1000 100000',
    ]);
  });
});

describe('control groups of version 1', () => {
  const all: CgroupFacts = { kind: 'v1', directories: { memory: '/g/memory', pids: '/g/pids', cpu: '/g/cpu' } };

  test('one in each hierarchy, the period before the quota that is measured by it', () => {
    expect(files(every, all)).toEqual([
      '/g/memory/holdfast-id-1/memory.limit_in_bytes=1000000000',
      '/g/pids/holdfast-id-1/pids.max=100',
      '/g/cpu/holdfast-id-1/cpu.cfs_period_us=100000',
      '/g/cpu/holdfast-id-1/cpu.cfs_quota_us=150000',
    ]);
  });

  test('none where nothing is limited', () => {
    expect(limits(lifted, all).cgroups).toEqual([]);
  });
});
