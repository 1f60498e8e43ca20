import { KernelError } from '../../kernel/index.ts';
import type { CallerMemory } from '../listener/caller-memory.ts';
import type { Fetched } from '../perform/change.ts';
import type { FileCall } from './file-calls.ts';

/**
 * Reads a call's arguments in the caller's memory, except its paths. Throws `KernelError` with `EFAULT` for a bad
 * address.
 */
export function fetchOperands(call: FileCall, memory: CallerMemory, thread: number): Fetched {
  const text = (address: bigint): Buffer => {
    const found = memory.path(thread, address);
    if (found === undefined) throw fault();
    return Buffer.from(`${found}\0`, 'latin1');
  };
  const bytes = (address: bigint, length: number): Buffer => {
    const found = memory.bytes(thread, address, length);
    if (found === undefined) throw fault();
    return found;
  };
  switch (call.kind) {
    case 'symlink':
      return { text: text(call.text) };
    case 'times':
      return call.address === 0n ? {} : { value: timesFrom(call.form, (length) => bytes(call.address, length)) };
    case 'set-attribute':
      return { text: text(call.name), value: call.size === 0 ? Buffer.alloc(0) : bytes(call.value, call.size) };
    case 'remove-attribute':
      return { text: text(call.name) };
    case 'open':
    case 'make-directory':
    case 'make-node':
    case 'remove':
    case 'rename':
    case 'link':
    case 'truncate':
    case 'mode':
    case 'owner':
      return {};
  }
}

function fault(): KernelError {
  return new KernelError('process_vm_readv', 14);
}

/**
 * Two `struct timespec`, from each call's own unit: seconds (`utime`), microseconds (`utimes`) or nanoseconds
 * (`utimensat`).
 */
function timesFrom(form: Extract<FileCall, { kind: 'times' }>['form'], read: (length: number) => Buffer): Buffer {
  if (form === 'nanoseconds') return read(32);
  const times = Buffer.alloc(32);
  const from = read(form === 'seconds' ? 16 : 32);
  const step = form === 'seconds' ? 8 : 16;
  for (const index of [0, 1]) {
    times.writeBigInt64LE(from.readBigInt64LE(index * step), index * 16);
    if (form === 'microseconds') times.writeBigInt64LE(from.readBigInt64LE(index * step + 8) * 1000n, index * 16 + 8);
  }
  return times;
}
