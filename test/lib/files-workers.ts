import { readdirSync, readFileSync } from 'node:fs';

/** PIDs of the files workers whose boxes a process has started. */
export function workersBelow(ancestor: number): readonly number[] {
  const parents = new Map<number, number>();
  const workers: number[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name)).map(Number)) {
    const [, name = '', parent = ''] = /^\d+ \((.*)\) \S (\d+)/su.exec(stat(pid)) ?? [];
    parents.set(pid, Number(parent));
    if (name === 'holdfast-files') workers.push(pid);
  }
  return workers.filter((pid) => descends(pid, ancestor, parents));
}

function descends(pid: number, ancestor: number, parents: ReadonlyMap<number, number>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) {
    if (at === ancestor) return true;
  }
  return false;
}

/** Empty for one that has just ended. */
function stat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
