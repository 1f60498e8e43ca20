import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import type { Dialled, Refused, Vetted } from '../../types.ts';

export interface LoopbackServer {
  readonly port: number;
  /** Every accepted connection, including ended ones. */
  readonly accepted: Socket[];
}

/** A server on loopback that ends with the test. */
export async function serve(
  onSocket: (socket: Socket) => void = () => undefined,
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<LoopbackServer> {
  const accepted: Socket[] = [];
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of accepted) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, accepted };
}

/** A port without a listener. */
export async function closedPort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A port with a full queue of connections, so that a further one gets no answer. A firewall that drops packets looks
 * the same.
 */
export async function blackHole(host = '127.0.0.1', port = 0): Promise<number> {
  const code = `const { createServer } = require('node:net'); const { parentPort } = require('node:worker_threads');
    const server = createServer().listen({ port: ${port}, host: '${host}', backlog: 1 }, () => { parentPort.postMessage(server.address().port); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });`;
  const worker = new Worker(code, { eval: true });
  const [taken] = (await once(worker, 'message')) as [number];
  const fillers = Array.from({ length: 4 }, () => connect(taken, host).on('error', () => undefined));
  onTestFinished(async () => {
    for (const filler of fillers) filler.destroy();
    await worker.terminate();
  });
  await Promise.race(fillers.slice(0, 2).map((filler) => once(filler, 'connect')));
  await new Promise((resolve) => setTimeout(resolve, 50));
  return taken;
}

export function vettedOf(port: number, ...addresses: readonly string[]): Vetted {
  return { kind: 'vetted', destination: { host: 'service.test', port }, addresses };
}

/** The socket of a dial that has to succeed. It ends with the test. */
export function socketOf(outcome: Dialled | Refused): Socket {
  if (outcome.kind === 'refused') throw new Error(`${outcome.refusal.code}: ${outcome.refusal.message}`);
  onTestFinished(() => void outcome.socket.destroy());
  return outcome.socket;
}

export function codeOf(outcome: Dialled | Refused): string {
  return outcome.kind === 'refused' ? outcome.refusal.code : 'dialled';
}

/** All bytes of a socket until it ends. */
export async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  if (!socket.readableEnded) await once(socket, 'end');
  return Buffer.concat(chunks).toString();
}
