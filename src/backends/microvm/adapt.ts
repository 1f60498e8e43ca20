import { HoldfastError } from '../../errors/index.ts';
import type { CgroupPlan, LimitPlan, NotifyGroup, Plan } from '../../plan/types.ts';

/** Calls from the guest's processes to the guest's kernel, which no one outside can see. */
const unseen: readonly NotifyGroup[] = ['signals', 'sockets'];

/**
 * Returns a plan in which the guest asks about each program that starts in it. Throws `HF_GUARANTEE_MISSING` for a
 * demand that only the guest's kernel could enforce.
 */
export function microvmAdapted(plan: Plan): Plan {
  memoryOfGuest(plan.limits);
  const problem = problems.find(({ applies }) => applies(plan));
  if (problem === undefined) return askingGuest(plan);
  throw new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `the microvm backend cannot enforce ${problem.what} (guarantee: ${problem.guarantee})`,
    { remedy: 'use --backend native, or remove it from the policy', details: { missing: [problem.guarantee] } },
  );
}

function askingGuest(plan: Plan): Plan {
  const { notify } = plan;
  if (notify.kind !== 'supervisor' || !notify.groups.includes('executions')) return plan;
  const groups = notify.groups.flatMap((group) =>
    group === 'executions' ? ['guest-executions' as const] : group === 'memory-files' ? [] : [group],
  );
  // In the guest, no supervisor can replace a file in memory with one that cannot be executed.
  const memoryFiles = notify.groups.includes('memory-files') ? ({ memoryFiles: 'none' } as const) : {};
  return { ...plan, notify: { ...notify, groups }, seccomp: { ...plan.seccomp, ...memoryFiles } };
}

/** Paths of all files that may be executed in the guest. Undefined: any file. */
export function listedPrograms({ landlock }: Pick<Plan, 'landlock'>): readonly string[] | undefined {
  if (landlock.execution === 'any') return undefined;
  return landlock.rules.flatMap(({ path, access }) => (access === 'execute' ? [path] : []));
}

/** Whether the guest's kernel stops each program that starts, until the supervisor has judged it. */
export function guestAsks({ notify }: Pick<Plan, 'notify'>): boolean {
  return notify.kind === 'supervisor' && notify.groups.includes('guest-executions');
}

interface Problem {
  readonly what: string;
  readonly guarantee: 'syscalls' | 'net.names';
  readonly applies: (plan: Plan) => boolean;
}

const problems: readonly Problem[] = [
  {
    what: 'a list of programs with a line break in a path: the guest gets one path on each line',
    guarantee: 'syscalls',
    applies: ({ landlock }) => listedPrograms({ landlock })?.some((path) => path.includes('\n')) === true,
  },
  {
    what: 'the refusal of a program that shares its file with others: it starts inside the guest',
    guarantee: 'syscalls',
    applies: ({ programs, notify }) =>
      programs.some(({ held }) => held === 'notification') &&
      !(notify.kind === 'supervisor' && notify.groups.includes('executions')),
  },
  {
    what: 'rules about commands in a strict box: started programs of the guest are not compared with the judged ones',
    guarantee: 'syscalls',
    applies: ({ notify }) => notify.kind === 'supervisor' && notify.started === 'compared',
  },
  {
    what: 'rules about signals or sockets that are used inside the guest',
    guarantee: 'syscalls',
    applies: ({ notify }) => notify.kind === 'supervisor' && notify.groups.some((group) => unseen.includes(group)),
  },
  {
    what: 'ports of loopback that are shared with the host: the guest has its own loopback',
    guarantee: 'net.names',
    applies: ({ network }) =>
      network.kind !== 'closed' && (network.loopbackPorts.length > 0 || network.forward.length > 0),
  },
];

const mebi = 1 << 20;
/** Bytes that the guest's kernel needs in addition to a small command. */
const least = 160 * mebi;
/** Up to this size the guest's memory is one block. The host allocates it only when it is used. */
const most = 3072 * mebi;
/** Memory that qemu itself needs: translated code, buffers, and the box's private memory. */
const margin = 384 * mebi;
/** Threads that qemu itself needs: for processors, and workers for files. */
const threads = 256;

/** Returns the bytes of the guest's memory. Throws `HF_GUARANTEE_MISSING` if the limit is less than a guest needs. */
export function memoryOfGuest({ memory }: Pick<LimitPlan, 'memory'>): number {
  if (memory !== undefined && memory < least) {
    throw new HoldfastError(
      'HF_GUARANTEE_MISSING',
      `a microVM needs at least ${least / mebi} MiB of memory (guarantee: limits.memory)`,
      { remedy: 'raise limits.memory, or use --backend native', details: { missing: ['limits.memory'] } },
    );
  }
  return Math.floor(Math.min(memory ?? most, most) / mebi) * mebi;
}

/**
 * Returns the limits of the box around qemu. Limits for a single process apply inside the guest, where the command's
 * processes are.
 */
export function limitsAround(limits: LimitPlan): LimitPlan {
  const { cpuTime: _inside, openFiles: _also, memory, processes, ...rest } = limits;
  const bytes = memoryOfGuest(limits) + margin;
  return {
    ...rest,
    ...(memory === undefined ? {} : { memory: Math.max(memory, bytes) }),
    ...(processes === undefined ? {} : { processes: Math.max(processes, threads) }),
    cgroups: limits.cgroups.map((group) => around(group, bytes)),
  };
}

function around({ directory, files }: CgroupPlan, bytes: number): CgroupPlan {
  const needed: Readonly<Record<string, number>> = {
    'memory.max': bytes,
    'memory.limit_in_bytes': bytes,
    'pids.max': threads,
  };
  return { directory, files: files.map(({ name, value }) => ({ name, value: raised(value, needed[name]) })) };
}

function raised(value: string, least: number | undefined): string {
  return least === undefined ? value : String(Math.max(Number(value), least));
}
