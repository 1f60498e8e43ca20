import type { SeccompPlan } from '../types.ts';
import type { Architecture } from './architecture.ts';
import { builtFilters } from './built-filters.ts';

export interface SeccompOptions {
  readonly architecture: Architecture;
  /** `allow`: opens the calls that debuggers and tracers need. */
  readonly ptrace: 'deny' | 'allow';
  /** `runtime`: for a command that confines another one, and traces whatever `ptrace` says. Default: `none`. */
  readonly nesting?: SeccompPlan['nesting'];
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
 * Returns the filter of the reviewed list. It is prebuilt: to build it takes 2 to 3 ms in a new process, and every
 * `holdfast run` would pay for that.
 */
export function seccompFilter({ architecture, ptrace, nesting = 'none' }: SeccompOptions): SeccompFilter {
  const variant = nesting === 'runtime' ? 'nested' : ptrace;
  const bytes = new Uint8Array(Buffer.from(builtFilters[`${architecture}-${variant}`], 'base64'));
  return { architecture, instructions: bytes.length / 8, bytes };
}
