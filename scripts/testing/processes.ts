import { readdirSync, readFileSync } from 'node:fs';

/*
 * Processes as tests see them. A process may end during a call or between two calls. An ended process has empty files
 * and no children, and causes no error.
 */

/** Of the whole machine, as /proc shows it. */
export function allProcesses(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map(Number);
}

/** Direct children of its first thread. */
export function childrenOf(pid: number): readonly number[] {
  return processFile(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
}

/** NaN after the end, which is no process's number and which no signal accepts. */
export function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/mu.exec(processFile(pid, 'status'))?.[1]);
}

/** Its words, each ended by NUL. */
export function commandLineOf(pid: number): string {
  return processFile(pid, 'cmdline');
}

/** A zombie has ended: it holds nothing, and waits for its parent or some init to reap it. */
export function isRunning(pid: number): boolean {
  return /^State:\s+[^ZX]/mu.test(processFile(pid, 'status'));
}

/** A file below /proc/PID, such as `status`. Each byte is one character if the text is not UTF-8. */
export function processFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}
