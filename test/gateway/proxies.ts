import { once } from 'node:events';
import { createServer, type IncomingMessage, request as forward, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy's changes to the messages that it forwards. An absent part changes nothing. */
export interface Alteration {
  readonly status?: (status: number) => number;
  /** Names and values in turn. */
  readonly headers?: (raw: readonly string[]) => readonly string[];
  /** Changes each piece of the answer's body, or of a WebSocket's bytes from the server. */
  readonly piece?: (piece: Buffer) => Buffer;
  /** Changes the whole body of the request. */
  readonly request?: (body: Buffer) => Buffer;
  /** `gather`: forwards answers when they are complete. */
  readonly body?: 'gather';
}

export interface TestProxy extends AsyncDisposable {
  readonly port: number;
}

/**
 * Forwards HTTP/1.1 and WebSockets to a server in the clear, as a gateway at a base URL would. A break on one side
 * breaks the other.
 */
export async function startProxy(to: number, alteration: Alteration = {}): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void pass({ request, response }, to, alteration));
  server.on('connection', (socket: Socket) => void sockets.add(socket.setNoDelay().on('error', () => undefined)));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    tunnel({ request, socket, head }, to, alteration),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function pass(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  to: number,
  { status = same, headers = same, piece = same, request: alter = same, body }: Alteration,
): Promise<void> {
  const asked = await wholeBody(request);
  if (asked === undefined) return;
  const given = alter(asked);
  const sent = forward({
    host: '127.0.0.1',
    port: to,
    method: request.method,
    path: request.url,
    headers: withLength(request.rawHeaders, given.length),
    setDefaultHeaders: false,
    agent: false,
  });
  sent.on('error', () => response.destroy());
  sent.on('response', (answer) => {
    response.sendDate = false;
    response.writeHead(status(answer.statusCode ?? 0), [...headers(answer.rawHeaders)]);
    response.flushHeaders();
    answer.on('error', () => (request.socket as Socket).resetAndDestroy());
    const gathered: Buffer[] = [];
    answer.on(
      'data',
      (chunk: Buffer) => void (body === 'gather' ? gathered.push(piece(chunk)) : response.write(piece(chunk))),
    );
    answer.on('end', () => response.end(Buffer.concat(gathered)));
  });
  sent.end(given);
}

/** Undefined for a broken connection. */
async function wholeBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

/** The unchanged handshake, and bytes both ways. */
function tunnel(
  { request, socket, head }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
  to: number,
  { piece = same }: Alteration,
): void {
  const server = connect(to, '127.0.0.1');
  server.setNoDelay().on('error', () => (socket as Socket).resetAndDestroy());
  socket.on('error', () => server.destroy()).on('close', () => server.destroy());
  const fields = request.rawHeaders.map((word, index) => (index % 2 === 0 ? `${word}: ` : `${word}\r\n`)).join('');
  server.write(`${request.method} ${request.url} HTTP/1.1\r\n${fields}\r\n`);
  server.write(head);
  socket.pipe(server);
  server.on('data', (bytes: Buffer) => void socket.write(piece(bytes))).on('end', () => socket.end());
}

/** Unchanged fields, except for the length of an altered body. */
function withLength(raw: readonly string[], length: number): string[] {
  return raw.map((word, index) =>
    index % 2 === 1 && /^content-length$/iu.test(raw[index - 1] ?? '') ? String(length) : word,
  );
}

function same<Value>(value: Value): Value {
  return value;
}
