import type { BindMount, FileIdentity, Mount, Plan } from '../../plan/index.ts';
import { limitsAround, memoryOfGuest } from './limits.ts';
import { machineText, places, type MachineOptions } from './machine.ts';

export interface HostFile {
  readonly path: string;
  readonly identity: FileIdentity;
}

export interface MicrovmParts extends Omit<MachineOptions, 'memory'> {
  /** `holdfast-guest`, whose copy the initramfs holds. */
  readonly guest: HostFile;
  readonly kernel: HostFile;
  readonly initramfs: HostFile;
  /** The box's system call filter, which processes of the guest get as well. */
  readonly filter: Uint8Array;
}

/** A native box in which qemu runs, and in that the command of the plan. Pure. */
export function microvmPlan(plan: Plan, parts: MicrovmParts): Plan {
  const { command, limits, mounts } = plan;
  const machine = machineText(plan, { ...parts, memory: memoryOfGuest(limits) });
  const own: readonly Mount[] = [
    { kind: 'directory', target: places.directory, mode: 0o755 },
    ...(['guest', 'kernel', 'initramfs'] as const).map((part) => shown(parts[part], places[part])),
    { kind: 'file', target: places.machine, mode: 0o444, content: machine },
    { kind: 'file', target: places.filter, mode: 0o444, content: Buffer.from(parts.filter).toString('base64'), encoding: 'base64' },
  ];
  return { ...plan, command: { ...command, argv: [places.guest, 'host', places.machine, '--', ...command.argv] }, mounts: [...mounts.map((mount) => (mount.kind === 'devices' && parts.accelerator === 'kvm' ? { ...mount, kvm: 'shown' as const } : mount)), ...own], limits: limitsAround(limits) };
}

function shown({ path, identity }: HostFile, target: string): BindMount {
  return { kind: 'bind', source: path, target, access: 'read-only', ownership: 'as-is', identity, presence: 'required' };
}
