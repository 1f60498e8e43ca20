import type { Duplex } from 'node:stream';

/** Who has its answer and stays holds a descriptor: it counts as a connection until it goes, and goes after `patience` milliseconds. */
export function closed(socket: Duplex, patience: number): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) return resolve();
    const timer = setTimeout(() => socket.destroy(), patience);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
