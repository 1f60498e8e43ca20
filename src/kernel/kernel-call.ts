import { createRequire } from 'node:module';
import process from 'node:process';
import type koffiModule from 'koffi';
import { HoldfastError } from '../errors/index.ts';
import { architectures, type Architecture, type SyscallName } from '../plan/seccomp/architecture.ts';
import { KernelError } from './kernel-error.ts';
import { lazily } from '../policy/lazily.ts';

/**
 * Texts become bytes that end with NUL. Bytes are passed by address. A text that contains a NUL is refused, because it
 * would name another file.
 */
export type Argument = number | bigint | Uint8Array | string;

/**
 * Makes one system call on this thread and returns its result. Throws `KernelError` if it fails. Retries after `EINTR`.
 */
export function kernelCall(name: SyscallName, ...values: readonly Argument[]): number {
  const words = [0, 1, 2, 3, 4, 5].map((index) => word(name, values[index] ?? 0));
  const { call, errno } = library();
  for (;;) {
    const result = call(syscallNumber(name), ...words.map(({ value }) => value));
    if (result >= 0) return result;
    if (errno() !== eintr) throw new KernelError(name, errno());
  }
}

/**
 * Returns the address of bytes in memory, for structures that contain pointers. Valid while the caller keeps the bytes.
 */
export function pointer(bytes: Uint8Array): bigint {
  return library().address(bytes);
}

/**
 * Plain `syscall(2)`, for loops in which the conversions of `kernelCall` would take most of the time. -1 means that
 * `errno` holds the error.
 */
export function rawKernel(): RawKernel {
  return library();
}

const eintr = 4;

interface Word {
  readonly value: number | bigint;
  /** Kept until the call has ended, so that its memory stays valid. */
  readonly memory: Uint8Array | undefined;
}

function word(call: SyscallName, argument: Argument): Word {
  if (typeof argument === 'number' || typeof argument === 'bigint') return { value: argument, memory: undefined };
  const memory = typeof argument === 'string' ? cString(call, argument) : argument;
  return { value: memory.length === 0 ? 0 : pointer(memory), memory };
}

function cString(call: SyscallName, text: string): Uint8Array {
  if (text.includes('\0')) throw new KernelError(call, 22);
  return Buffer.from(`${text}\0`);
}

export interface RawKernel {
  call(number: number, ...words: readonly (number | bigint)[]): number;
  errno(): number;
  address(bytes: Uint8Array): bigint;
}

const library = lazily((): RawKernel => {
  try {
    const koffi = createRequire(here())('koffi') as typeof koffiModule;
    const call = koffi.load(null).func('long syscall(long, long, long, long, long, long, long)') as RawKernel['call'];
    return { call, errno: () => koffi.errno(), address: (bytes) => koffi.address(bytes) };
  } catch (cause) {
    throw new HoldfastError('HF_KERNEL_UNREACHABLE', 'the package koffi, which makes system calls, cannot be loaded', {
      remedy: 'install holdfast again with its optional platform packages',
      cause,
    });
  }
});

/** Undefined in CommonJS bundles. `__filename` is not checked first, because `node -e` sets it for every module. */
function here(): string {
  const url = import.meta.url as string | undefined;
  return url ?? __filename;
}

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
