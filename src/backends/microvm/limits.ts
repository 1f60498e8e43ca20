import { HoldfastError } from '../../errors/index.ts';
import type { CgroupPlan, LimitPlan } from '../../plan/index.ts';

const mebi = 1 << 20;
/** What the guest's kernel needs beside a small command. */
const least = 160 * mebi;
/** Up to here the guest's memory is one piece. It is taken from the host only when it is used. */
const most = 3072 * mebi;
/** Of qemu itself: translated code, buffers, and what the box keeps in memory of its own. */
const margin = 384 * mebi;
/** Of qemu itself: processors, and workers for files. */
const threads = 256;

/** Bytes of the guest's memory. Throws `HF_GUARANTEE_MISSING` where the limit is less than a guest needs. */
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
 * The limits of the box around qemu. What bounds one process is held inside the guest, where processes are the
 * command's.
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
