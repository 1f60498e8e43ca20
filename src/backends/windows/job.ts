import type { LimitPlan } from '../../plan/index.ts';
import type { Gap } from './gaps.ts';

/** Limits of a job object. Absent means unlimited. */
export interface Job {
  /** Bytes that all processes together may commit. */
  readonly memory?: number;
  readonly activeProcesses?: number;
  /** Hundredths of a percent of all processors, as `CpuRate` counts. */
  readonly cpuRate?: number;
  /** Units of 100 ns of user time for each process. */
  readonly userTime?: number;
  /** Nothing outlives the handle of the launcher, and nothing leaves the job. */
  readonly flags: readonly string[];
  readonly userInterface: readonly string[];
}

const flags = ['KILL_ON_JOB_CLOSE', 'DIE_ON_UNHANDLED_EXCEPTION'] as const;
const userInterface = ['HANDLES', 'READCLIPBOARD', 'WRITECLIPBOARD', 'SYSTEMPARAMETERS', 'DISPLAYSETTINGS', 'GLOBALATOMS', 'DESKTOP', 'EXITWINDOWS'] as const;

/** `processors`: how many the machine has. */
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

/** Limits that no job has. */
export function limitGaps({ cpuTime, fileSize, openFiles, privateDisk, staged }: LimitPlan): readonly Gap[] {
  return [
    ...(cpuTime === undefined ? [] : [{ guarantee: 'limits.cpu', what: 'time in the kernel does not count towards the CPU time of a process' } as const]),
    ...(fileSize === undefined && privateDisk === undefined && staged === undefined ? [] : [{ guarantee: 'limits.disk', what: 'a job limits no sizes of files and no space on disk' } as const]),
    ...(openFiles === undefined ? [] : [{ guarantee: 'limits.processes', what: 'a job does not count open files' } as const]),
  ];
}
