import { closeSync } from 'node:fs';
import { kernelCall, KernelError, type SyscallName } from '../../kernel/index.ts';
import type { SeccompNotification } from '../listener/notification.ts';
import { toBytes } from '../view/byte-text.ts';
import { eacces, efault } from './answer-call.ts';
import type { Supervision } from './context.ts';

/** A call that creates a file in memory. */
export interface MemoryFileCall {
  /** Address of its name in the caller's memory. */
  readonly name: bigint;
  readonly flags: number;
}

/** `linux/memfd.h`. The last two came with kernel 6.3. */
const flag = { closeOnExec: 1, neverExecutable: 8, executable: 0x10 } as const;

export const memoryFileCalls: Readonly<Partial<Record<SyscallName, (args: readonly bigint[]) => MemoryFileCall>>> = {
  memfd_create: ([name = 0n, flags = 0n]) => ({ name, flags: Number(BigInt.asUintN(32, flags)) }),
};

/**
 * Creates the file for the caller, so that it can never be executed. No list of programs covers it, and Landlock does
 * not judge files outside mounted file systems. On kernels without such files the call is refused.
 */
export function handleMemoryFile(
  { listener, memory }: Supervision,
  { id, thread }: SeccompNotification,
  { name, flags }: MemoryFileCall,
): void {
  const text = memory.path(thread, name);
  if (text === undefined) return listener.answer(id, -efault);
  const made = (flags & flag.executable) === 0 ? madeUnexecutable(text, flags) : undefined;
  if (made === undefined) return listener.answer(id, -eacces);
  try {
    listener.inject(id, made, { closeOnExec: (flags & flag.closeOnExec) !== 0 });
  } catch (error) {
    // The caller was killed, or has no free descriptor.
    if (!(error instanceof KernelError)) throw error;
    listener.answer(id, -error.errno);
  } finally {
    closeSync(made);
  }
}

function madeUnexecutable(name: string, flags: number): number | undefined {
  try {
    return kernelCall(
      'memfd_create',
      Buffer.concat([toBytes(name), Buffer.alloc(1)]),
      flags | flag.closeOnExec | flag.neverExecutable,
    );
  } catch (error) {
    if (error instanceof KernelError) return undefined;
    throw error;
  }
}
