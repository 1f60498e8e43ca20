import { once } from 'node:events';
import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Stream,
  type IncomingHttpHeaders,
} from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Socket } from 'node:net';
import { certificate } from './certificate.ts';

export interface Upstream extends AsyncDisposable {
  readonly port: number;
}

/** A server over TLS that answers HTTP/1.1. */
export function httpsUpstream(
  listener: RequestListener,
  prepare: (server: Server) => void = () => undefined,
): Promise<Upstream> {
  const server = createHttps(certificate(), listener);
  prepare(server);
  return listening(server, () => server.closeAllConnections());
}

/** A server in the clear. */
export function httpUpstream(
  listener: RequestListener,
  prepare: (server: Server) => void = () => undefined,
): Promise<Upstream> {
  const server = createHttp(listener);
  prepare(server);
  return listening(server, () => server.closeAllConnections());
}

/** A server that sends a test's bytes, valid or not. */
export function rawUpstream(onConnection: (socket: Socket) => void): Promise<Upstream> {
  const sockets = new Set<Socket>();
  const server = createTcp((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  return listening(server, () => sockets.forEach((socket) => socket.destroy()));
}

/** A server that answers HTTP/2 only. */
export function http2Upstream(
  onStream: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
  prepare: (server: Http2SecureServer) => void = () => undefined,
): Promise<Upstream> {
  const server = createSecureServer({
    ...certificate(),
    settings: { enableConnectProtocol: true, initialWindowSize: 4 * 1024 * 1024 },
  });
  const sockets = new Set<Socket>();
  server.on('secureConnection', (socket: Socket) => sockets.add(socket));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    onStream(stream, headers);
  });
  server.on('sessionError', () => undefined);
  prepare(server);
  return listening(server, () => sockets.forEach((socket) => socket.destroy()));
}

interface Listening {
  listen(port: number, host: string): unknown;
  address(): AddressInfo | string | null;
  close(): unknown;
}

async function listening(server: Listening & NodeJS.EventEmitter, closeAll: () => void): Promise<Upstream> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      closeAll();
      await closed;
    },
  };
}
