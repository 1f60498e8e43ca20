import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { type LoopbackServer, serve } from './loopback.ts';

export interface TestProxy extends LoopbackServer {
  /** The heads or the bytes of the requests, in order. */
  readonly asked: string[];
}

/** An HTTP proxy that connects to 127.0.0.1 for every host, and records the host. */
export async function httpProxy(reply?: (head: string, socket: Socket) => void): Promise<TestProxy> {
  const asked: string[] = [];
  const server = await serve((socket) => {
    let head = '';
    const hear = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', hear).pause();
      asked.push(head);
      if (reply === undefined)
        joinTo(
          socket,
          Number(/:(\d+) HTTP/.exec(head)?.[1]),
          'HTTP/1.1 200 Connection established\r\nProxy-Agent: test\r\n\r\n',
        );
      else reply(head, socket);
    };
    socket.on('data', hear);
  });
  return { ...server, asked };
}

/**
 * Answers only after the other side has sent bytes or 20 ms have passed, so that its first bytes come with the answer.
 */
function joinTo(socket: Socket, port: number, answer: string | Buffer): void {
  const other = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true }).on('error', () =>
    socket.destroy(),
  );
  const early: Buffer[] = [];
  const hear = (chunk: Buffer): number => early.push(chunk);
  other.on('data', hear);
  other.once('connect', () => {
    setTimeout(() => {
      other.off('data', hear).pause();
      socket.write(Buffer.concat([Buffer.from(answer), ...early]));
      if (other.readableEnded) socket.end();
      else other.pipe(socket);
      socket.pipe(other);
    }, 20);
  });
  socket.on('close', () => other.destroy());
}

/** A SOCKS5 proxy of the same kind. */
export async function socksProxy(
  options: { readonly user?: string; readonly password?: string; readonly reply?: number } = {},
): Promise<TestProxy> {
  const asked: string[] = [];
  const server = await serve((socket) => void speakSocks(socket, asked, options).catch(() => socket.destroy()));
  return { ...server, asked };
}

async function speakSocks(
  socket: Socket,
  asked: string[],
  { user, password, reply = 0 }: { readonly user?: string; readonly password?: string; readonly reply?: number },
): Promise<void> {
  const [, ...methods] = [...(await message(socket))].slice(1);
  const method = user === undefined ? 0 : 2;
  socket.write(Buffer.from([5, methods.includes(method) ? method : 0xff]));
  if (!methods.includes(method)) return void socket.end();
  if (method === 2) {
    const login = await message(socket);
    const at = 2 + (login[1] ?? 0);
    const matches = login.toString('utf8', 2, at) === user && login.toString('utf8', at + 1) === password;
    socket.write(Buffer.from([1, matches ? 0 : 1]));
    if (!matches) return void socket.end();
  }
  const request = await message(socket);
  asked.push(request.toString('hex'));
  const answer = Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]);
  if (reply === 0) joinTo(socket, request.readUInt16BE(request.length - 2), answer);
  else socket.end(answer);
}

async function message(socket: Socket): Promise<Buffer> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk;
}
