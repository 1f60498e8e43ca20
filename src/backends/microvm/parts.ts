import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { BackendPresence } from '../backend.ts';
import { findImage, type MicrovmImage } from './build/image.ts';
import { rememberedAccelerator } from './build/probe.ts';
import { fileAt, guestProgram, missing } from './guest-program.ts';
import type { Accelerator } from './machine.ts';
import type { MicrovmParts } from './microvm-plan.ts';
import { findQemu } from './qemu.ts';

const installQemu = 'install qemu for x86-64 (Debian: `apt-get install qemu-system-x86`)';

export function presence(): BackendPresence {
  const qemu = findQemu(process.arch);
  if (qemu === undefined) return { kind: 'absent', remedy: installQemu };
  const image = findImage(imageDirectory());
  return image.kind === 'absent' ? image : { kind: 'present', version: `qemu, guest kernel ${image.kernelVersion}` };
}

/** Everything that a microVM starts from. Throws `HF_BACKEND_MISSING` for what is not there, and for an image of another version. */
export function findParts(launcher: string, filter: Uint8Array): MicrovmParts {
  const qemu = findQemu(process.arch);
  if (qemu === undefined) throw missing('qemu is not installed', installQemu);
  const image = findImage(imageDirectory());
  if (image.kind === 'absent') throw missing('there is no guest kernel', image.remedy);
  const guest = guestProgram(launcher, image);
  return { qemu, accelerator: remembered(qemu, image), guest, kernel: fileAt(image.kernel), initramfs: fileAt(image.initramfs), filter };
}

/** How guests run here, as far as an earlier boot has shown it: hardware support is never tried on the way to a command, since some hosts offer one that hangs. */
export function acceleratorHere(): Accelerator {
  const qemu = findQemu(process.arch);
  const image = findImage(imageDirectory());
  return qemu === undefined || image.kind === 'absent' ? 'tcg' : remembered(qemu, image);
}

function remembered(qemu: string, image: MicrovmImage): Accelerator {
  const choice = rememberedAccelerator({ directory: imageDirectory(), qemu, image });
  return choice?.kind === 'chosen' ? choice.accelerator : 'tcg';
}

/** In the user's state directory, as the XDG base directory specification has it. */
function imageDirectory(): string {
  const state = process.env['XDG_STATE_HOME'];
  return join(state?.startsWith('/') === true ? state : join(homedir(), '.local/state'), 'holdfast/microvm');
}
