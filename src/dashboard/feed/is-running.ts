import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Whether the supervisor of a session lives. A session is named `TIME-PID-…`, both in base 36, the time in milliseconds: a process
 * that began after it is another one with that number.
 */
export function isRunning(session: string, begunBefore = processStart): boolean {
  const [, time = '', pid = ''] = /^([0-9a-z]+)-([0-9a-z]+)-/u.exec(session) ?? [];
  const number = parseInt(pid, 36);
  if (!Number.isSafeInteger(number) || number < 1 || number > 2 ** 22) return false;
  const start = begunBefore(number);
  return start !== undefined && start <= parseInt(time, 36) + tolerance;
}

/** Clock ticks are hundredths of a second, and the time of booting is a whole second. */
const tolerance = 2000;
const ticksPerSecond = 100;

/** Milliseconds since the epoch, or undefined when there is no such process. proc(5): the 22nd field of `stat`, and `btime`. */
function processStart(pid: number): number | undefined {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0) ? 0 : undefined;
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /su, '').split(' ');
    const boot = /^btime (\d+)$/mu.exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? '0';
    return fields[0] === 'Z' ? undefined : (Number(boot) + Number(fields[19]) / ticksPerSecond) * 1000;
  } catch {
    return undefined;
  }
}
