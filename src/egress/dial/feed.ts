import type { OnReadOpts, Socket } from 'node:net';

/** Gives what a stream reads to an `onread` of `net.connect`, for sockets that could not be made with one. */
export function feed(socket: Socket, { buffer, callback }: OnReadOpts): void {
  socket.on('data', (chunk: Buffer) => {
    for (let from = 0; from < chunk.length; ) {
      const target = typeof buffer === 'function' ? buffer() : buffer;
      const length = Math.min(target.length, chunk.length - from);
      target.set(chunk.subarray(from, from + length));
      from += length;
      if (callback(length, target)) continue;
      socket.pause();
      if (from < chunk.length) socket.unshift(chunk.subarray(from));
      return;
    }
  });
}
