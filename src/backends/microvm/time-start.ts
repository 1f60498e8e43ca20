import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { LaunchOutcome } from '../backend.ts';
import { nativeBackend } from '../native/native.ts';
import { seccompFor } from '../seccomp.ts';
import { adaptPlan } from './adapt.ts';
import { findParts, microvmPlan } from './parts.ts';

/** Milliseconds of one start. */
export interface StartTimes {
  /** From the first instruction of the guest's kernel to the command's, by the guest's clock. */
  readonly guest: number;
  /** From the launcher to the end of the box. */
  readonly whole: number;
}

/**
 * Runs the plan's command once, in a box that nobody supervises, so only for a command of our own. Throws as a start
 * does, and `HF_LAUNCHER_FAILED`.
 */
export async function timeStart(plan: Plan, launcher: string): Promise<StartTimes> {
  const alone: Plan = { ...adaptPlan(plan), notify: { kind: 'none' }, network: { kind: 'closed' } };
  const started = performance.now();
  const box = microvmPlan(alone, { ...findParts(launcher, seccompFor(alone)), tell: 'start' });
  const { exitCode, said } = await listened(
    (stderr) => nativeBackend.start(box, { launcher, stdio: ['ignore', 'ignore', stderr], stderr: 'direct' }).outcome,
  );
  const whole = performance.now() - started;
  const microseconds = /^holdfast: the command began (\d{1,15}) microseconds after the kernel of the guest$/mu.exec(
    said,
  )?.[1];
  if (exitCode === 0 && microseconds !== undefined) return { guest: Number(microseconds) / 1000, whole };
  throw new HoldfastError('HF_LAUNCHER_FAILED', `the guest did not run a command (exit status ${exitCode})`, {
    remedy: 'see `holdfast microvm status`, and what `holdfast run --backend microvm -- true` says',
  });
}

/** What was said on a descriptor until the end. */
async function listened(
  run: (stderr: number) => Promise<LaunchOutcome>,
): Promise<Pick<LaunchOutcome, 'exitCode'> & { readonly said: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-time-'));
  const path = join(directory, 'stderr');
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    const { exitCode } = await run(descriptor);
    return { exitCode, said: readFileSync(path, 'utf8') };
  } finally {
    closeSync(descriptor);
    rmSync(directory, { recursive: true, force: true });
  }
}
