import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
}

/** The answer to the n-th request, 0 for the first. 200 by default. */
export type Answering = (index: number, response: ServerResponse) => void;

export interface ReceiverOptions {
  readonly answer?: Answering;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A collector on loopback that ends with the test. */
export async function startReceiver({
  answer = (_index, response) => void response.end('{}'),
  tls,
}: ReceiverOptions = {}): Promise<Receiver> {
  const received: Received[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      answer(received.length - 1, response);
    });
  };
  const server: Server = tls === undefined ? createServer(handle) : createSecureServer(tls, handle);
  server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
  };
}
