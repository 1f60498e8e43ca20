import { createServer, type AddressInfo, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A server on loopback that ends with the test. */
export async function listen(onSocket: (socket: Socket) => void, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    onSocket(socket);
  });
  server.listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Both ends of one TCP connection. */
export async function connectedPair(): Promise<{ readonly client: Socket; readonly server: Socket }> {
  const accepted = Promise.withResolvers<Socket>();
  const port = await listen(accepted.resolve);
  const client = await dial(port);
  return { client, server: await accepted.promise };
}

export async function dial(port: number, host = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host, noDelay: true });
  socket.on('error', () => undefined);
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  return socket;
}

/** A directory that ends with the test. */
export function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-tls-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function scratchFile(name: string, content: string | Uint8Array): string {
  const path = join(scratch(), name);
  writeFileSync(path, content);
  return path;
}
