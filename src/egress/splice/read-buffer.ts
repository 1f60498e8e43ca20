import type { Socket } from 'node:net';

/**
 * Scratch space of all connections. It is filled and copied within one callback, so two connections never use it at
 * once. Most connections carry little data, and one buffer for each would cost more in garbage collection than
 * everything else.
 */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** Large enough to read a download with few system calls. 64 KiB, Node's own size, halves the throughput. */
const ownSize = 256 * 1024;
/** A read of at most this size means that the reader has caught up with the sender. */
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
 * The `onread` option of `net.connect`, which writes incoming bytes to another socket. A connection that fills the
 * shared buffer gets its own large buffer, which is reused only after the kernel has taken all its bytes.
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
