import { constants } from 'node:os';
import { getSystemErrorMessage, getSystemErrorName } from 'node:util';

/** A system call failed. `code` is the errno's name, as in errors of `node:fs`. */
export class KernelError extends Error {
  override readonly name = 'KernelError';
  readonly code: string;
  /** Positive. */
  readonly errno: number;
  readonly syscall: string;

  constructor(syscall: string, errno: number) {
    const { code, text } = meaning(errno);
    super(`${code}: ${text}, ${syscall}`);
    this.code = code;
    this.errno = errno;
    this.syscall = syscall;
  }
}

export function isKernelError(error: unknown, code?: string): error is KernelError {
  return error instanceof KernelError && (code === undefined || error.code === code);
}

/**
 * Both functions look the number up in a map that Node keeps. `getSystemErrorMap` creates a new map each time, which
 * takes 20 µs. Node's map lacks a few: `EDQUOT` and `ESTALE`.
 */
function meaning(errno: number): { readonly code: string; readonly text: string } {
  const code = getSystemErrorName(-errno);
  if (!code.startsWith('Unknown')) return { code, text: getSystemErrorMessage(-errno) ?? '' };
  const [name = `errno ${errno}`] = Object.entries(constants.errno).find(([, value]) => value === errno) ?? [];
  return { code: name, text: 'unknown error' };
}
