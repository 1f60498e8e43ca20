import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

export interface TinyAnswer {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent one by one. */
  readonly chunks: readonly (string | Uint8Array)[];
}

export interface TinyServer extends AsyncDisposable {
  readonly url: string;
  /** Bodies of the received requests, parsed. */
  readonly requests: unknown[];
}

/** Answers every request in the same way. `h2` is the protocol of AWS' SDK: HTTP/2 without TLS. */
export async function startTinyServer(answer: TinyAnswer, protocol: 'http' | 'h2' = 'http'): Promise<TinyServer> {
  const requests: unknown[] = [];
  const server = protocol === 'h2' ? createHttp2Server() : createServer();
  server.on('request', async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    requests.push(JSON.parse(Buffer.concat(parts).toString() || 'null'));
    response.writeHead(answer.status ?? 200, answer.headers);
    Readable.from(answer.chunks.map((chunk) => Buffer.from(chunk))).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
