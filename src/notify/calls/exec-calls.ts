import { atFdcwd, type SyscallName } from '../../kernel/index.ts';
import { int } from '../listener/notification.ts';
import type { NamedPath } from './file-calls.ts';

/** A program that is about to replace its caller. Addresses are in the caller's memory. */
export interface ExecCall {
  readonly at: NamedPath;
  /** Address of the argument vector, which ends with a null pointer. */
  readonly words: bigint;
  /** `descriptor`: with an empty path, the file of the descriptor itself. */
  readonly empty: 'refused' | 'descriptor';
}

/** `linux/fcntl.h`: `AT_EMPTY_PATH`. */
const emptyPath = 0x1000;

export const execCalls: Readonly<Partial<Record<SyscallName, (args: readonly bigint[]) => ExecCall>>> = {
  execve: ([path = 0n, words = 0n]) => ({
    at: { directory: atFdcwd, address: path, end: 'follow' },
    words,
    empty: 'refused',
  }),
  execveat: ([directory, path = 0n, words = 0n, , flags]) => ({
    at: { directory: int(directory), address: path, end: 'follow' },
    words,
    empty: (int(flags) & emptyPath) === 0 ? 'refused' : 'descriptor',
  }),
};
