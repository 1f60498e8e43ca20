import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Returns whether the supervisor of a session is alive. A process that started after the session only has the same PID.
 */
export function isRunning(session: string, begunBefore = processStart): boolean {
  const [, time = ''] = sessionName.exec(session) ?? [];
  const pid = supervisorOf(session);
  const start = pid === undefined ? undefined : begunBefore(pid);
  return start !== undefined && start <= parseInt(time, 36) + tolerance;
}

/** Returns the process whose PID a session's name contains. Undefined for any other name. */
export function supervisorOf(session: string): number | undefined {
  const number = parseInt(sessionName.exec(session)?.[2] ?? '', 36);
  return Number.isSafeInteger(number) && number >= 1 && number <= 2 ** 22 ? number : undefined;
}

/** `TIME-PID-…`, both in base 36, the time in milliseconds. */
const sessionName = /^([0-9a-z]+)-([0-9a-z]+)-/u;
/** Clock ticks are hundredths of a second, and the time of booting is a whole second. */
const tolerance = 2000;
const ticksPerSecond = 100;

/**
 * Milliseconds since the epoch, or undefined if there is no such process. proc(5): the 22nd field of `stat`, and
 * `btime`.
 */
function processStart(pid: number): number | undefined {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0) ? 0 : undefined;
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /su, '')
      .split(' ');
    const boot = /^btime (\d+)$/mu.exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? '0';
    return fields[0] === 'Z' ? undefined : (Number(boot) + Number(fields[19]) / ticksPerSecond) * 1000;
  } catch {
    return undefined;
  }
}
