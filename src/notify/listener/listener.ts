import { closeSync } from 'node:fs';
import { isKernelError, kernelCall, KernelError, pointer, rawKernel, syscallNumber } from '../../kernel/index.ts';
import { type SeccompNotification, notificationSize, notificationReader } from './notification.ts';

/** The supervisor's end of a seccomp filter. Every method is one system call on the calling thread. */
export interface Listener {
  /**
   * Waits for a notification or a write to `wake`, for `patience` milliseconds or forever. `gone`: no process is left
   * under the filter.
   */
  wait(patience?: number): 'notified' | 'woken' | 'gone' | 'nothing';
  /** Undefined if the stopped caller has died meanwhile. */
  receive(): SeccompNotification | undefined;
  /**
   * Lets the call go ahead unchanged. Use it only for calls that the kernel itself limits, because the caller's memory
   * may have changed since.
   */
  resume(id: bigint): void;
  /** Ends the call with a result: zero or more, or a negative errno. */
  answer(id: bigint, result: number): void;
  /** Puts a copy of a descriptor into the caller. Its number is the result of the call. */
  inject(id: bigint, descriptor: number, flags: InjectFlags): void;
  /** Whether the call still waits. If not, earlier reads of its process may have been about another process. */
  isCurrent(id: bigint): boolean;
  close(): void;
}

export interface InjectFlags {
  readonly closeOnExec: boolean;
}

/** `linux/seccomp.h`. */
const ioctls = {
  receive: 0xc0502100,
  send: 0xc0182101,
  isValid: 0x40082102,
  add: 0x40182103,
  setFlags: 0x40082104,
} as const;
const continueFlag = 1;
const sendFlag = 2;
const syncWakeUp = 1;
const closeOnExec = 0o2000000;

const pollIn = 1;
/** `POLLERR | POLLHUP | POLLNVAL`. */
const pollOver = 0x38;

/**
 * Takes over a listener. Another thread writes to the eventfd `wake`. The structures have fixed memory, so that a
 * notification costs no allocation.
 */
export function openListener(descriptor: number, wake: number): Listener {
  const { call, errno } = rawKernel();
  const ioctl = syscallNumber('ioctl');
  const poll = syscallNumber('ppoll');
  // Typed arrays, because a buffer's own methods read large numbers byte by byte, and every call of a box comes through
  // here.
  const request = new BigUint64Array(notificationSize / 8);
  const response = new BigInt64Array(3);
  const ending = new Int32Array(response.buffer, 16);
  const polled = new Int16Array(8);
  /** `struct timespec`. */
  const time = new BigInt64Array(2);
  const addresses = {
    request: addressOf(request),
    response: addressOf(response),
    polled: addressOf(polled),
    time: addressOf(time),
  };
  const read = notificationReader(request);
  wakeOnSameProcessor(descriptor);
  new Int32Array(polled.buffer).set([descriptor, pollIn, wake, pollIn]);
  const respond = (id: bigint, result: number, flags: number): void => {
    response[0] = id;
    response[1] = result <= 0 ? 0n : BigInt(result);
    ending[0] = result < 0 ? result : 0;
    ending[1] = flags;
    // A caller that was killed meanwhile needs no answer.
    if (call(ioctl, descriptor, ioctls.send, addresses.response, 0, 0, 0) < 0 && errno() !== enoent)
      throw new KernelError('ioctl', errno());
  };
  return {
    wait(patience) {
      polled[3] = 0;
      polled[7] = 0;
      time[1] = BigInt(patience ?? 0) * 1_000_000n;
      while (call(poll, addresses.polled, 2, patience === undefined ? 0 : addresses.time, 0, 0, 0) < 0)
        if (errno() !== eintr) throw new KernelError('ppoll', errno());
      if (polled[7] !== 0) return 'woken';
      const events = polled[3] ?? 0;
      if (events === 0) return 'nothing';
      return (events & pollIn) === 0 && (events & pollOver) !== 0 ? 'gone' : 'notified';
    },
    receive() {
      request.fill(0n);
      if (call(ioctl, descriptor, ioctls.receive, addresses.request, 0, 0, 0) === 0) return read();
      if (errno() === enoent || errno() === eintr) return undefined;
      throw new KernelError('ioctl', errno());
    },
    resume: (id) => respond(id, 0, continueFlag),
    answer: (id, result) => respond(id, result, 0),
    inject: (id, source, flags) => inject(descriptor, { id, source, flags }),
    isCurrent: (id) => isValid(descriptor, id),
    close: () => closeSync(descriptor),
  };
}

function addressOf(memory: BigUint64Array | BigInt64Array | Int16Array): number {
  return Number(pointer(new Uint8Array(memory.buffer)));
}

const enoent = 2;
const eintr = 4;

/**
 * Kernel 6.6 can run the supervisor at once on the caller's processor, in a tenth of the time. Older kernels cannot.
 */
function wakeOnSameProcessor(descriptor: number): void {
  try {
    kernelCall('ioctl', descriptor, ioctls.setFlags, syncWakeUp);
  } catch (error) {
    if (!isKernelError(error, 'EINVAL') && !isKernelError(error, 'ENOTTY')) throw error;
  }
}

interface Injection {
  readonly id: bigint;
  readonly source: number;
  readonly flags: InjectFlags;
}

/** `struct seccomp_notif_addfd`. Answering in the same step needs kernel 5.14. */
function inject(descriptor: number, { id, source, flags }: Injection): void {
  const structure = Buffer.alloc(24);
  structure.writeBigUInt64LE(id, 0);
  structure.writeUInt32LE(sendFlag, 8);
  structure.writeUInt32LE(source, 12);
  structure.writeUInt32LE(flags.closeOnExec ? closeOnExec : 0, 20);
  kernelCall('ioctl', descriptor, ioctls.add, structure);
}

function isValid(descriptor: number, id: bigint): boolean {
  const structure = Buffer.alloc(8);
  structure.writeBigUInt64LE(id);
  try {
    kernelCall('ioctl', descriptor, ioctls.isValid, structure);
    return true;
  } catch (error) {
    if (isKernelError(error, 'ENOENT')) return false;
    throw error;
  }
}
