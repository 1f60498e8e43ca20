import type { Guarantee, LimitPlan, Plan } from '../../plan/types.ts';

/** Limits of a job object. An absent value means no limit. */
export interface Job {
  /** Bytes that all processes may commit together. */
  readonly memory?: number;
  readonly activeProcesses?: number;
  /** Hundredths of a percent of all processors, as in `CpuRate`. */
  readonly cpuRate?: number;
  /** User time of each process, in units of 100 ns. */
  readonly userTime?: number;
  /** No process outlives the launcher's handle, and none leaves the job. */
  readonly flags: readonly string[];
  readonly userInterface: readonly string[];
}

const flags = ['KILL_ON_JOB_CLOSE', 'DIE_ON_UNHANDLED_EXCEPTION'] as const;
const userInterface = [
  'HANDLES',
  'READCLIPBOARD',
  'WRITECLIPBOARD',
  'SYSTEMPARAMETERS',
  'DISPLAYSETTINGS',
  'GLOBALATOMS',
  'DESKTOP',
  'EXITWINDOWS',
] as const;

/** `processors`: number of the machine's processors. */
export function jobOf({ memory, processes, cpus, cpuTime }: LimitPlan, processors: number): Job {
  return {
    ...(memory === undefined ? {} : { memory }),
    ...(processes === undefined ? {} : { activeProcesses: processes }),
    ...(cpus === undefined ? {} : { cpuRate: Math.min(10_000, Math.max(1, Math.round((cpus / processors) * 10_000))) }),
    ...(cpuTime === undefined ? {} : { userTime: cpuTime * 10_000 }),
    flags,
    userInterface,
  };
}

/** Limits of the plan that a job object does not have. */
export function limitGaps({ cpuTime, fileSize, openFiles, privateDisk, staged }: LimitPlan): readonly Gap[] {
  return [
    ...(cpuTime === undefined
      ? []
      : [
          {
            guarantee: 'limits.cpu',
            what: 'time in the kernel does not count towards the CPU time of a process',
          } as const,
        ]),
    ...(fileSize === undefined && privateDisk === undefined && staged === undefined
      ? []
      : [{ guarantee: 'limits.disk', what: 'a job limits no sizes of files and no space on disk' } as const]),
    ...(openFiles === undefined
      ? []
      : [{ guarantee: 'limits.processes', what: 'a job does not count open files' } as const]),
  ];
}

/** A part of a plan that Windows cannot express. */
export interface Gap {
  readonly guarantee: Guarantee;
  readonly what: string;
}

/** Gaps that every plan has. */
const always: readonly Gap[] = [
  {
    guarantee: 'fs.deny-in-allow',
    what: 'a protected or hidden name that appears while the command runs has no entry of its own',
  },
  { guarantee: 'fs.deny-in-allow', what: 'a file whose access list does not inherit keeps its own grants' },
  { guarantee: 'fs.read', what: 'data that the system shows to every program of its kind stays readable' },
  { guarantee: 'pid', what: 'the processes of the machine can be listed' },
  { guarantee: 'syscalls', what: 'no system call is filtered' },
  { guarantee: 'kernel.separate', what: 'the kernel is that of the host' },
  { guarantee: 'hardware.separate', what: 'the machine is that of the host' },
];

export function planGaps({ notify, mounts, network, landlock, seccomp }: Plan): readonly Gap[] {
  return [
    ...always,
    ...(notify.kind === 'supervisor'
      ? [
          {
            guarantee: 'syscalls',
            what: `nobody is asked about ${notify.groups.join(', ')} while the command runs`,
          } as const,
        ]
      : []),
    ...(mounts.some(({ kind }) => kind === 'overlay')
      ? [
          {
            guarantee: 'fs.stage',
            what: 'nothing keeps writes aside, so staged paths are read-only',
          } as const,
        ]
      : []),
    ...(landlock.execution === 'listed'
      ? [{ guarantee: 'fs.read', what: 'every readable file can be executed, although programs are listed' } as const]
      : []),
    ...(seccomp.ptrace === 'allow'
      ? []
      : [{ guarantee: 'signals', what: 'processes of the box can open and end each other' } as const]),
    ...(network.kind === 'names' ? networkGaps(network.loopbackPorts.length + network.forward.length) : []),
  ];
}

function networkGaps(ports: number): readonly Gap[] {
  return [
    { guarantee: 'net.names', what: 'only programs that use the proxy of their environment reach anything' },
    ...(ports === 0
      ? []
      : [
          {
            guarantee: 'net.names',
            what: 'no port of the host is shown in the box, and none of the box on the host',
          } as const,
        ]),
  ];
}
