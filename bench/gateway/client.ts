import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';

/** One connection to the server, directly or through a proxy. */
export interface Client {
  /** Sends a request, and reads the answer to its end. */
  ask(asked: Asked): Promise<Answered>;
  close(): void;
}

export interface Asked {
  readonly body: Buffer;
  readonly events: number;
  /** Milliseconds between every ten events; 0: none. */
  readonly every: number;
}

/** Milliseconds from the sending of the request. */
export interface Answered {
  readonly first: number;
  readonly whole: number;
  /** Received pieces of text. Undefined if the end of the answer is missing. */
  readonly events: number | undefined;
}

/** The gateway sends held text at the end in one more event. */
export function isComplete({ events }: Answered, sent: number): boolean {
  return events === sent || events === sent + 1;
}

interface Leading {
  /** PEM. */
  readonly authority: string;
  readonly proxy?: { readonly port: number; readonly secret: string };
}

export function connectTo(port: number, { authority, proxy }: Leading): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agent.createConnection = (_options, callback) => {
    const done = callback ?? (() => undefined);
    const open = async (): Promise<Socket> => {
      const socket =
        proxy === undefined ? connect({ port, host: '127.0.0.1', noDelay: true }) : await tunnel(proxy, port);
      const tls = secure({ socket, servername: 'localhost', ca: authority, ALPNProtocols: ['http/1.1'] });
      await once(tls, 'secureConnect');
      return tls;
    };
    open().then(
      (socket) => done(null, socket),
      (error: unknown) => done(error as Error, undefined as never),
    );
    return undefined;
  };
  return { ask: (asked) => ask(port, agent, asked), close: () => agent.destroy() };
}

async function tunnel({ port, secret }: NonNullable<Leading['proxy']>, to: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.write(
    `CONNECT localhost:${to} HTTP/1.1\r\nHost: localhost:${to}\r\nProxy-Authorization: Basic ${Buffer.from(`holdfast:${secret}`).toString('base64')}\r\n\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString().startsWith('HTTP/1.1 200')) throw new Error(`the proxy said ${head.toString()}`);
  return socket;
}

async function ask(port: number, agent: Agent, { body, events, every }: Asked): Promise<Answered> {
  const start = performance.now();
  const asking = request({
    host: 'localhost',
    port,
    agent,
    method: 'POST',
    path: '/v1/messages',
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-events': String(events),
      'x-every': String(every),
      'anthropic-version': '2023-06-01',
    },
  });
  asking.end(body);
  const [answer] = (await once(asking, 'response')) as [NodeJS.ReadableStream & { readonly statusCode: number }];
  let first: number | undefined;
  const read: Buffer[] = [];
  for await (const bytes of answer) {
    first ??= performance.now() - start;
    read.push(bytes as Buffer);
  }
  const whole = performance.now() - start;
  const text = Buffer.concat(read).toString();
  if (answer.statusCode !== 200) throw new Error(`the server said ${answer.statusCode}: ${text}`);
  return {
    first: first ?? Number.NaN,
    whole,
    events: text.includes('event: message_stop\n') ? text.split('event: content_block_delta\n').length - 1 : undefined,
  };
}
