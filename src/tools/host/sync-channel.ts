import { readSync, writeSync } from 'node:fs';
import { encodeFrame } from '../protocol/encode-frame.ts';
import { headerLength, largestFrame } from '../protocol/limits.ts';
import type { FromHost, ToHost } from '../protocol/messages.ts';

/** To the supervisor, without an event loop: a guest that calls out stands still until it is answered. */
export interface SyncChannel {
  send(message: FromHost): void;
  /** Undefined when the supervisor has closed. */
  receive(): ToHost | undefined;
}

export function syncChannel(input: number, output: number): SyncChannel {
  return {
    send: (message) => writeAll(output, encodeFrame(message)),
    receive() {
      const header = readExactly(input, headerLength);
      if (header === undefined) return undefined;
      const length = header.readUInt32LE(0);
      if (length > largestFrame) throw new RangeError('the supervisor sent too much');
      const body = readExactly(input, length);
      return body === undefined ? undefined : (JSON.parse(body.toString()) as ToHost);
    },
  };
}

function readExactly(fd: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const read = patiently(() => readSync(fd, bytes, at, length - at, null));
    if (read === 0) return undefined;
    at += read;
  }
  return bytes;
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += patiently(() => writeSync(fd, bytes, at));
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Whoever lent the descriptor may have made it non-blocking. */
function patiently(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}
