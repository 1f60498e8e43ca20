import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { createSecureServer, createServer as createHttp2, type Http2ServerRequest } from 'node:http2';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { compose } from './compose.ts';
import { dialects } from './dialects.ts';
import { respond, type Response } from './respond.ts';
import type { Answer, Call, ModelServer, ModelServerOptions, ReceivedRequest } from './types.ts';
import { serveWebSocket } from './web-socket.ts';

type Request = IncomingMessage | Http2ServerRequest;

/** A server in the dialect of a model provider, with a script. */
export async function startModelServer({
  dialect,
  script,
  tls,
  at = { host: '127.0.0.1', port: 0 },
}: ModelServerOptions): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Map<number | undefined, Socket>();
  const left = typeof script === 'function' ? [] : [...script];
  const next = (): Answer | undefined => left.shift();
  const resetOf = (request: { readonly socket: { readonly remotePort?: number | undefined } }) => (): void =>
    void sockets.get(request.socket.remotePort)?.resetAndDestroy();
  const onRequest = async (request: Request, response: Response): Promise<void> => {
    const received = await receive(request);
    if (received === undefined) return;
    requests.push(received);
    const call = callOf(received);
    const answer = !isCall(dialect, call) ? undefined : typeof script === 'function' ? script(call) : next();
    await respond(response, compose(dialects[dialect], call, answer), {
      pacing: answer ?? {},
      reset: resetOf(request as IncomingMessage),
    });
  };
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => undefined);
    if (!/\/responses(?:\?|$)/u.test(request.url ?? ''))
      return void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    serveWebSocket(
      { request, socket, head },
      { received: (one) => void requests.push(one), next, reset: resetOf(request) },
    );
  };
  const server =
    tls === undefined
      ? clearServer(onRequest, onUpgrade)
      : createSecureServer({ ...tls, allowHTTP1: true }, (request, response) => void onRequest(request, response)).on(
          'upgrade',
          onUpgrade,
        );
  server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    sockets.set(
      remotePort,
      socket
        .setNoDelay()
        .on('error', () => undefined)
        .on('close', () => void sockets.delete(remotePort)),
    );
  });
  server.on('tlsClientError', () => undefined).on('sessionError', () => undefined);
  server.listen(at.port, at.host);
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets.values()) socket.destroy();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, requests, close, [Symbol.asyncDispose]: close };
}

/** Both versions of HTTP at one port: Bedrock's SDK speaks HTTP/2 without asking. Source: RFC 9113 §3.3. */
function clearServer(
  onRequest: (request: Request, response: Response) => Promise<void>,
  onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Server {
  const one = createHttp((request, response) => void onRequest(request, response)).on('upgrade', onUpgrade);
  const two = createHttp2((request, response) => void onRequest(request, response)).on('sessionError', () => undefined);
  return createTcp((socket) => {
    socket.once('data', (first: Buffer) => {
      socket.pause();
      (first.subarray(0, 3).toString('latin1') === 'PRI' ? two : one).emit('connection', socket);
      socket.unshift(first);
      socket.resume();
    });
  });
}

/** Undefined for a broken connection. */
async function receive(request: Request): Promise<ReceivedRequest | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return {
    transport: 'http',
    version: request.httpVersion,
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    body: Buffer.concat(chunks),
  };
}

/** Whether an answer of the script belongs to this request. */
function isCall(dialect: ModelServerOptions['dialect'], call: Call): boolean {
  return call.method === 'POST' && call.body !== undefined && dialects[dialect].endpoint(call) !== undefined;
}

function callOf({ method, path, headers, body }: ReceivedRequest): Call {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(decoded(String(headers['content-encoding'] ?? ''), body)),
    );
    return {
      method,
      path,
      body: typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined,
    };
  } catch {
    return { method, path, body: undefined };
  }
}

export function decoded(coding: string, body: Buffer): Buffer {
  if (coding === 'gzip') return gunzipSync(body);
  if (coding === 'br') return brotliDecompressSync(body);
  return coding === 'zstd' ? zstdDecompressSync(body) : body;
}
