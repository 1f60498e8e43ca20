import type { Accelerator } from '../machine.ts';
/**
 * State of `/dev/kvm`, as far as it can be seen without a boot. Some hosts have a device that answers its API but runs
 * no guest.
 */
export type KvmDevice = 'absent' | 'forbidden' | 'there';

export type BootOutcome =
  | { readonly kind: 'booted'; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly why: string };

export interface ProbedFacts {
  readonly device: KvmDevice;
  /** Results of the accelerators tried so far. */
  readonly boots: Readonly<Partial<Record<Accelerator, BootOutcome>>>;
}

export type AcceleratorStep =
  | { readonly kind: 'try'; readonly accelerator: Accelerator }
  | { readonly kind: 'chosen'; readonly accelerator: Accelerator; readonly why: string }
  | { readonly kind: 'absent'; readonly why: string };

/** Returns the next step: use KVM only if it booted, use emulation only if it booted, and otherwise try or give up. */
export function nextStep({ device, boots }: ProbedFacts): AcceleratorStep {
  if (device === 'there' && boots.kvm === undefined) return { kind: 'try', accelerator: 'kvm' };
  if (device === 'there' && boots.kvm?.kind === 'booted')
    return { kind: 'chosen', accelerator: 'kvm', why: `a guest booted with it in ${boots.kvm.milliseconds} ms` };
  if (boots.tcg === undefined) return { kind: 'try', accelerator: 'tcg' };
  const noKvm = device === 'there' && boots.kvm?.kind === 'failed' ? `KVM: ${boots.kvm.why}` : withoutDevice[device];
  if (boots.tcg.kind === 'booted') return { kind: 'chosen', accelerator: 'tcg', why: noKvm };
  return { kind: 'absent', why: `${noKvm}; emulation: ${boots.tcg.why}` };
}

const withoutDevice: Readonly<Record<KvmDevice, string>> = {
  absent: 'there is no /dev/kvm',
  forbidden: 'you may not open /dev/kvm (a member of the group kvm may)',
  there: 'KVM does not boot',
};
