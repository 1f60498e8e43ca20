import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { Accelerator } from './machine.ts';

/**
 * Throws `HF_GUARANTEE_MISSING` where a plan wants a machine of its own and this start would emulate one. What was found when the session began
 * may be over: another qemu, image or device since then is one about which nothing is known.
 */
export function checkHardware({ requires }: Pick<Plan, 'requires'>, accelerator: Accelerator): void {
  if (accelerator === 'kvm' || !requires.includes('hardware.separate')) return;
  throw new HoldfastError('HF_GUARANTEE_MISSING', 'the guest would be emulated now, and the policy requires a machine of its own (guarantee: hardware.separate)', {
    remedy: 'run `holdfast microvm status`, which finds out again how guests run here',
    details: { missing: ['hardware.separate'] },
  });
}
