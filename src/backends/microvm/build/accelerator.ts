import type { Accelerator } from '../machine.ts';
/** `/dev/kvm` as far as looking at it says something: some hosts offer one that answers its API and runs nothing. */
export type KvmDevice = 'absent' | 'forbidden' | 'there';

export type BootOutcome =
  | { readonly kind: 'booted'; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly why: string };

export interface ProbedFacts {
  readonly device: KvmDevice;
  /** What came of a boot, for those that were tried so far. */
  readonly boots: Readonly<Partial<Record<Accelerator, BootOutcome>>>;
}

export type AcceleratorStep =
  | { readonly kind: 'try'; readonly accelerator: Accelerator }
  | { readonly kind: 'chosen'; readonly accelerator: Accelerator; readonly why: string }
  | { readonly kind: 'absent'; readonly why: string };

/** What to do next, by what is known: KVM only where it booted, emulation only where it did, and otherwise nothing. */
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
