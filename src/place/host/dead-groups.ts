import { readdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** A group of another process namespace may be one that is just being filled. */
const grace = 60_000;
/** `holdfast-TIME-PID-…`, as sessions name themselves. */
const groupName = /^holdfast-[0-9a-z]+-([0-9a-z]+)-[0-9a-z.]+$/u;

/**
 * Removes the control groups of sessions whose supervisor and launcher were killed together, so that nobody was left to
 * do it. `groups` are those of the box that starts: dead ones lie beside them. The kernel refuses to remove one in use.
 */
export function removeDeadGroups(groups: readonly string[], now = Date.now()): void {
  for (const parent of new Set(groups.map((group) => dirname(group)))) {
    for (const name of entries(parent)) {
      const pid = groupName.exec(name)?.[1];
      if (pid !== undefined && !isAlive(parseInt(pid, 36))) removeOld(join(parent, name), now);
    }
  }
}

function entries(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** It may be in use, someone else's, or gone by now: then it is not ours to remove. */
function removeOld(group: string, now: number): void {
  try {
    if (now - statSync(group).ctimeMs > grace) rmdirSync(group);
  } catch {
    return;
  }
}
