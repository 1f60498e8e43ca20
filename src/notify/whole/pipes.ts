import { closeSync, fstatSync } from 'node:fs';
import { kernelCall, openAt, pointer, rawKernel, syscallNumber } from '../../kernel/index.ts';
import type { Listener } from '../listener/listener.ts';
import { openFlags } from '../perform/open-flags.ts';
import type { Later } from './later.ts';
import { isErrno } from './open-path.ts';
import { errno } from './whole.ts';

/** Opens named pipes. The other end may not be open yet, and the supervisor cannot block as the kernel would. */
export interface Pipes {
  /**
   * A writer's open returns once there is a reader. A reader's open returns once a writer of the box has come, or data
   * was written, which a read would wait for anyway. Takes over `descriptor`, which is of the pipe, and its reading end
   * for a reader.
   */
  open(id: bigint, descriptor: number, flags: number): void;
}

interface Reader {
  readonly pipe: string;
  isMet: boolean;
}

const setStatusFlags = 4;
const permitted = openFlags.append | openFlags.nonBlocking | openFlags.async;

export function openPipes(listener: Listener, later: Later): Pipes {
  const readers = new Set<Reader>();
  const hand = (id: bigint, end: number, flags: number): 'answered' => {
    kernelCall('fcntl', end, setStatusFlags, flags & permitted);
    listener.inject(id, end, { closeOnExec: (flags & openFlags.closeOnExec) !== 0 });
    return 'answered';
  };
  const write = (id: bigint, descriptor: number, flags: number): 'answered' | 'not-yet' => {
    const end = writingEnd(descriptor);
    if (end === undefined && (flags & openFlags.nonBlocking) === 0) return 'not-yet';
    if (end === undefined) listener.answer(id, -errno.noDevice);
    else {
      const pipe = identityOf(descriptor);
      for (const reader of readers) reader.isMet ||= reader.pipe === pipe;
      withEnd(end, () => hand(id, end, flags));
    }
    return 'answered';
  };
  return {
    open(id, descriptor, flags) {
      const way = flags & openFlags.accessMode;
      if (way === openFlags.writeOnly)
        return later.add({ id, over: () => closeSync(descriptor), attempt: () => write(id, descriptor, flags) });
      const reader: Reader = {
        pipe: identityOf(descriptor),
        isMet: way === openFlags.readWrite || (flags & openFlags.nonBlocking) !== 0,
      };
      readers.add(reader);
      later.add({
        id,
        over: () => {
          readers.delete(reader);
          closeSync(descriptor);
        },
        attempt: () => (reader.isMet || isAwake(descriptor) ? hand(id, descriptor, flags) : 'not-yet'),
      });
    },
  };
}

/** Undefined while there is no reader. */
function writingEnd(descriptor: number): number | undefined {
  try {
    return openAt(0, `/proc/self/fd/${descriptor}`, { flags: openFlags.writeOnly | openFlags.nonBlocking });
  } catch (error) {
    if (isErrno(error, errno.noDevice)) return undefined;
    throw error;
  }
}

function withEnd(end: number, use: () => void): void {
  try {
    use();
  } finally {
    closeSync(end);
  }
}

function identityOf(descriptor: number): string {
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  return `${dev}:${ino}`;
}

const pollIn = 1;

/** Whether data can be read, or the writer has left. */
function isAwake(descriptor: number): boolean {
  const polled = Buffer.alloc(8);
  polled.writeInt32LE(descriptor, 0);
  polled.writeInt16LE(pollIn, 4);
  const time = Buffer.alloc(16);
  return rawKernel().call(syscallNumber('ppoll'), pointer(polled), 1, pointer(time), 0, 0, 0) > 0;
}
