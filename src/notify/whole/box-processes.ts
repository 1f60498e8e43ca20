import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Which processes are the box's own, where no namespace tells. */
export interface BoxProcesses {
  /** Whether a number stands for one at the moment. Whoever acts on it holds its directory of procfs, which is never another's. */
  has(pid: number): boolean;
}

/** More parents than any process has. */
const deepest = 4096;

/**
 * Descendants of the launcher that are under more filters than it is: in a container everything is under some. The keeper takes in whatever
 * loses its parent, so that none leaves the tree. The launcher's own processes are no business of the box. `thread` is any of the box.
 */
export function boxProcesses(thread: number): BoxProcesses {
  const top = lineOf(thread).at(-1) ?? 0;
  const ofLauncher = filtersOf(top) ?? Infinity;
  return { has: (pid) => (filtersOf(pid) ?? 0) > ofLauncher && lineOf(pid).slice(1).includes(top) };
}

/** How many seccomp filters a process is under (kernel 5.9). Undefined where it has ended. */
function filtersOf(pid: number): number | undefined {
  const [, count] = /^Seccomp_filters:\t(\d+)$/mu.exec(statusOf(pid) ?? '') ?? [];
  return count === undefined ? undefined : Number(count);
}

/** A process and those above it, below the supervisor. */
function lineOf(thread: number): readonly number[] {
  const line: number[] = [];
  for (let at = thread; at > 1 && at !== process.pid && line.length < deepest; ) {
    const status = statusOf(at);
    if (status === undefined) break;
    line.push(Number(/^Tgid:\t(\d+)$/mu.exec(status)?.[1] ?? 0));
    at = Number(/^PPid:\t(\d+)$/mu.exec(status)?.[1] ?? 0);
  }
  return line;
}

function statusOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return undefined;
  }
}
