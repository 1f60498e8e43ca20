import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import type { BindMount, FileIdentity, Mount } from '../../plan/mount.ts';
import { notifyFilter } from '../../plan/seccomp/notify.ts';
import type { LandlockPlan, Plan } from '../../plan/types.ts';
import type { BackendPresence } from '../backend.ts';
import { firstProgram } from '../first-program.ts';
import { guestAsks, limitsAround, memoryOfGuest } from './adapt.ts';
import { findImage, type MicrovmImage } from './build/image.ts';
import { rememberedAccelerator } from './build/probe.ts';
import { type Accelerator, type MachineOptions, machineText, guestPaths } from './machine.ts';

const installQemu = 'install qemu for x86-64 (Debian: `apt-get install qemu-system-x86`)';

export function microvmPresence(): BackendPresence {
  const qemu = findQemu(process.arch);
  if (qemu === undefined) return { kind: 'absent', remedy: installQemu };
  const image = findImage(imageDirectory());
  return image.kind === 'absent' ? image : { kind: 'present', version: `qemu, guest kernel ${image.kernelVersion}` };
}

/**
 * Returns the parts of a microVM. Throws `HF_BACKEND_MISSING` for a missing part, or if the image is of another
 * version.
 */
export function findParts(launcher: string, filter: Uint8Array): MicrovmParts {
  const qemu = findQemu(process.arch);
  if (qemu === undefined) throw missing('qemu is not installed', installQemu);
  const image = findImage(imageDirectory());
  if (image.kind === 'absent') throw missing('there is no guest kernel', image.remedy);
  const guest = guestProgram(launcher, image);
  return {
    qemu,
    accelerator: remembered(qemu, image),
    guest,
    kernel: fileAt(image.kernel),
    initramfs: fileAt(image.initramfs),
    filter,
  };
}

/**
 * Returns how guests run here, as far as an earlier boot has shown. A command's start never tries hardware support,
 * because on some hosts it hangs.
 */
export function acceleratorHere(): Accelerator {
  const qemu = findQemu(process.arch);
  const image = findImage(imageDirectory());
  return qemu === undefined || image.kind === 'absent' ? 'tcg' : remembered(qemu, image);
}

function remembered(qemu: string, image: MicrovmImage): Accelerator {
  const choice = rememberedAccelerator({ directory: imageDirectory(), qemu, image });
  return choice?.kind === 'chosen' ? choice.accelerator : 'tcg';
}

/** In the user's state directory, by the XDG base directory specification. */
function imageDirectory(): string {
  const state = process.env['XDG_STATE_HOME'];
  return join(state?.startsWith('/') === true ? state : join(homedir(), '.local/state'), 'holdfast/microvm');
}

/**
 * Returns `holdfast-guest`, which is next to the launcher. Its two ends speak the same protocol only if they are the
 * same program. Throws `HF_BACKEND_MISSING`.
 */
export function guestProgram(launcher: string, image: Pick<MicrovmImage, 'guest'>): HostFile {
  const path = join(dirname(launcher), 'holdfast-guest');
  const guest = fileAt(path);
  if (createHash('sha256').update(readFileSync(path)).digest('hex') !== image.guest)
    throw missing('the image of the guest is of another version', 'run `holdfast microvm build` again');
  return guest;
}

function fileAt(path: string): HostFile {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return { path, identity: { device: String(dev), inode: String(ino), type: 'file' } };
  } catch (cause) {
    throw missing(
      `${path} does not exist`,
      'run `make -C native`, which needs a C compiler, then `holdfast microvm build`',
      cause,
    );
  }
}

function missing(what: string, remedy: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_BACKEND_MISSING', what, { remedy, cause });
}

interface HostFile {
  readonly path: string;
  readonly identity: FileIdentity;
}

export interface MicrovmParts extends Omit<MachineOptions, 'memory'> {
  /** `holdfast-guest`, which is also in the initramfs. */
  readonly guest: HostFile;
  readonly kernel: HostFile;
  readonly initramfs: HostFile;
  /** The box's system call filter. Processes of the guest get the same one. */
  readonly filter: Uint8Array;
}

/** Returns the plan of a native box that runs qemu, which in turn runs the plan's command. Pure. */
export function microvmPlan(plan: Plan, parts: MicrovmParts): Plan {
  const { command, limits, mounts } = plan;
  const machine = machineText(plan, { ...parts, memory: memoryOfGuest(limits) });
  const own: readonly Mount[] = [
    { kind: 'directory', target: guestPaths.directory, mode: 0o755 },
    ...(['guest', 'kernel', 'initramfs'] as const).map((part) => shown(parts[part], guestPaths[part])),
    { kind: 'file', target: guestPaths.machine, mode: 0o444, content: machine },
    filterFile(guestPaths.filter, parts.filter),
    ...(guestAsks(plan)
      ? [filterFile(guestPaths.guard, notifyFilter({ architecture: 'x64', groups: ['guest-executions'] }))]
      : []),
  ];
  return {
    ...plan,
    command: { ...command, argv: [guestPaths.guest, 'host', guestPaths.machine, '--', ...command.argv] },
    mounts: [
      ...mounts.map((mount) =>
        mount.kind === 'devices' && parts.accelerator === 'kvm' ? { ...mount, kvm: 'shown' as const } : mount,
      ),
      ...own,
    ],
    limits: limitsAround(limits),
    landlock: aroundGuest(plan.landlock),
  };
}

/** The list of programs applies inside the guest. The box around the guest has to run qemu, which is not on the list. */
function aroundGuest(landlock: LandlockPlan): LandlockPlan {
  const rules = landlock.rules.filter(({ access }) => access !== 'execute');
  return landlock.execution === 'any' ? landlock : { ...landlock, execution: 'any', rules };
}

function filterFile(target: string, filter: Uint8Array): Mount {
  return { kind: 'file', target, mode: 0o444, content: Buffer.from(filter).toString('base64'), encoding: 'base64' };
}

function shown({ path, identity }: HostFile, target: string): BindMount {
  return {
    kind: 'bind',
    source: path,
    target,
    access: 'read-only',
    ownership: 'as-is',
    identity,
    presence: 'required',
  };
}

/** Only system directories that a box shows: a box could have written a qemu into a writable root. */
const directories = ['/usr/bin', '/usr/local/bin', '/run/current-system/sw/bin'] as const;
const names: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: 'qemu-system-x86_64' };

/** Returns the absolute path of the qemu that runs guests of this architecture. */
export function findQemu(architecture: NodeJS.Architecture): string | undefined {
  const name = names[architecture];
  return name === undefined ? undefined : firstProgram(directories.map((directory) => `${directory}/${name}`));
}
