/** One stopped system call, as `struct seccomp_notif` of `linux/seccomp.h` tells it. */
export interface Notification {
  readonly id: bigint;
  /** Of the thread that made the call, in the PID namespace of the supervisor. */
  readonly thread: number;
  /** Number of the system call. */
  readonly call: number;
  /** Registers; each is read by the kernel as what its call takes there. */
  readonly args: readonly bigint[];
}

/** `sizeof(struct seccomp_notif)`. */
export const notificationSize = 80;

export function readNotification(bytes: Buffer): Notification {
  return {
    id: bytes.readBigUInt64LE(0),
    thread: bytes.readUInt32LE(8),
    call: bytes.readInt32LE(16),
    args: [bytes.readBigUInt64LE(32), bytes.readBigUInt64LE(40), bytes.readBigUInt64LE(48), bytes.readBigUInt64LE(56), bytes.readBigUInt64LE(64), bytes.readBigUInt64LE(72)],
  };
}

/** What the kernel makes of a register that holds an `int`: callers leave anything in its upper half. */
export function int(word: bigint | undefined): number {
  return Number(BigInt.asIntN(32, word ?? 0n));
}
