import type { NetworkPlan } from '../types.ts';
import { unpackProgram } from './assemble.ts';
import { builtPlain } from './built-filters.ts';
import { syscallsArm64 } from './syscalls-arm64.ts';
import { syscallsX64 } from './syscalls-x64.ts';

/** Names as in `process.arch`. */
export type Architecture = 'x64' | 'arm64';

export type SyscallName = keyof typeof syscallsX64 | keyof typeof syscallsArm64;

/** Names that the architecture lacks are absent. */
export type SyscallNumbers = Readonly<Partial<Record<SyscallName, number>>>;

export interface ArchitectureFacts {
  /** `AUDIT_ARCH_*` of `linux/audit.h`, as the kernel puts it into `seccomp_data.arch`. */
  readonly auditArch: number;
  readonly numbers: SyscallNumbers;
  /** The first number of a second ABI that shares `auditArch`. Only x86-64 has one: x32, `__X32_SYSCALL_BIT`. */
  readonly foreignFrom?: number;
}

export const architectures: Readonly<Record<Architecture, ArchitectureFacts>> = {
  x64: { auditArch: 0xc000_003e, numbers: syscallsX64, foreignFrom: 0x4000_0000 },
  arm64: { auditArch: 0xc000_00b7, numbers: syscallsArm64 },
};

/**
 * Returns the prebuilt filter that runs beside the reviewed list in a box without namespaces. An array of `struct
 * sock_filter`.
 */
export function plainFilter(architecture: Architecture, network: NetworkPlan['kind']): Uint8Array<ArrayBuffer> {
  return unpackProgram(builtPlain[`${architecture}-${network}`]);
}
