import type { CommandInfo } from '../commands/command-handle.ts';
import type { CommandCounts } from '../commands/known-commands.ts';
import { peakMemory } from './peak-memory.ts';
import { treeOf, useOf, type ProcessUse } from './process-tree.ts';

export interface CommandMetrics extends Partial<ProcessUse> {
  readonly id: string;
  /** Most bytes of main memory that its box has had at a time, with the cache of its files. Null where that is not known: the box has no control group of its own, or the kernel does not tell. */
  readonly peakMemoryBytes: number | null;
}

export interface SandboxMetrics {
  /** Milliseconds since it was created. */
  readonly age: number;
  /** Commands that were started. */
  readonly started: number;
  /** Bytes that they have printed. */
  readonly outputBytes: number;
  /** Those that run now. What they use is absent where it is not known, as before their box is there. */
  readonly running: readonly CommandMetrics[];
}

export function metricsOf(commands: readonly CommandInfo[], counts: CommandCounts, created: number): SandboxMetrics {
  const running = commands.filter(({ state }) => state === 'running').map(({ id, pid }) => metricsOfCommand(id, pid === undefined ? [] : treeOf(pid)));
  return { age: performance.now() - created, ...counts, running };
}

function metricsOfCommand(id: string, pids: readonly number[]): CommandMetrics {
  return { id, ...useOf(pids), peakMemoryBytes: peakMemory(pids) };
}
