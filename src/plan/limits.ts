import type { Limits } from '../policy/index.ts';
import type { CgroupFacts, HostFacts } from './facts.ts';
import type { CgroupPlan, LimitPlan } from './types.ts';

const defaultGrace = 5000;
const cpuPeriod = 100_000;

/** Limits of the policy in the units of the plan, with the control groups that this host lets us make. */
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

/** Documentation/admin-guide/cgroup-v2.rst. Swap would turn a memory bomb into a slow machine. */
function version2Files({ memory, processes, cpus }: Limits): readonly CgroupFile[] {
  return [
    ...(memory === undefined
      ? []
      : [file('memory.max', memory), file('memory.swap.max', 0), file('memory.oom.group', 1)]),
    ...(processes === undefined ? [] : [file('pids.max', processes)]),
    ...(cpus === undefined ? [] : [{ name: 'cpu.max', value: `${Math.round(cpus * cpuPeriod)} ${cpuPeriod}` }]),
  ];
}

/** Documentation/admin-guide/cgroup-v1. */
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
