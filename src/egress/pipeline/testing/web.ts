import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { dial } from '../../dial/dial.ts';
import { createAuthority } from '../../tls/authority.ts';
import { identity } from '../../tls/testing/servers.ts';
import type { PipelineContext } from '../context.ts';

/** The authority of the tests' servers. */
export const upstreamAuthority = createAuthority();

export interface Web {
  readonly port: number;
  /** Method and path of each request. */
  readonly asked: string[];
  /** Open connections. */
  open(): number;
}

/** A web server with the certificate of `host`, which ends with the test. */
export async function web(protocol: 'h1' | 'h2', host = 'a.example'): Promise<Web> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const own = identity(upstreamAuthority, host);
  const server =
    protocol === 'h1'
      ? createHttpsServer(own, (request, response) => {
          asked.push(`${request.method} ${request.url}`);
          response.end('answer');
        })
      : createSecureServer(own).on('stream', (stream: ServerHttp2Stream, headers) => {
          asked.push(`${headers[':method']} ${headers[':path']}`);
          stream.respond({ ':status': 200 });
          stream.end('answer');
        });
  server
    .on('connection', (socket: Socket) => void sockets.add(socket.on('close', () => sockets.delete(socket))))
    .on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, asked, open: () => sockets.size };
}

/** Dials one port of this machine for every requested port, and records the requests. */
export function dialsTo(port: number): { readonly dial: PipelineContext['dial']; readonly dialled: string[] } {
  const dialled: string[] = [];
  return {
    dialled,
    dial: (vetted, options) => {
      dialled.push(`${vetted.destination.host}:${vetted.destination.port}`);
      return dial({ ...vetted, destination: { ...vetted.destination, port } }, options);
    },
  };
}
