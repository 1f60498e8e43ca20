import type { SyscallName } from '../../kernel/index.ts';
import type { SocketRequest } from '../../policy/request.ts';
import type { CallerMemory } from '../listener/caller-memory.ts';
import { int, type SeccompNotification } from '../listener/notification.ts';

/** The content of a message, in pieces of the caller's memory. */
interface Payload {
  readonly parts: readonly { readonly address: bigint; readonly length: number }[];
  readonly flags: number;
}

/** A call with a socket address. Numbers are as in registers. Addresses are in the caller's memory. */
export interface SocketCall {
  readonly operation: SocketRequest['operation'];
  readonly descriptor: number;
  readonly address: bigint;
  /** Length of the address. For a message, its flags. */
  readonly length: number;
  /** Content of the message. */
  readonly payload?: Payload;
  /**
   * For `message` and `messages`, the socket address and content are in one or several `struct msghdr` at `address`.
   */
  readonly form: 'plain' | 'message' | 'messages';
}

/** `sizeof(struct msghdr)`. */
const headerSize = 56;
/** More pieces than any program sends to a local service. */
const mostParts = 64;

type Args = readonly bigint[];

export const socketCalls: Readonly<Partial<Record<SyscallName, (args: Args) => SocketCall | undefined>>> = {
  connect: ([descriptor, address, length]) => ({
    operation: 'connect',
    descriptor: int(descriptor),
    address: address ?? 0n,
    length: int(length),
    form: 'plain',
  }),
  bind: ([descriptor, address, length]) => ({
    operation: 'bind',
    descriptor: int(descriptor),
    address: address ?? 0n,
    length: int(length),
    form: 'plain',
  }),
  sendto: ([descriptor, buffer, size, flags, address, length]) => ({
    operation: 'send',
    descriptor: int(descriptor),
    address: address ?? 0n,
    length: int(length),
    form: 'plain',
    payload: { parts: [{ address: buffer ?? 0n, length: Number(size ?? 0n) }], flags: int(flags) },
  }),
  sendmsg: ([descriptor, message, flags]) => ({
    operation: 'send',
    descriptor: int(descriptor),
    address: message ?? 0n,
    length: int(flags),
    form: 'message',
  }),
  sendmmsg: ([descriptor, messages]) => ({
    operation: 'send',
    descriptor: int(descriptor),
    address: messages ?? 0n,
    length: 0,
    form: 'messages',
  }),
};

/**
 * Reads a `sendmsg` as a `sendto`. Undefined if the supervisor cannot safely perform it: passed descriptors, or several
 * messages.
 */
export function socketMessage(
  memory: CallerMemory,
  { thread }: SeccompNotification,
  call: SocketCall,
): SocketCall | undefined {
  if (call.form === 'messages') return undefined;
  const header = memory.bytes(thread, call.address, headerSize);
  if (header === undefined || header.readBigUInt64LE(40) !== 0n) return undefined;
  const count = Number(header.readBigUInt64LE(24));
  const vector =
    count > mostParts
      ? undefined
      : count === 0
        ? Buffer.alloc(0)
        : memory.bytes(thread, header.readBigUInt64LE(16), count * 16);
  if (vector === undefined) return undefined;
  const parts = Array.from({ length: count }, (_, index) => ({
    address: vector.readBigUInt64LE(index * 16),
    length: Number(vector.readBigUInt64LE(index * 16 + 8)),
  }));
  const address = header.readBigUInt64LE(0);
  return {
    ...call,
    form: 'plain',
    address,
    length: address === 0n ? 0 : header.readUInt32LE(8),
    payload: { parts, flags: call.length },
  };
}
