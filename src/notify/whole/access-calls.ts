import { atFdcwd, type SyscallName } from '../../kernel/index.ts';
import type { FileOperation } from '../../policy/index.ts';
import type { NamedPath } from '../calls/file-calls.ts';
import { int } from '../listener/notification.ts';
import { errnoOf, type Whole } from './whole.ts';

/** A question whether a file may be used. */
export interface AccessCall {
  readonly at: NamedPath;
  /** `unistd.h`: `R_OK` and its like; 0 asks whether it is there. */
  readonly mode: number;
}

type Args = readonly bigint[];

const symlinkNoFollow = 0x100;
const emptyPath = 0x1000;
const path = (directory: bigint | undefined, address: bigint | undefined, flags = 0): NamedPath => ({
  directory: int(directory),
  address: address ?? 0n,
  end: (flags & symlinkNoFollow) === 0 ? 'follow' : 'itself',
});

/** Undefined for a question about a descriptor. */
export const accessCalls: Readonly<Partial<Record<SyscallName, (args: Args) => AccessCall | undefined>>> = {
  access: ([address, mode]) => ({ at: { directory: atFdcwd, address: address ?? 0n, end: 'follow' }, mode: int(mode) }),
  faccessat: ([directory, address, mode]) => ({ at: path(directory, address), mode: int(mode) }),
  faccessat2: ([directory, address, mode, flags]) =>
    (int(flags) & emptyPath) === 0 ? { at: path(directory, address, int(flags)), mode: int(mode) } : undefined,
};

const meanings: readonly (readonly [number, FileOperation])[] = [
  [4, 'read'],
  [2, 'write'],
  [1, 'execute'],
];

/**
 * The errno for a real path; undefined where the kernel may say what it likes: it shows nothing that `stat` would not.
 */
export function accessRefusal({ law }: Whole, mode: number, real: string): number | undefined {
  const asked = meanings.filter(([bit]) => (mode & bit) !== 0).map(([, operation]) => operation);
  for (const operation of asked) {
    const ruling = law.rule(operation, real);
    if (ruling.kind === 'refused') return errnoOf(ruling.how, operation);
  }
  const there = law.rule('read', real);
  return asked.length === 0 && there.kind === 'refused' && there.how === 'absent'
    ? errnoOf('absent', 'read')
    : undefined;
}
