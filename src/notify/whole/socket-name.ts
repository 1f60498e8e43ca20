import { kernelCall } from '../../kernel/index.ts';

const longest = 128;

/** The address of a socket's own end, as the kernel has it. Throws `KernelError`. */
export function nameOfSocket(socket: number): Buffer {
  return asked('getsockname', socket);
}

/** Of the other end; throws `ENOTCONN` without one. */
export function peerOfSocket(socket: number): Buffer {
  return asked('getpeername', socket);
}

function asked(call: 'getsockname' | 'getpeername', socket: number): Buffer {
  const [address, length] = [Buffer.alloc(longest), Buffer.alloc(4)];
  length.writeUInt32LE(longest);
  kernelCall(call, socket, address, length);
  return address.subarray(0, Math.min(longest, length.readUInt32LE(0)));
}
