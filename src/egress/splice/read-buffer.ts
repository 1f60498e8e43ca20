import type { Socket } from 'node:net';

/**
 * Scratch space of all connections: filled and copied from within one callback, so that no two ever use it at once.
 * Most connections carry little, and a buffer for each would cost more in garbage than all else.
 */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** Large enough that a download is read in few system calls: 64 KiB, Node's own, halves the throughput. */
const ownSize = 256 * 1024;
/** A read that brings no more than this has caught up with its sender. */
const little = 16 * 1024;

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
 * The `onread` option of `net.connect`: what arrives is written to another socket. Who fills the shared buffer gets a
 * large one of its own, which is used again only when the kernel has taken all of it.
 */
export function readInto(): ReadInto {
  let own: Buffer | undefined;
  let load: 'light' | 'heavy' = 'light';
  let ends: { readonly target: Socket; readonly source: Socket } | undefined;
  return {
    onread: {
      buffer: () => (load === 'light' ? shared : (own ??= Buffer.allocUnsafeSlow(ownSize))),
      callback: (length, buffer) => {
        if (ends === undefined || !ends.target.writable) return false;
        const { target, source } = ends;
        const filled = buffer.subarray(0, length);
        const room = target.write(buffer === shared ? Buffer.from(filled) : filled);
        load = length === shared.length || (load === 'heavy' && length > little) ? 'heavy' : 'light';
        if (load === 'light' || target.writableLength > 0) own = undefined;
        if (!room) target.once('drain', () => source.resume());
        return room;
      },
    },
    connect: (target, source) => {
      ends = { target, source };
    },
  };
}
