import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { loginReader, type LoginReader } from '../protocol/walker.ts';
import {
  authenticationRequest,
  backend,
  backendKeyData,
  message,
  readyForQuery,
  zeroEnded,
} from '../protocol/types.ts';

/** A server with a test's behaviour. `script` runs for each connection, and an exception ends that connection. */
export async function fakeServer(script: (socket: Socket, reader: LoginReader) => Promise<void>): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const reader = loginReader(socket);
    void script(socket, reader).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** The messages of a server that asks for no password: up to `ReadyForQuery`. */
export const welcome: Buffer = Buffer.concat([
  authenticationRequest('ok'),
  message(backend.parameterStatus, zeroEnded('server_version'), zeroEnded('15.18')),
  backendKeyData(4711, Buffer.from([1, 2, 3, 4])),
  readyForQuery('I'),
]);

/** The answer to a query that returns one text. */
export function row(value: string): Buffer {
  const bytes = Buffer.from(value);
  const head = Buffer.alloc(6);
  head.writeInt16BE(1, 0);
  head.writeInt32BE(bytes.length, 2);
  return message(backend.dataRow, head, bytes);
}

export function completed(tag: string): Buffer {
  return Buffer.concat([message(backend.commandComplete, zeroEnded(tag)), readyForQuery('I')]);
}
