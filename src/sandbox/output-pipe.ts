import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { kernelCall } from '../kernel/index.ts';
import { openFlags } from '../notify/perform/open-flags.ts';

/** `pipe(2)`. Node gives its children sockets, whose writers meet ECONNRESET where those of a pipe meet SIGPIPE. */
export interface OutputPipe {
  /** Descriptor for a program that is started; no other one inherits it. */
  readonly writing: number;
  /** Once that program has it: what it writes, until nobody has it any more. */
  read(): Readable;
}

export function openOutputPipe(): OutputPipe {
  const ends = new Int32Array(2);
  kernelCall('pipe2', new Uint8Array(ends.buffer), openFlags.closeOnExec);
  const [reading = -1, writing = -1] = ends;
  return {
    writing,
    read() {
      closeSync(writing);
      return new Socket({ fd: reading, readable: true, writable: false });
    },
  };
}
