import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessUse {
  /** Seconds of processor time, with those of processes that have ended in it. */
  readonly cpuSeconds: number;
  /** Bytes of main memory that its processes have now; what several share counts for each. */
  readonly memoryBytes: number;
  readonly processes: number;
}

/** `sysconf(_SC_CLK_TCK)`: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** A process and all below it, those above first. */
export function treeOf(pid: number): readonly number[] {
  return [pid, ...below(pid, 0)];
}

/** What processes use, of `/proc`: undefined when all are gone. */
export function useOf(pids: readonly number[]): ProcessUse | undefined {
  const uses = pids.flatMap((each) => useOfOne(each) ?? []);
  if (uses.length === 0) return undefined;
  const sum = (of: (use: ProcessUse) => number): number => uses.reduce((total, use) => total + of(use), 0);
  return { cpuSeconds: sum((use) => use.cpuSeconds), memoryBytes: sum((use) => use.memoryBytes), processes: uses.length };
}

/** Attack: a box that nests without end. The kernel allows 32 namespaces, but a chain of processes has no bound. */
const deepest = 256;

function below(pid: number, depth: number): readonly number[] {
  if (depth > deepest) return [];
  const children = tasksOf(pid).flatMap((task) => read(`/proc/${pid}/task/${task}/children`).split(' ').filter((word) => word !== ''));
  return children.map(Number).flatMap((child) => [child, ...below(child, depth + 1)]);
}

function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** `proc_pid_stat(5)`. The name, in brackets, may hold anything. */
function useOfOne(pid: number): ProcessUse | undefined {
  const text = read(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number);
  const [user, system, childUser, childSystem] = fields.slice(11, 15);
  if (user === undefined || system === undefined || childUser === undefined || childSystem === undefined) return undefined;
  const resident = /^VmRSS:\s+(\d+) kB$/mu.exec(read(`/proc/${pid}/status`))?.[1] ?? '0';
  return { cpuSeconds: (user + system + childUser + childSystem) / ticksPerSecond, memoryBytes: Number(resident) * 1024, processes: 1 };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
