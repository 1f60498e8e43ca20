import { readFileSync } from 'node:fs';
import { memoryGroupOf } from '../host/cgroups.ts';

/** What the control group of a box has had at most. Null where its processes are in no other group than this process is: that one counts for more than the box. */
export function peakMemory(pids: readonly number[]): number | null {
  const own = memoryGroupOf('self')?.directory;
  const group = pids.map((pid) => memoryGroupOf(pid)).find((each) => each !== undefined && each.directory !== own);
  return group === undefined ? null : numberIn(group.peak);
}

function numberIn(path: string): number | null {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return /^[1-9]\d*$/u.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}
