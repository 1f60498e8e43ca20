import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createAuthority, type CertificateAuthority } from '../../../src/egress/tls/authority.ts';
import { leafMint } from '../../../src/egress/tls/leaf.ts';
import { toPem } from '../../../src/egress/tls/host-trust.ts';

export interface Listening {
  readonly port: number;
  /** Accepted connections, including ended ones. */
  readonly accepted: readonly Socket[];
}

/** Has any server listen on loopback until the test ends. */
export async function listening(
  server: Server,
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Listening> {
  const accepted: Socket[] = [];
  server.on('connection', (socket: Socket) => accepted.push(socket.on('error', () => undefined)));
  server.on('tlsClientError', () => undefined);
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of accepted) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, accepted };
}

/** Answers with `METHOD HOST PATH`, and the request's content below. */
export const tellRequest = (
  request: Http2ServerRequest | Parameters<RequestListener>[0],
  response: Http2ServerResponse | Parameters<RequestListener>[1],
): void => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const host = request.headers.host ?? request.headers[':authority'];
    response.setHeader('content-type', 'text/plain');
    response.end(
      `${request.method} ${String(host).replace(/:\d+$/u, '')} ${request.url}\n${Buffer.concat(chunks).toString()}`,
    );
  });
};

export function webServer(handler: RequestListener = tellRequest): Promise<Listening> {
  return listening(createServer(handler));
}

/** HTTP/2 and HTTP/1.1 over TLS, as the client chooses. */
export function secureServer(
  identity: Identity,
  handler: (request: Http2ServerRequest, response: Http2ServerResponse) => void = tellRequest,
): Promise<Listening> {
  return listening(createSecureServer({ ...identity, allowHTTP1: true }, handler));
}

/** Takes any bytes. `onSocket` gets sockets that stay half-open. */
export function tcpServer(
  onSocket: (socket: Socket) => void,
  options: { readonly host?: string; readonly port?: number } = {},
): Promise<Listening> {
  return listening(createTcpServer({ allowHalfOpen: true, noDelay: true }, onSocket), options);
}

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** An authority that no machine trusts by default. */
export function newAuthority(): CertificateAuthority {
  return createAuthority();
}

/** A certificate for `host`, made at a given time. */
export function identityFor(authority: CertificateAuthority, host: string, now = Date.now()): Identity {
  const mint = leafMint(authority, () => now);
  return { key: mint.privateKeyPem, cert: toPem(mint.certificateFor(host)) };
}
