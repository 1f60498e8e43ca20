/** One stopped system call, from `struct seccomp_notif` of `linux/seccomp.h`. */
export interface SeccompNotification {
  readonly id: bigint;
  /** Thread that made the call, in the supervisor's PID namespace. */
  readonly thread: number;
  /** Number of the system call. */
  readonly call: number;
  /** Registers: the arguments of the call. */
  readonly args: readonly bigint[];
}

/** `sizeof(struct seccomp_notif)`. */
export const notificationSize = 80;

/** Reads the current content of `words`. */
export function notificationReader(words: BigUint64Array): () => SeccompNotification {
  const halves = new Int32Array(words.buffer);
  const at = (index: number): bigint => words[index] ?? 0n;
  return () => ({
    id: at(0),
    thread: halves[2] ?? 0,
    call: halves[4] ?? 0,
    args: [at(4), at(5), at(6), at(7), at(8), at(9)],
  });
}

/** Reads a register as the kernel reads an `int`: callers may leave anything in its upper half. */
export function int(word: bigint | undefined): number {
  return Number(BigInt.asIntN(32, word ?? 0n));
}
