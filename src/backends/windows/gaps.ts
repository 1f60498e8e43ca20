import type { Guarantee, Plan } from '../../plan/index.ts';

/** What of a plan cannot be said on Windows. */
export interface Gap {
  readonly guarantee: Guarantee;
  readonly what: string;
}

/** What is missing whatever the plan says. */
const always: readonly Gap[] = [
  { guarantee: 'fs.deny-in-allow', what: 'a protected or hidden name that appears while the command runs has no entry of its own' },
  { guarantee: 'fs.deny-in-allow', what: 'a file whose access list does not inherit keeps what it grants by itself' },
  { guarantee: 'fs.read', what: 'what the system shows to every program of its kind stays readable' },
  { guarantee: 'pid', what: 'the processes of the machine can be listed' },
  { guarantee: 'syscalls', what: 'no system call is filtered' },
  { guarantee: 'kernel.separate', what: 'the kernel is that of the host' },
  { guarantee: 'hardware.separate', what: 'the machine is that of the host' },
];

export function planGaps({ notify, mounts, network, landlock, seccomp }: Plan): readonly Gap[] {
  return [
    ...always,
    ...(notify.kind === 'supervisor' ? [{ guarantee: 'syscalls', what: `nobody is asked about ${notify.groups.join(', ')} while the command runs` } as const] : []),
    ...(mounts.some(({ kind }) => kind === 'overlay') ? [{ guarantee: 'fs.stage', what: 'nothing keeps writes aside, so what would be kept aside is read-only' } as const] : []),
    ...(landlock.execution === 'listed' ? [{ guarantee: 'fs.read', what: 'whatever can be read can be executed, although programs are listed' } as const] : []),
    ...(seccomp.ptrace === 'allow' ? [] : [{ guarantee: 'signals', what: 'processes of the box can open and end each other' } as const]),
    ...(network.kind === 'names' ? networkGaps(network.loopbackPorts.length + network.forward.length) : []),
  ];
}

function networkGaps(ports: number): readonly Gap[] {
  return [
    { guarantee: 'net.names', what: 'only programs that use the proxy of their environment reach anything' },
    ...(ports === 0 ? [] : [{ guarantee: 'net.names', what: 'no port of the host is shown in the box, and none of the box on the host' } as const]),
  ];
}
