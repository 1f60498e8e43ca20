import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serveLimits } from '../limits.ts';
import { encodeWireFrame, type Frame } from './frame.ts';
import { FrameSocket } from './frame-socket.ts';

const frame = (channel: number, payload: Buffer): Frame => ({ type: 'message', channel, payload });
const piece = Buffer.alloc(serveLimits.piece);

/** Our socket and its received frames, and a peer that reads only on demand. */
async function pair(): Promise<{
  readonly ours: FrameSocket;
  readonly peer: Socket;
  readonly heard: number[];
  readonly closed: () => boolean;
}> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-pair-'));
  const server = createServer().listen(join(directory, 's'));
  const accepted = once(server, 'connection');
  const peer = connect({ path: join(directory, 's') });
  peer.on('error', () => undefined);
  const [socket] = (await accepted) as [Socket];
  onTestFinished(() => {
    for (const each of [peer, socket]) each.destroy();
    server.close();
    rmSync(directory, { recursive: true });
  });
  const heard: number[] = [];
  let isClosed = false;
  const ours = new FrameSocket(socket, {
    hear: ({ channel }) => heard.push(channel),
    failed: () => undefined,
    closed: () => (isClosed = true),
  });
  return { ours, peer, heard, closed: () => isClosed };
}

test('a peer that does not read its answers is not read from until it does', async () => {
  const { ours, peer, heard } = await pair();
  peer.pause();
  peer.write(encodeWireFrame(frame(1, piece)));
  await expect.poll(() => heard).toEqual([1]);
  // More than the kernel buffers and the allowed backlog together.
  for (let sent = 0; sent < 2 * serveLimits.unsent; sent += piece.length) ours.send(frame(9, piece));
  await new Promise((resolve) => peer.write(encodeWireFrame(frame(2, Buffer.from('stop'))), resolve));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  expect(heard).toEqual([1]);
  peer.resume();
  await expect.poll(() => heard).toEqual([1, 2]);
});

test('a sender in turn waits for the peer to take earlier frames, and not for a peer that is gone', async () => {
  const { ours, peer, closed } = await pair();
  peer.pause();
  let sent = 0;
  const pieces = Array.from({ length: 200 }, () =>
    ours.sendInTurn({ type: 'stdout', channel: 1, payload: piece }).then((how) => (how === 'sent' ? (sent += 1) : 0)),
  );
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
  // A Unix socket buffers a few hundred KiB. 12 MiB are 200 pieces.
  expect(sent).toBeLessThan(40);
  peer.destroy();
  await Promise.all(pieces);
  expect(sent).toBeLessThan(200);
  expect(closed()).toBe(true);
  expect(await ours.sendInTurn({ type: 'stdout', channel: 1, payload: piece })).toBe('lost');
});
