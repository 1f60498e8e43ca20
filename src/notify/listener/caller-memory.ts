import { pointer, rawKernel, syscallNumber } from '../../kernel/index.ts';

/**
 * Reads the memory of a stopped caller. Its content may change at any moment, so the kernel never reads it again on the
 * caller's behalf.
 */
export interface CallerMemory {
  /**
   * Returns the text at an address as bytes in latin1, without its NUL. Undefined if it is unreadable or longer than
   * any path.
   */
  path(thread: number, address: bigint): string | undefined;
  /** Undefined if any part is unreadable. */
  bytes(thread: number, address: bigint, length: number): Buffer | undefined;
}

/** `PATH_MAX`, including the NUL. */
const longestPath = 4096;
const firstTry = 256;
/** The largest datagram or attribute. */
const mostBytes = 256 * 1024;
const page = 4096;

export function callerMemory(): CallerMemory {
  const { call } = rawKernel();
  const number = syscallNumber('process_vm_readv');
  const buffer = Buffer.alloc(longestPath);
  const bufferAt = pointer(buffer);
  /** Two `struct iovec`: the destination of the bytes, then their source. */
  const pieces = new BigUint64Array([bufferAt, 0n, 0n, 0n]);
  const localAt = Number(pointer(new Uint8Array(pieces.buffer)));
  /** Reads into `buffer` and returns the number of bytes. 0 if none could be read. */
  const read = (thread: number, address: bigint, length: number): number => {
    pieces[1] = pieces[3] = BigInt(length);
    pieces[2] = address;
    return Math.max(0, call(number, thread, localAt, 1, localAt + 16, 1, 0));
  };
  return {
    path(thread, address) {
      const untilPageEnd = page - Number(address & 0xfffn);
      for (const length of [Math.min(firstTry, untilPageEnd), longestPath]) {
        const came = read(thread, address, length);
        const end = buffer.indexOf(0);
        if (end >= 0 && end < came) return buffer.toString('latin1', 0, end);
      }
      return undefined;
    },
    bytes(thread, address, length) {
      if (length <= longestPath)
        return read(thread, address, length) === length ? Buffer.from(buffer.subarray(0, length)) : undefined;
      if (length > mostBytes) return undefined;
      const [large, lengths] = [Buffer.alloc(length), Buffer.alloc(32)];
      lengths.writeBigUInt64LE(pointer(large), 0);
      lengths.writeBigUInt64LE(BigInt(length), 8);
      lengths.writeBigUInt64LE(address, 16);
      lengths.writeBigUInt64LE(BigInt(length), 24);
      return call(number, thread, pointer(lengths), 1, pointer(lengths.subarray(16)), 1, 0) === length
        ? large
        : undefined;
    },
  };
}
