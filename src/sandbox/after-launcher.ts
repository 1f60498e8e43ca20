import { existsSync, rmdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { scanProtected, seccompFor, type LaunchOutcome, type ProtectedPath } from '../backends/index.ts';
import type { Plan } from '../plan/index.ts';

const patience = 5000;
const pause = 10;

/**
 * Does what the launcher could not do because it was killed: removes its control groups, and finds protected names that
 * have appeared. The kernel has ended the box with it.
 */
export async function cleanAfterLauncher(plan: Plan, outcome: LaunchOutcome, launcher: string): Promise<readonly Buffer[]> {
  await untilGone(outcome.initPid, Date.now() + patience);
  for (const { directory } of plan.limits.cgroups) await removeGroup(directory, Date.now() + patience);
  const before = new Set(outcome.protectedBefore.map(keyOf));
  const after = await scanProtected(plan, { launcher, seccomp: seccompFor(plan) });
  return after.flatMap((name) => (before.has(keyOf(name)) ? [] : [name.path]));
}

function keyOf({ path, identity, born }: ProtectedPath): string {
  return `${identity} ${born} ${path.toString('latin1')}`;
}

/** The kernel kills the box with its launcher, but not in the same instant; its first process goes last. */
async function untilGone(pid: number, deadline: number): Promise<void> {
  if (pid === 0) return;
  const process = `/proc/${pid}`;
  while (existsSync(process) && Date.now() < deadline) await sleep(pause);
}

/** The kernel holds a group for a moment after its last process has ended. */
async function removeGroup(directory: string, deadline: number): Promise<void> {
  while (existsSync(directory)) {
    try {
      rmdirSync(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || Date.now() > deadline) return;
      await sleep(pause);
    }
  }
}
