import { describe, expect, test } from 'vitest';
import { describePlan } from './describe.ts';
import type { CgroupFacts } from './facts.ts';
import { host } from './testing/host.ts';
import type { LimitPlan, OpenNetwork } from './types.ts';

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

  test('has no limit that the user lifted', () => {
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

  test('write only files of delegated controllers', () => {
    expect(files(every, { ...all, controllers: ['pids'] })).toEqual(['/g/me/holdfast-id-1/pids.max=100']);
  });

  test('give at least the kernel’s smallest share of a processor: a millisecond per tenth of a second', () => {
    expect(files(lifted.replace('cpus = "none"', 'cpus = 0.01'), all)).toEqual([
      '/g/me/holdfast-id-1/cpu.max=1000 100000',
    ]);
  });
});

describe('control groups of version 1', () => {
  const all: CgroupFacts = { kind: 'v1', directories: { memory: '/g/memory', pids: '/g/pids', cpu: '/g/cpu' } };

  test('get one in each hierarchy, with the period before the quota that depends on it', () => {
    expect(files(every, all)).toEqual([
      '/g/memory/holdfast-id-1/memory.limit_in_bytes=1000000000',
      '/g/pids/holdfast-id-1/pids.max=100',
      '/g/cpu/holdfast-id-1/cpu.cfs_period_us=100000',
      '/g/cpu/holdfast-id-1/cpu.cfs_quota_us=150000',
    ]);
  });

  test('get none without limits', () => {
    expect(limits(lifted, all).cgroups).toEqual([]);
  });
});

const etc = { '/etc/resolv.conf': 'file', '/etc/hosts': 'file', '/etc/nsswitch.conf': 'file' } as const;

function network(policy: string, options: Parameters<typeof host>[0] = {}): OpenNetwork {
  const { network: planned } = host({ tree: etc, policy, ...options }).plan();
  if (planned.kind === 'closed') throw new Error('the network is closed');
  return planned;
}

describe('planNetwork', () => {
  test('is closed without a grant, and requires that guarantee', () => {
    const plan = host({ tree: etc }).plan();
    expect(plan.network).toEqual({ kind: 'closed' });
    expect(plan.requires).toContain('net.closed');
    expect(plan.requires).not.toContain('net.names');
    expect(plan.mounts.some(({ target }) => target === '/etc/resolv.conf')).toBe(false);
    expect(describePlan(plan, 'x64')).toContain('closed: a loopback of its own');
  });

  test('opens for a granted name, and requires that only names pass', () => {
    const plan = host({ tree: etc, policy: '[network]\nhosts = ["example.com:8443"]' }).plan();
    expect(plan.network).toEqual({
      kind: 'names',
      families: ['ipv4', 'ipv6'],
      dns: 'fake',
      resolver: '198.18.0.1',
      divertPort: 1,
      fallbackPorts: [8443],
      loopbackPorts: [],
      forward: [],
      authority: 'none',
    });
    expect(plan.requires).toContain('net.names');
    expect(plan.requires).not.toContain('net.closed');
  });

  test('a grant of every port falls back to the usual ones', () => {
    expect(network('[network]\nhosts = ["example.com"]').fallbackPorts).toEqual(
      expect.arrayContaining([22, 80, 443, 5432]),
    );
  });

  test('listens for base URLs of a box where the packet filter is missing', () => {
    const policy =
      '[network]\nhosts = ["example.com:1024-60000", "api.example.com:443"]\n[[credentials]]\nname = "a"\nsource = { env = "A" }\nhosts = ["api.example.com"]\ninject = { kind = "bearer" }\nenvironment = ["A"]\n';
    expect(network(policy).fallbackPorts).not.toContain(80);
    expect(network(`${policy}base_urls = ["A_BASE_URL"]`).fallbackPorts).toContain(80);
  });

  test('a wide range does not become thousands of listeners', () => {
    expect(network('[network]\nhosts = ["example.com:1024-60000"]').fallbackPorts).toHaveLength(256);
  });

  test('gives no IPv6 listeners on a kernel without IPv6', () => {
    expect(network('[network]\nhosts = ["example.com"]', { ipv6: 'unavailable' }).families).toEqual(['ipv4']);
  });

  test('takes services of the host and forwarded ports from the policy', () => {
    const planned = network('[network]\nhosts = ["localhost:5432"]\nforward = ["3000:8080", 9000]');
    expect(planned.loopbackPorts).toEqual([5432]);
    expect(planned.forward).toEqual([
      { host: 3000, box: 8080 },
      { host: 9000, box: 9000 },
    ]);
  });

  test('needs an authority for rules about requests, and none for rules about connections', () => {
    expect(
      network(
        '[[http]]\nname = "r"\ndecision = "allow"\nhosts = ["api.example"]\nmethods = ["GET"]\n[network]\nhosts = ["example.com"]',
      ).authority,
    ).toBe('session');
    expect(network('[[connect]]\nname = "r"\ndecision = "allow"\nhosts = ["api.example"]').authority).toBe('none');
  });

  test('is described in full to a person', () => {
    const text = describePlan(
      host({
        tree: etc,
        policy: '[network]\nhosts = ["localhost:5432", "example.com"]\nforward = ["3000:8080"]',
      }).plan(),
      'x64',
    );
    for (const part of [
      'names on every port',
      'an address of its own for each name',
      'host ports 5432',
      "port 8080 of the box on port 3000 of the host's loopback",
      'passes unseen',
    ])
      expect(text).toContain(part);
  });
});

describe('resolver files', () => {
  const policy = '[network]\nhosts = ["example.com"]';

  test('cover the host’s files, at the targets of links', () => {
    const planned = host({
      tree: { ...etc, '/etc/resolv.conf': '-> /run/resolved/stub.conf', '/run/resolved/stub.conf': 'file' },
      policy,
    });
    expect(planned.at('/run/resolved/stub.conf')).toEqual([
      {
        kind: 'file',
        target: '/run/resolved/stub.conf',
        mode: 0o444,
        content: 'nameserver 198.18.0.1\noptions timeout:5 attempts:2\n',
      },
    ]);
    expect(planned.at('/etc/hosts')).toMatchObject([
      { kind: 'file', content: expect.stringContaining('127.0.0.1 localhost') as string },
    ]);
    expect(planned.at('/etc/nsswitch.conf')).toMatchObject([
      { kind: 'file', content: expect.stringMatching(/^hosts: files dns$/mu) as string },
    ]);
  });

  test('stay absent on a host without resolv.conf, where C libraries use their default resolver', () => {
    const planned = host({ tree: { '/etc/hosts': 'file' }, policy });
    expect(planned.plan().network).toMatchObject({ resolver: '127.0.0.1' });
    expect(planned.at('/etc/resolv.conf')).toEqual([]);
  });

  test('come after all mounts that could cover them', () => {
    const { mounts } = host({ tree: etc, policy }).plan();
    const at = mounts.findIndex(({ target }) => target === '/etc/hosts');
    expect(mounts.slice(at).every(({ kind }) => kind === 'file')).toBe(true);
  });
});
