import type { Backend, GuaranteeVector } from '../backend.ts';
import { namespaceGuarantees } from '../guarantees.ts';
import { nativeBackend } from '../native/index.ts';
import { seccompFor } from '../seccomp.ts';
import { adaptPlan } from './adapt.ts';
import { microvmPlan } from './microvm-plan.ts';
import { outcomeOf } from './outcome.ts';
import { checkHardware } from './hardware.ts';
import { acceleratorHere, findParts, presence } from './parts.ts';

/** What the guest's own memory and control group hold even where the host has none; without hardware support there is another kernel, and no other machine. */
function inside(): Partial<GuaranteeVector> {
  return { 'limits.memory': 'kernel', 'limits.processes': 'kernel', 'kernel.separate': 'kernel', 'hardware.separate': acceleratorHere() === 'kvm' ? 'kernel' : 'none' };
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
