import { constants } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { Backend, GuaranteeVector, LaunchFailure, LaunchOutcome } from '../backend.ts';
import { namespaceGuarantees } from '../guarantees.ts';
import { nativeBackend } from '../native/native.ts';
import { seccompFor } from '../seccomp.ts';
import { adaptPlan } from './adapt.ts';
import type { Accelerator } from './machine.ts';
import { acceleratorHere, findParts, microvmPlan, presence } from './parts.ts';

/**
 * What the guest's own memory and control group hold even where the host has none; without hardware support there is
 * another kernel, and no other machine.
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
  presence,
  adapt: adaptPlan,
  start(plan, { box: _ofAnotherPlan, ...options }) {
    const parts = findParts(options.launcher, seccompFor(plan));
    checkHardware(plan, parts.accelerator);
    const started = nativeBackend.start(microvmPlan(plan, parts), options);
    const outcome = started.outcome.then((ended) => outcomeOf(ended, plan.command.argv[0] ?? ''));
    return { ...started, outcome };
  },
};

/**
 * Throws `HF_GUARANTEE_MISSING` where a plan wants a machine of its own and this start would emulate one. What was
 * found when the session began may be over: another qemu, image or device since then is one about which nothing is
 * known.
 */
export function checkHardware({ requires }: Pick<Plan, 'requires'>, accelerator: Accelerator): void {
  if (accelerator === 'kvm' || !requires.includes('hardware.separate')) return;
  throw new HoldfastError(
    'HF_GUARANTEE_MISSING',
    'the guest would be emulated now, and the policy requires a machine of its own (guarantee: hardware.separate)',
    {
      remedy: 'run `holdfast microvm status`, which finds out again how guests run here',
      details: { missing: ['hardware.separate'] },
    },
  );
}

/**
 * Signals by which `holdfast-guest host` ends where no command has had its say; `native/src/guest/host.h` has the same
 * numbers.
 */
const endings: Readonly<Record<number, (command: string) => LaunchFailure>> = {
  64: () => ({ stage: 'run the virtual machine', path: '', errno: 0 }),
  63: (command) => ({ stage: 'exec', path: command, errno: constants.errno.ENOENT }),
  62: (command) => ({ stage: 'exec', path: command, errno: constants.errno.EACCES }),
};

/** What ended for want of a virtual machine, or of the command in it, is a failure and no exit of the command. */
export function outcomeOf(outcome: LaunchOutcome, command: string): LaunchOutcome {
  const failure = endings[outcome.signal]?.(command);
  return failure === undefined || outcome.failure !== undefined
    ? outcome
    : { ...outcome, exitCode: 125, signal: 0, failure };
}
