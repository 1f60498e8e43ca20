import { accessSync, constants, statSync } from 'node:fs';
import { release } from 'node:os';
import { nextStep, type Accelerator, type AcceleratorStep, type KvmDevice, type ProbedFacts } from './accelerator.ts';
import { bootOnce } from './boot-once.ts';
import type { MicrovmImage } from './image.ts';
import { readChoice, writeChoice } from './probe-memory.ts';

export type AcceleratorChoice = Exclude<AcceleratorStep, { readonly kind: 'try' }>;

export interface ProbeOptions {
  /** Where images stand; what was found is remembered there. */
  readonly directory: string;
  /** Absolute path of qemu. */
  readonly qemu: string;
  readonly image: Pick<MicrovmImage, 'kernel' | 'initramfs' | 'digest'>;
  /** Default: `/dev/kvm`. */
  readonly device?: string;
  /** Milliseconds until a guest has to boot. */
  readonly limits?: Readonly<Record<Accelerator, number>>;
}

/** A guest boots in under a second with KVM. Emulated, on a machine that has much else to do, it takes long. */
const usualLimits: Readonly<Record<Accelerator, number>> = { kvm: 10_000, tcg: 90_000 };

/**
 * Which accelerator boots guests here: KVM only where it really does, within a time limit, then emulation, then none. Takes as long as a
 * boot the first time; what was chosen is remembered for the same qemu, `/dev/kvm`, host kernel and image. Nothing that it started is left.
 */
export async function chooseAccelerator(options: ProbeOptions): Promise<AcceleratorChoice> {
  const identity = identityOf(options);
  const remembered = readChoice(options.directory, identity);
  if (remembered !== undefined) return remembered;
  const choice = await probe(options);
  // What did not work today may tomorrow: a boot may fail for want of memory.
  if (choice.kind === 'chosen') writeChoice(options.directory, identity, choice);
  return choice;
}

/** What `chooseAccelerator` found for the same facts, or undefined where it was not asked yet. Starts nothing. */
export function rememberedAccelerator(options: Omit<ProbeOptions, 'limits'>): AcceleratorChoice | undefined {
  return readChoice(options.directory, identityOf(options));
}

async function probe({ qemu, image, device = kvm, limits = usualLimits }: ProbeOptions): Promise<AcceleratorChoice> {
  let facts: ProbedFacts = { device: deviceState(device), boots: {} };
  for (;;) {
    const step = nextStep(facts);
    if (step.kind !== 'try') return step;
    const outcome = await bootOnce(step.accelerator, { qemu, kernel: image.kernel, initramfs: image.initramfs, limit: limits[step.accelerator] });
    facts = { ...facts, boots: { ...facts.boots, [step.accelerator]: outcome } };
  }
}

const kvm = '/dev/kvm';

function deviceState(device: string): KvmDevice {
  try {
    accessSync(device, constants.R_OK | constants.W_OK);
    return 'there';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'absent' : 'forbidden';
  }
}

/** Another program, device, kernel or image, and other rights, may have another outcome. */
function identityOf({ qemu, image, device = kvm }: Omit<ProbeOptions, 'limits'>): string {
  return JSON.stringify([qemu, fileIdentity(qemu), fileIdentity(device), deviceState(device), release(), image.digest, process.getuid?.()]);
}

function fileIdentity(path: string): readonly string[] {
  try {
    const { dev, ino, size, mtimeNs, rdev, mode } = statSync(path, { bigint: true });
    const isDevice = (mode & 0o170000n) === 0o020000n;
    return isDevice ? [dev, ino, rdev, mode].map(String) : [dev, ino, size, mtimeNs, mode].map(String);
  } catch {
    return [];
  }
}
