import type { SeccompPlan } from '../types.ts';
import type { Architecture } from './architecture.ts';
import { assemble, unpackProgram } from './assemble.ts';
import { builtFilters, notifyNumbers } from './built-filters.ts';

export interface SeccompOptions {
  readonly architecture: Architecture;
  /** `allow`: opens the calls that debuggers and tracers need. */
  readonly ptrace: 'deny' | 'allow';
  /** `runtime`: for a command that confines another one. It may trace with any value of `ptrace`. Default: `none`. */
  readonly nesting?: SeccompPlan['nesting'];
  /** `none`: `memfd_create` answers as a kernel without it. Default: `any`. */
  readonly memoryFiles?: SeccompPlan['memoryFiles'];
}

/** Options of the prebuilt filters, by their names in `built-filters.ts`. */
export const filterVariants = {
  deny: { ptrace: 'deny' },
  allow: { ptrace: 'allow' },
  nested: { ptrace: 'allow', nesting: 'runtime' },
} as const satisfies Readonly<Record<string, Omit<SeccompOptions, 'architecture'>>>;

export interface SeccompFilter {
  readonly architecture: Architecture;
  /** Number of instructions, at most 4096. */
  readonly instructions: number;
  /** An array of `struct sock_filter` (8 bytes each, little endian), ready for `seccomp(SECCOMP_SET_MODE_FILTER)`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Returns the filter of the reviewed list. It is prebuilt, because building it takes 2 to 3 ms in a new process, and
 * every `holdfast run` would pay for that.
 */
export function seccompFilter({
  architecture,
  ptrace,
  nesting = 'none',
  memoryFiles = 'any',
}: SeccompOptions): SeccompFilter {
  const variant = nesting === 'runtime' ? 'nested' : ptrace;
  const list = unpackProgram(builtFilters[`${architecture}-${variant}`]);
  const bytes = memoryFiles === 'any' ? list : new Uint8Array(Buffer.concat([withoutMemoryFiles(architecture), list]));
  return { architecture, instructions: bytes.length / 8, bytes };
}

/** `SECCOMP_RET_ERRNO` with `ENOSYS` (38). Source: `linux/seccomp.h`. */
const missingCall = 0x0005_0026;

/** Instructions before a list. Jumps are relative, so the list stays unchanged. */
function withoutMemoryFiles(architecture: Architecture): Uint8Array {
  return assemble([
    { kind: 'load', offset: 0 },
    { kind: 'branch', test: 'equal', value: notifyNumbers[architecture].memfd_create, yes: 'none', no: 'list' },
    { kind: 'label', label: 'none' },
    { kind: 'return', value: missingCall },
    { kind: 'label', label: 'list' },
  ]);
}
