import { credentialsOf } from '../policy/credentials/credentials-of.ts';
import type { Policy } from '../policy/policy.ts';
import type { Limits } from '../policy/settings/limits.ts';
import { networkPlan } from '../policy/settings/network-plan.ts';
import type { CgroupFacts, HostFacts } from './facts.ts';
import { type RootFile, resolverOptions } from './mount.ts';
import type { CgroupPlan, LimitPlan, NetworkPlan, OpenNetwork } from './types.ts';

const defaultGrace = 5000;
const cpuPeriod = 100_000;

/** Returns the policy's limits in the plan's units, with the control groups that this host lets Holdfast make. */
export function planLimits(limits: Limits, facts: HostFacts, sessionId: string): LimitPlan {
  const { memory, processes, cpus, cpuTime, fileSize, openFiles, tmp, staged, wall } = limits;
  return {
    ...(memory === undefined ? {} : { memory }),
    ...(processes === undefined ? {} : { processes }),
    ...(cpus === undefined ? {} : { cpus }),
    ...(cpuTime === undefined ? {} : { cpuTime }),
    ...(fileSize === undefined ? {} : { fileSize }),
    ...(openFiles === undefined ? {} : { openFiles }),
    ...(wall === undefined ? {} : { wall }),
    ...(tmp === undefined ? {} : { privateDisk: tmp }),
    ...(staged === undefined ? {} : { staged }),
    grace: defaultGrace,
    cgroups: planCgroups(limits, facts.cgroups, `holdfast-${sessionId}`),
  };
}

function planCgroups(limits: Limits, facts: CgroupFacts, name: string): readonly CgroupPlan[] {
  switch (facts.kind) {
    case 'none':
      return [];
    case 'v2':
      return [
        {
          directory: `${facts.directory}/${name}`,
          files: version2Files(limits).filter((file) => facts.controllers.includes(file.name.split('.')[0] ?? '')),
        },
      ];
    case 'v1':
      return Object.entries(facts.directories).flatMap(([controller, directory]) => {
        const files = version1Files[controller as keyof typeof version1Files](limits);
        return files.length === 0 ? [] : [{ directory: `${directory}/${name}`, files }];
      });
  }
}

interface CgroupFile {
  readonly name: string;
  readonly value: string;
}

/** Swap would turn a memory bomb into a slow machine. Source: Documentation/admin-guide/cgroup-v2.rst. */
function version2Files({ memory, processes, cpus }: Limits): readonly CgroupFile[] {
  return [
    ...(memory === undefined
      ? []
      : [file('memory.max', memory), file('memory.swap.max', 0), file('memory.oom.group', 1)]),
    ...(processes === undefined ? [] : [file('pids.max', processes)]),
    ...(cpus === undefined ? [] : [{ name: 'cpu.max', value: `${Math.round(cpus * cpuPeriod)} ${cpuPeriod}` }]),
  ];
}

/** Source: Documentation/admin-guide/cgroup-v1. */
const version1Files = {
  memory: ({ memory }: Limits): readonly CgroupFile[] =>
    memory === undefined ? [] : [file('memory.limit_in_bytes', memory)],
  pids: ({ processes }: Limits): readonly CgroupFile[] =>
    processes === undefined ? [] : [file('pids.max', processes)],
  cpu: ({ cpus }: Limits): readonly CgroupFile[] =>
    cpus === undefined
      ? []
      : [file('cpu.cfs_period_us', cpuPeriod), file('cpu.cfs_quota_us', Math.round(cpus * cpuPeriod))],
} as const;

function file(name: string, value: number): CgroupFile {
  return { name, value: String(Math.trunc(value)) };
}

/** Files by which programs resolve names. A box with a network gets its own. */
export const resolverFiles = ['/etc/resolv.conf', '/etc/nsswitch.conf', '/etc/hosts'] as const;

/** In the range of the addresses that names get, but never one of them. */
const fakeResolver = '198.18.0.1';
/** The address that C libraries query if there is no `/etc/resolv.conf`. */
const defaultResolver = '127.0.0.1';
/** `tcpmux`, on which no box would listen. */
const divertPort = 1;
/** The most common ports of clients, for kernels without transparent proxying and policies that name no ports. */
const usualPorts = [
  22, 80, 443, 1433, 1521, 3000, 3128, 3306, 4318, 5000, 5432, 5671, 5672, 6379, 8000, 8080, 8443, 8888, 9092, 9200,
  9418, 27_017,
] as const;
const mostFallbackPorts = 256;
const routePort = 80;

/** Returns how the box reaches the network. Closed if the policy could allow nothing. */
export function planNetwork(policy: Policy, facts: Pick<HostFacts, 'ipv6' | 'paths'>): NetworkPlan {
  const wanted = networkPlan(policy);
  if (wanted.kind === 'closed') return wanted;
  // Boxes use base URLs over plain HTTP.
  const routes = credentialsOf(policy).some(({ delivery }) => delivery.baseUrls.length > 0) ? [routePort] : [];
  const ports =
    wanted.ports === 'every'
      ? usualPorts
      : wanted.ports.flatMap(({ from, to }) =>
          Array.from({ length: Math.min(to - from + 1, mostFallbackPorts) }, (_, index) => from + index),
        );
  return {
    kind: 'names',
    families: facts.ipv6 === 'available' ? ['ipv4', 'ipv6'] : ['ipv4'],
    dns: wanted.dns,
    resolver: facts.paths.get('/etc/resolv.conf')?.kind === 'present' ? fakeResolver : defaultResolver,
    divertPort,
    fallbackPorts: [...new Set([...routes, ...ports])].slice(0, mostFallbackPorts),
    loopbackPorts: wanted.loopbackPorts,
    forward: wanted.forward,
    authority: wanted.interception === 'possible' ? 'session' : 'none',
  };
}

/** Returns the box's own resolver files, which cover the host's, if the host has such files. */
export function resolverMounts(network: NetworkPlan, facts: Pick<HostFacts, 'paths'>): readonly RootFile[] {
  if (network.kind === 'closed') return [];
  const contents = contentsOf(network);
  return resolverFiles.flatMap((path): readonly RootFile[] => {
    const fact = facts.paths.get(path);
    return fact?.kind === 'present' ? [{ kind: 'file', target: fact.real, mode: 0o444, content: contents[path] }] : [];
  });
}

function contentsOf({ resolver }: OpenNetwork): Readonly<Record<(typeof resolverFiles)[number], string>> {
  const databases = ['passwd', 'group', 'shadow', 'networks', 'protocols', 'services', 'ethers', 'rpc'];
  return {
    '/etc/resolv.conf': `nameserver ${resolver}\n${resolverOptions}`,
    '/etc/nsswitch.conf': [...databases.map((name) => `${name}: files\n`), 'hosts: files dns\n'].join(''),
    // With the host's own file, its names would be dialled as bare addresses, which no rule about names covers.
    '/etc/hosts': '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n',
  };
}
