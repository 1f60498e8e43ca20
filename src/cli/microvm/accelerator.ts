import { findQemu } from '../../backends/microvm/qemu.ts';
import { chooseAccelerator, type AcceleratorChoice, type MicrovmImage } from '../../backends/microvm/build/index.ts';

/** How guests boot here, remembered from an earlier boot or found by one. */
export function acceleratorFor(directory: string, image: MicrovmImage): Promise<AcceleratorChoice> | AcceleratorChoice {
  const qemu = findQemu(process.arch);
  return qemu === undefined ? { kind: 'absent', why: 'qemu is not installed (Debian: `apt-get install qemu-system-x86`)' } : chooseAccelerator({ directory, qemu, image });
}

export function acceleratorLine(choice: AcceleratorChoice): string {
  return choice.kind === 'chosen' ? `guests boot with ${choice.accelerator === 'kvm' ? 'KVM' : 'emulation, which is slow'}: ${choice.why}` : `guests do not boot here: ${choice.why}`;
}
