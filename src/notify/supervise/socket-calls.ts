/** System calls about sockets that Node has no function for. */
import { fstatSync } from 'node:fs';
import { kernelCall, KernelError } from '../../kernel/index.ts';

export const unixFamily = 1;
const levelSocket = 1;
const getFlags = 3;
const setFlags = 4;
const nonBlocking = 0o4000;

/**
 * Sends without waiting, because a listener with a full queue must not stop the supervisor. The caller gets `EAGAIN`.
 */
export function unblocked(socket: number, use: () => void): void {
  const flags = kernelCall('fcntl', socket, getFlags, 0);
  if ((flags & nonBlocking) !== 0) return use();
  kernelCall('fcntl', socket, setFlags, flags | nonBlocking);
  try {
    use();
  } finally {
    kernelCall('fcntl', socket, setFlags, flags);
  }
}

export function unixAddress(path: string): Buffer {
  if (path.length > longestPath) throw new KernelError('bind', nameTooLong);
  const address = Buffer.alloc(2 + path.length);
  address.writeUInt16LE(unixFamily, 0);
  address.write(path, 2, 'latin1');
  return address;
}

const longestPath = 108;
const nameTooLong = 36;

/** Of `SOL_SOCKET`. */
export function option(socket: number, name: number): number {
  if (!fstatSync(socket).isSocket()) throw new KernelError('getsockopt', notSocket);
  const value = Buffer.alloc(4);
  const length = Buffer.from([4, 0, 0, 0]);
  kernelCall('getsockopt', socket, levelSocket, name, value, length);
  return value.readInt32LE(0);
}

const notSocket = 88;
