import { once } from 'node:events';
import { expect, test } from 'vitest';
import { dial } from './dial.ts';
import { feedOnRead } from './upstream-proxy.ts';
import { serve, socketOf, vettedOf } from './testing/loopback.ts';

const payload = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));

test('a reader that stops after every piece gets all of them in order, and none while it is stopped', async () => {
  const { port } = await serve((socket) => socket.end(payload));
  const socket = socketOf(await dial(vettedOf(port, '127.0.0.1')));
  const buffer = Buffer.alloc(999);
  const pieces: Buffer[] = [];
  let stopped = false;
  feedOnRead(socket, {
    buffer,
    callback: (length) => {
      expect(stopped).toBe(false);
      pieces.push(Buffer.from(buffer.subarray(0, length)));
      stopped = true;
      setImmediate(() => {
        stopped = false;
        socket.resume();
      });
      return false;
    },
  });
  socket.resume();
  await once(socket, 'end');
  expect(Buffer.concat(pieces).equals(payload)).toBe(true);
});
