import type { Plan } from '../../plan/types.ts';
import { guestAsks, listedPrograms } from './adapt.ts';

/** Paths inside the box of a microVM's parts. */
export const guestPaths = {
  directory: '/run/holdfast/microvm',
  guest: '/run/holdfast/microvm/guest',
  kernel: '/run/holdfast/microvm/kernel',
  initramfs: '/run/holdfast/microvm/initramfs',
  machine: '/run/holdfast/microvm/machine',
  filter: '/run/holdfast/microvm/filter',
  guard: '/run/holdfast/microvm/guard',
} as const;

export interface MachineOptions {
  /** Absolute path of qemu. */
  readonly qemu: string;
  readonly accelerator: Accelerator;
  /** Bytes of the guest's memory, whole MiB. */
  readonly memory: number;
  /** `start`: reports on stderr how long the guest took until the command began. Default: no report. */
  readonly tell?: 'start';
}

export type Accelerator = 'kvm' | 'tcg';

/** Milliseconds until the command has to start. Without hardware support, a boot on a busy machine takes long. */
const patience = 120_000;
const mebi = 1 << 20;

/** Returns the file that `holdfast-guest host` reads, with one `KEY VALUE` on each line. */
export function machineText(plan: Plan, options: MachineOptions): string {
  const { limits, network } = plan;
  const programs = listedPrograms(plan);
  const entries: readonly (readonly [string, string | number | undefined])[] = [
    ...qemuWords(plan, options).map((word) => ['word', word] as const),
    ...kernelEntries(options.accelerator),
    ['patience', patience],
    ['processes', limits.processes],
    ['files', limits.openFiles],
    ['cpu', limits.cpuTime === undefined ? undefined : Math.max(1, Math.ceil(limits.cpuTime / 1000))],
    ['file-size', limits.fileSize],
    ['shm', plan.mounts.find((mount) => mount.kind === 'devices')?.shmSize],
    ['network', network.kind === 'closed' ? 0 : 1],
    ['filter', guestPaths.filter],
    ['guard', guestAsks(plan) ? guestPaths.guard : undefined],
    ['tell', options.tell],
    ['listed', programs && 1],
    ...(programs ?? []).map((path) => ['execute', path] as const),
    ...guestMemory(plan).map(
      ({ mode, size, target }) => ['tmpfs', `${mode.toString(8)} ${Math.trunc(size)} ${target}`] as const,
    ),
  ];
  return entries
    .flatMap(([key, value]) =>
      value === undefined ? [] : [`${key} ${typeof value === 'number' ? Math.trunc(value) : value}\n`],
    )
    .join('');
}

/**
 * Private memory that has no mounts below it can be the guest's own. If the guest asks about programs, the memory is
 * the box's instead, because the supervisor has to look into it.
 */
function guestMemory({ mounts, notify }: Plan): readonly Extract<Plan['mounts'][number], { kind: 'tmpfs' }>[] {
  if (guestAsks({ notify })) return [];
  return mounts.flatMap((mount) => {
    const own =
      mount.kind === 'tmpfs' &&
      mount.made !== 'late' &&
      !/[\n\0]/u.test(mount.target) &&
      !mounts.some(({ target }) => target.startsWith(`${mount.target}/`));
    return own ? [mount] : [];
  });
}

const kernelWords = 'console=ttyS0 quiet loglevel=1 panic=-1 random.trust_cpu=on';

/** An emulated guest is also told its clock rate, which `host` measures, because the guest cannot find it out. */
function kernelEntries(accelerator: Accelerator): readonly (readonly [string, string])[] {
  if (accelerator === 'tcg') return [['emulated-kernel', `${kernelWords} tsc=reliable`]];
  return [
    ['word', '-append'],
    ['word', kernelWords],
  ];
}

function qemuWords(plan: Plan, { qemu, accelerator, memory }: MachineOptions): readonly string[] {
  const words = [
    '-nodefaults -no-user-config -no-reboot -display none',
    // Debian's kernels find the devices only through ACPI. Without a real-time clock the guest waits seconds for one.
    '-M microvm,acpi=on,pit=off,pic=off,rtc=on,isa-serial=on -global virtio-mmio.force-legacy=false',
    accelerator === 'kvm' ? '-accel kvm -cpu host' : '-accel tcg,tb-size=64 -cpu max',
    `-m ${memory / mebi}M -kernel ${guestPaths.kernel} -initrd ${guestPaths.initramfs}`,
    '-chardev stdio,id=console,signal=off -serial chardev:console',
    // The default is 31 ports. An emulated guest would set up 64 queues for them, which takes 60 ms.
    '-device virtio-serial-device,max_ports=2 -chardev socket,id=port,fd=3 -device virtserialport,chardev=port,nr=1,name=holdfast',
    // The root of the box. Its masks and read-only paths also apply to the guest, under every guest kernel.
    '-fsdev local,id=root,path=/,security_model=none,multidevs=remap -device virtio-9p-device,fsdev=root,mount_tag=root',
    ...(plan.network.kind === 'closed' ? [] : [networkWords]),
  ];
  return [qemu, ...words.flatMap((line) => line.split(' '))];
}

/**
 * Addresses from a documentation block (RFC 5737), which no real host has. The guest's own address is in
 * `native/src/guest/init_network.c`.
 */
const networkWords =
  '-netdev user,id=net,net=192.0.2.0/24,host=192.0.2.2,dns=192.0.2.3,ipv6=off -device virtio-net-device,netdev=net';
