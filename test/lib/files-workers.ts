import { allProcesses, processFile } from '../../scripts/testing/processes.ts';

/** PIDs of the files workers in the boxes of a process. */
export function workersBelow(ancestor: number): readonly number[] {
  const parents = new Map<number, number>();
  const workers: number[] = [];
  for (const pid of allProcesses()) {
    const [, name = '', parent = ''] = /^\d+ \((.*)\) \S (\d+)/su.exec(processFile(pid, 'stat')) ?? [];
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
