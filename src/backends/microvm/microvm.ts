import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/types.ts';
import {
  type Backend,
  type GuaranteeVector,
  type LaunchFailure,
  type LaunchOutcome,
  namespaceGuarantees,
} from '../backend.ts';
import { nativeBackend } from '../native/native.ts';
import { seccompFor } from '../seccomp.ts';
import { microvmAdapted } from './adapt.ts';
import type { Accelerator } from './machine.ts';
import { acceleratorHere, findParts, microvmPlan, microvmPresence } from './parts.ts';

/**
 * Returns the guarantees that the guest's own memory and control group provide, even if the host has no control groups.
 * Without hardware support the guest has a separate kernel, but is not a separate machine.
 */
function inside(): Partial<GuaranteeVector> {
  return {
    'limits.memory': 'kernel',
    'limits.processes': 'kernel',
    'kernel.separate': 'kernel',
    'hardware.separate': acceleratorHere() === 'kvm' ? 'kernel' : 'none',
  };
}

export const microvmBackend: Backend = {
  name: 'microvm',
  warm: 'impossible',
  guarantees: (facts) => ({ ...namespaceGuarantees(facts, 'kernel'), ...inside() }),
  presence: microvmPresence,
  adapt: microvmAdapted,
  start(plan, { box: _ofAnotherPlan, ...options }) {
    const parts = findParts(options.launcher, seccompFor(plan));
    checkHardware(plan, parts.accelerator);
    const started = nativeBackend.start(microvmPlan(plan, parts), options);
    const outcome = started.outcome.then((ended) => microvmOutcome(ended, plan.command.argv[0] ?? ''));
    return { ...started, outcome };
  },
};

/**
 * Throws `HF_GUARANTEE_MISSING` if a plan demands separate hardware but this start would emulate the guest. Checks
 * again, because qemu, the image or the device may have changed since the session started.
 */
export function checkHardware({ requires }: Pick<Plan, 'requires'>, accelerator: Accelerator): void {
  if (accelerator === 'kvm' || !requires.includes('hardware.separate')) return;
  throw new HoldfastError(
    'HF_GUARANTEE_MISSING',
    'the guest would be emulated now, and the policy requires separate hardware (guarantee: hardware.separate)',
    {
      remedy: 'run `holdfast microvm status`, which checks again how guests run here',
      details: { missing: ['hardware.separate'] },
    },
  );
}

/**
 * Signals by which `holdfast-guest host` ends without a command's status. `native/src/guest/host.h` has the same
 * numbers.
 */
const endings: Readonly<Record<number, (command: string) => LaunchFailure>> = {
  64: () => ({ stage: 'run the virtual machine', path: '', errno: 0 }),
  63: (command) => ({ stage: 'exec', path: command, errno: constants.errno.ENOENT }),
  62: (command) => ({ stage: 'exec', path: command, errno: constants.errno.EACCES }),
};

/**
 * Turns the outcome into a failure if the virtual machine did not run, or the command did not start in it. The exit
 * status is then not the command's.
 */
export function microvmOutcome(outcome: LaunchOutcome, command: string): LaunchOutcome {
  const failure = endings[outcome.signal]?.(command);
  return failure === undefined || outcome.failure !== undefined
    ? outcome
    : { ...outcome, exitCode: 125, signal: 0, failure };
}

/** Times of one start, in milliseconds. */
interface StartTimes {
  /** From the first instruction of the guest's kernel to the start of the command, by the guest's clock. */
  readonly guest: number;
  /** From the start of the launcher to the end of the box. */
  readonly whole: number;
}

/**
 * Runs the plan's command once in a box without a supervisor. Use it only for Holdfast's own commands. Throws as a
 * start does, and `HF_LAUNCHER_FAILED`.
 */
export async function timeStart(plan: Plan, launcher: string): Promise<StartTimes> {
  const alone: Plan = { ...microvmAdapted(plan), notify: { kind: 'none' }, network: { kind: 'closed' } };
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
    remedy: 'see `holdfast microvm status`, and the output of `holdfast run --backend microvm -- true`',
  });
}

/** Returns everything that was written to a descriptor before its end. */
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
