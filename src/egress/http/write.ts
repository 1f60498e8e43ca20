import type { Writable } from 'node:stream';

/** Waits while the receiver is slower than we are. False when it is gone. */
export async function drained(sink: Writable): Promise<boolean> {
  while (sink.writableNeedDrain && !sink.destroyed) await eitherEvent(sink);
  return !sink.destroyed;
}

/** Holds back what is written until the code that runs now has come to a stop, so that a head and its body are one segment. */
export function gather(sink: Writable): void {
  if (sink.writableCorked > 0) return;
  sink.cork();
  process.nextTick(() => sink.uncork());
}

function eitherEvent(sink: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      sink.off('drain', settle);
      sink.off('close', settle);
      resolve();
    };
    sink.on('drain', settle);
    sink.on('close', settle);
  });
}
