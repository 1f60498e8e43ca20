import process from 'node:process';
import { HoldfastError } from '../errors/index.ts';
import { architectures, type Architecture, type SyscallName } from '../plan/seccomp/architecture.ts';

export type { SyscallName };

/** Number of a system call on this processor. */
export function syscallNumber(name: SyscallName): number {
  const number = architectures[process.arch as Architecture]?.numbers[name];
  if (number === undefined)
    throw new HoldfastError('HF_KERNEL_UNREACHABLE', `the system call ${name} is not known on ${process.arch}`, {
      remedy: 'use Linux on x86-64 or arm64',
    });
  return number;
}
