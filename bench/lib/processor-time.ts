import { readFileSync } from 'node:fs';

/** `sysconf(_SC_CLK_TCK)`: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Milliseconds of processor time of a process and of all below it that have ended, in steps of 10. Absent when it is gone. */
export function processorTime(pid: number | 'self'): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Fields 14 to 17, see proc_pid_stat(5); the name before them may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 15);
    return (fields.reduce((sum, field) => sum + Number(field), 0) * 1000) / ticksPerSecond;
  } catch {
    return undefined;
  }
}
