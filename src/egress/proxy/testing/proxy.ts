import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { EgressRefusal } from '../../types.ts';
import { createProxy, type ProxyServerOptions } from '../create-proxy.ts';
import { newProxySecret, type ProxiedConnection } from '../refusals.ts';

export interface TestProxy {
  readonly server: Server;
  readonly port: number;
  readonly secret: string;
  /** `holdfast:SECRET` in base64. */
  readonly basic: string;
  /** Every passed connection, in order. */
  readonly handed: readonly ProxiedConnection[];
  readonly refusals: readonly EgressRefusal[];
  close(): void;
}

/** The loopback port of a name, or a refusal. */
export type Names = Readonly<Record<string, number | EgressRefusal>>;

/** A proxy in front of a minimal pipeline: names from a table, bytes piped both ways. */
export async function startProxy(names: Names = {}, options: Partial<ProxyServerOptions> = {}): Promise<TestProxy> {
  const secret = newProxySecret();
  const handed: ProxiedConnection[] = [];
  const refusals: EgressRefusal[] = [];
  const sockets = new Set<Socket>();
  const carry = async (connection: ProxiedConnection): Promise<void> => {
    const target = names[connection.destination.host];
    if (typeof target === 'object') return connection.refuse(target);
    if (target === undefined)
      return connection.refuse({
        code: 'name-not-found',
        message: `${connection.destination.host} is not there`,
        remedy: 'name another',
      });
    const upstream = connect({ host: '127.0.0.1', port: target, allowHalfOpen: true, noDelay: true });
    sockets.add(upstream);
    await once(upstream, 'connect');
    connection.reached();
    upstream.on('error', () => connection.client.destroy()).on('close', () => connection.client.destroy());
    connection.client.on('close', () => upstream.destroy());
    connection.client.pipe(upstream).pipe(connection.client);
  };
  const noted =
    (next: ProxyServerOptions['open']) =>
    (connection: ProxiedConnection): Promise<void> => {
      handed.push(connection);
      return next(connection);
    };
  const { open = carry, intercept = carry } = options;
  const server = createProxy({
    secret,
    refused: (refusal) => void refusals.push(refusal),
    ...options,
    open: noted(open),
    intercept: noted(intercept),
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  const port = await listening(server);
  return {
    server,
    port,
    secret,
    basic: Buffer.from(`holdfast:${secret}`).toString('base64'),
    handed,
    refusals,
    close: () => closeAll(server, sockets),
  };
}

/** A server that returns its input in upper case, and ends when its client does. */
export async function startEcho(): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket
      .on('error', () => socket.destroy())
      .on('data', (bytes: Buffer) => socket.write(bytes.toString('latin1').toUpperCase(), 'latin1'))
      .on('end', () => socket.end());
  });
  return { port: await listening(server), close: () => closeAll(server, sockets) };
}

export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Sends chunks in turn and returns all received bytes until the other side closes. */
export async function talk(port: number, ...chunks: readonly (string | Uint8Array)[]): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  const answer: Buffer[] = [];
  socket
    .on('error', () => socket.destroy())
    .on('data', (bytes: Buffer) => answer.push(bytes))
    .on('end', () => socket.end());
  await once(socket, 'connect');
  for (const chunk of chunks) {
    if (socket.writable) socket.write(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  if (!socket.closed) await new Promise((resolve) => socket.on('close', resolve));
  return Buffer.concat(answer);
}

function closeAll(server: Server, sockets: ReadonlySet<Socket>): void {
  for (const socket of sockets) socket.destroy();
  server.close();
}
