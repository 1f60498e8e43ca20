import process from 'node:process';
import { HoldfastError } from '../errors/index.ts';
import { seccompFilter } from '../plan/seccomp/index.ts';
import type { Plan } from '../plan/index.ts';

/** The filter's bytes for this machine. Throws `HF_GUARANTEE_MISSING` on an architecture without a reviewed list. */
export function seccompFor(plan: Plan): Uint8Array {
  const { arch } = process;
  if (arch !== 'x64' && arch !== 'arm64') {
    throw new HoldfastError('HF_GUARANTEE_MISSING', `there is no reviewed system call list for ${arch} (guarantee: syscalls)`, { remedy: 'use x86-64 or arm64' });
  }
  return seccompFilter({ architecture: arch, ptrace: plan.seccomp.ptrace }).bytes;
}
