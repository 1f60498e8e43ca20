import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextStep, type BootOutcome, type KvmDevice } from './accelerator.ts';
import { bootReader } from './probe.ts';

const outcome = fc.oneof(
  fc.record({ kind: fc.constant('booted' as const), milliseconds: fc.nat(1000) }),
  fc.record({ kind: fc.constant('failed' as const), why: fc.constant('it hangs') }),
);
const device = fc.constantFrom<KvmDevice>('absent', 'forbidden', 'there');

test('KVM is chosen exactly where there is a device and a guest booted with it; otherwise emulation where it boots, otherwise nothing', () => {
  fc.assert(
    fc.property(device, outcome, outcome, (state, kvm, tcg) => {
      const chosen = follow(state, { kvm, tcg });
      const wanted = state === 'there' && kvm.kind === 'booted' ? 'kvm' : tcg.kind === 'booted' ? 'tcg' : 'absent';
      expect(chosen.outcome).toBe(wanted);
      expect(chosen.tried.includes('kvm')).toBe(state === 'there');
      expect(chosen.tried.length).toBeLessThanOrEqual(2);
      if (wanted !== 'kvm') expect(chosen.why).toMatch(state === 'there' ? /KVM: it hangs/u : /\/dev\/kvm/u);
    }),
  );
});

function follow(
  state: KvmDevice,
  all: Readonly<Record<'kvm' | 'tcg', BootOutcome>>,
): { readonly outcome: string; readonly why: string; readonly tried: readonly string[] } {
  const boots: { kvm?: BootOutcome; tcg?: BootOutcome } = {};
  for (;;) {
    const step = nextStep({ device: state, boots });
    if (step.kind !== 'try')
      return {
        outcome: step.kind === 'chosen' ? step.accelerator : 'absent',
        why: step.why,
        tried: Object.keys(boots),
      };
    expect(boots[step.accelerator]).toBeUndefined();
    boots[step.accelerator] = all[step.accelerator];
  }
}

const boot =
  '[    0.000000] Linux version 6.1\r\n[    0.000000] Kernel command line: console=ttyS0 word=1\r\n[    0.5] Run /init as init process\r\n';

test('a boot is seen in whatever pieces it is printed', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(boot.length)), (cuts) => {
      const read = bootReader('word=1');
      const places = [0, ...cuts.toSorted((left, right) => left - right), boot.length];
      expect(places.map((at, index) => read(boot.slice(at, places[index + 1]))).at(-1)).toBe(true);
    }),
  );
});

test.each([
  ['another word', boot.replace('word=1', 'word=2')],
  ['the word alone', 'qemu -append console=ttyS0 word=1\n'],
  ['the end before the beginning', boot.split('\r\n').toReversed().join('\n')],
  ['a line that does not end', boot.replaceAll('\n', ' ')],
  ['a guest that stops on the way', boot.slice(0, -20)],
])('%s is not a boot', (_name, output) => {
  expect(bootReader('word=1')(output)).toBe(false);
});
