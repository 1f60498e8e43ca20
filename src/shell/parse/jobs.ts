import type { ParsedCommand } from './meter.ts';

/**
 * Marks the commands of jobs for which the text does not certainly wait. `wait` alone waits for all jobs of its shell.
 * With words, it counts only if that shell has one job.
 */
export function markJobs(invocations: readonly ParsedCommand[]): readonly ParsedCommand[] {
  const jobs = new Map<number, Set<number>>();
  for (const { job } of invocations)
    if (job !== undefined) jobs.set(job.by, (jobs.get(job.by) ?? new Set()).add(job.shell));
  if (jobs.size === 0) return invocations;
  const last = new Map<number, number>();
  for (const { argv, id, runs, shell } of invocations) {
    const [first] = argv;
    if (runs === 'always' && first?.kind === 'static' && first.value === 'wait')
      if (argv.length === 1 || jobs.get(shell)?.size === 1) last.set(shell, id);
  }
  return invocations.map((command) =>
    command.job === undefined || (last.get(command.job.by) ?? -1) > command.id ? command : { ...command, goesOn: true },
  );
}
