import { readdirSync, readFileSync } from 'node:fs';
import type { CommandInfo } from '../session/commands/command-handle.ts';
import type { CommandCounts } from '../session/commands/known-commands.ts';
import { memoryGroupOf } from '../place/host/cgroups.ts';

export interface CommandMetrics extends Partial<ProcessUse> {
  readonly id: string;
  /**
   * Peak main memory of its box in bytes, including the cache of its files. Null if unknown: the box has no control
   * group of its own, or the kernel does not report the peak.
   */
  readonly peakMemoryBytes: number | null;
}

export interface SandboxMetrics {
  /** Milliseconds since its creation. */
  readonly age: number;
  /** Number of commands started. */
  readonly started: number;
  /** Bytes of their output. */
  readonly outputBytes: number;
  /** Running commands. Their use is absent if it is unknown, as before their box exists. */
  readonly running: readonly CommandMetrics[];
}

export function metricsOf(commands: readonly CommandInfo[], counts: CommandCounts, created: number): SandboxMetrics {
  const running = commands
    .filter(({ state }) => state === 'running')
    .map(({ id, pid }) => metricsOfCommand(id, pid === undefined ? [] : treeOf(pid)));
  return { age: performance.now() - created, ...counts, running };
}

function metricsOfCommand(id: string, pids: readonly number[]): CommandMetrics {
  return { id, ...useOf(pids), peakMemoryBytes: peakMemory(pids) };
}

/**
 * Returns the peak of the box's control group. Null if its processes are in the same group as this process, because
 * that group includes more than the box.
 */
function peakMemory(pids: readonly number[]): number | null {
  const own = memoryGroupOf('self')?.directory;
  const group = pids.map((pid) => memoryGroupOf(pid)).find((each) => each !== undefined && each.directory !== own);
  return group === undefined ? null : numberIn(group.peak);
}

function numberIn(path: string): number | null {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return /^[1-9]\d*$/u.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}

interface ProcessUse {
  /** Seconds of processor time, including processes that have ended. */
  readonly cpuSeconds: number;
  /** Bytes of main memory that its processes use now. Shared memory counts for each process. */
  readonly memoryBytes: number;
  readonly processes: number;
}

/** `sysconf(_SC_CLK_TCK)`: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Returns a process and all its descendants, parents first. */
function treeOf(pid: number): readonly number[] {
  return [pid, ...below(pid, 0)];
}

/** Returns the use of processes from `/proc`. Undefined if all have ended. */
function useOf(pids: readonly number[]): ProcessUse | undefined {
  const uses = pids.flatMap((each) => useOfOne(each) ?? []);
  if (uses.length === 0) return undefined;
  const sum = (of: (use: ProcessUse) => number): number => uses.reduce((total, use) => total + of(use), 0);
  return {
    cpuSeconds: sum((use) => use.cpuSeconds),
    memoryBytes: sum((use) => use.memoryBytes),
    processes: uses.length,
  };
}

/** Attack: a box that nests processes without end. The kernel limits namespaces to 32, but not chains of processes. */
const deepest = 256;

function below(pid: number, depth: number): readonly number[] {
  if (depth > deepest) return [];
  const children = tasksOf(pid).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`)
      .split(' ')
      .filter((word) => word !== ''),
  );
  return children.map(Number).flatMap((child) => [child, ...below(child, depth + 1)]);
}

function tasksOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Parses `proc_pid_stat(5)`. The name, in brackets, may contain any characters. */
function useOfOne(pid: number): ProcessUse | undefined {
  const text = read(`/proc/${pid}/stat`);
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user, system, childUser, childSystem] = fields.slice(11, 15);
  if (user === undefined || system === undefined || childUser === undefined || childSystem === undefined)
    return undefined;
  const resident = /^VmRSS:\s+(\d+) kB$/mu.exec(read(`/proc/${pid}/status`))?.[1] ?? '0';
  return {
    cpuSeconds: (user + system + childUser + childSystem) / ticksPerSecond,
    memoryBytes: Number(resident) * 1024,
    processes: 1,
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
