import process from 'node:process';
import { HoldfastError } from '../errors/index.ts';
import { type Architecture, plainFilter } from '../plan/seccomp/architecture.ts';
import { seccompFilter } from '../plan/seccomp/filter.ts';
import { notifyFilter } from '../plan/seccomp/notify.ts';
import type { Plan } from '../plan/types.ts';

/**
 * Returns the filter's bytes for this machine. Throws `HF_GUARANTEE_MISSING` on an architecture without a reviewed list
 * of system calls.
 */
export function seccompFor(plan: Plan): Uint8Array {
  return seccompFilter({ architecture: reviewedArchitecture(), ...plan.seccomp }).bytes;
}

/** Returns the additional filter of a box without namespaces. */
export function plainFor({ network }: Plan): Uint8Array {
  return plainFilter(reviewedArchitecture(), network.kind);
}

/** Returns the filter with the listener. Undefined if the plan has none. */
export function notifyFor({ notify }: Plan): Uint8Array | undefined {
  switch (notify.kind) {
    case 'none':
      return undefined;
    case 'guard':
    case 'supervisor':
      return notifyFilter({ architecture: reviewedArchitecture(), groups: notify.groups });
  }
}

function reviewedArchitecture(): Architecture {
  const { arch } = process;
  if (arch !== 'x64' && arch !== 'arm64') {
    throw new HoldfastError(
      'HF_GUARANTEE_MISSING',
      `there is no reviewed system call list for ${arch} (guarantee: syscalls)`,
      { remedy: 'use x86-64 or arm64' },
    );
  }
  return arch;
}
