import { getSystemErrorMap } from 'node:util';

/** A system call failed. `code` is the errno's name, as in errors of `node:fs`. */
export class KernelError extends Error {
  override readonly name = 'KernelError';
  readonly code: string;
  /** Positive. */
  readonly errno: number;
  readonly syscall: string;

  constructor(syscall: string, errno: number) {
    const [code, text] = getSystemErrorMap().get(-errno) ?? [`errno ${errno}`, 'unknown error'];
    super(`${code}: ${text}, ${syscall}`);
    this.code = code;
    this.errno = errno;
    this.syscall = syscall;
  }
}

export function isKernelError(error: unknown, code?: string): error is KernelError {
  return error instanceof KernelError && (code === undefined || error.code === code);
}
