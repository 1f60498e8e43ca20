import type { Socket } from 'node:net';

/** What was read: `done` with what came after it, or why it never came. */
export type ReadOutcome<Result> = { readonly kind: 'done'; readonly result: Result; readonly rest: Buffer } | { readonly kind: 'ended' } | { readonly kind: 'too long' } | { readonly kind: 'malformed' };

/** Finds a whole message at the start of the bytes so far: its end and its meaning; undefined while it is incomplete. */
export type Finder<Result> = (bytes: Buffer) => { readonly result: Result; readonly end: number } | 'malformed' | undefined;

/** Reads from a paused socket until a message is whole, and pauses it again. At most `limit` bytes are kept. */
export function readUntil<Result>(socket: Socket, limit: number, find: Finder<Result>): Promise<ReadOutcome<Result>> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0);
    const settle = (outcome: ReadOutcome<Result>): void => {
      socket.off('data', hear).off('end', end).off('close', end);
      socket.pause();
      resolve(outcome);
    };
    const end = (): void => settle({ kind: 'ended' });
    const hear = (chunk: Buffer): void => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const found = find(bytes);
      if (found === 'malformed') settle({ kind: 'malformed' });
      else if (found !== undefined) settle({ kind: 'done', result: found.result, rest: bytes.subarray(found.end) });
      else if (bytes.length > limit) settle({ kind: 'too long' });
    };
    socket.on('data', hear).once('end', end).once('close', end);
    if (socket.destroyed || socket.readableEnded) end();
    else socket.resume();
  });
}
