import type { CommandInfo } from '../commands/command-handle.ts';
import type { CommandCounts } from '../commands/known-commands.ts';
import { useOfTree, type ProcessUse } from './process-tree.ts';

export interface CommandMetrics extends Partial<ProcessUse> {
  readonly id: string;
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
  const running = commands.filter(({ state }) => state === 'running').map(({ id, pid }) => ({ id, ...(pid === undefined ? {} : useOfTree(pid)) }));
  return { age: performance.now() - created, ...counts, running };
}
