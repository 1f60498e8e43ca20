import type { Socket } from 'node:net';

/** Large enough that a download is read in few system calls: 64 KiB, Node's own, halves the throughput. */
const size = 256 * 1024;

export interface OnRead {
  readonly buffer: () => Uint8Array;
  readonly callback: (length: number, bytes: Uint8Array) => boolean;
}

export interface ReadInto {
  readonly onread: OnRead;
  /** Called once, before the first byte can come. */
  connect(target: Socket, source: Socket): void;
}

/**
 * The `onread` option of `net.connect`: what arrives is written to another socket from one buffer. The buffer is used
 * again only when the kernel has taken all of it.
 */
export function readInto(): ReadInto {
  let buffer: Buffer | undefined;
  let ends: { readonly target: Socket; readonly source: Socket } | undefined;
  return {
    onread: {
      buffer: () => (buffer ??= Buffer.allocUnsafeSlow(size)),
      callback: (length) => {
        const bytes = buffer?.subarray(0, length);
        if (ends === undefined || bytes === undefined || !ends.target.writable) return false;
        const { target, source } = ends;
        const room = target.write(bytes);
        if (target.writableLength > 0) buffer = undefined;
        if (!room) target.once('drain', () => source.resume());
        return room;
      },
    },
    connect: (target, source) => {
      ends = { target, source };
    },
  };
}
