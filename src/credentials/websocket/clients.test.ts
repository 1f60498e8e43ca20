import { once } from 'node:events';
import type { Server } from 'node:http';
import { describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Interceptor } from '../../egress/http/interceptor.ts';
import { withoutField } from '../../egress/http/message.ts';
import { type Front, startFront } from '../../egress/http/testing/front.ts';
import { httpsUpstream, type Upstream } from '../../egress/http/testing/servers.ts';
import { secret, testWatch, type TestWatch } from './testing/watched.ts';
import { watchWebSocket } from './watch-websocket.ts';

interface World extends AsyncDisposable {
  readonly client: WebSocket;
  /** The server's end of it. */
  readonly server: WebSocket;
  readonly watch: TestWatch;
  readonly front: Front;
}

/** The `ws` package on both sides, with HTTP/1.1 over TLS and what a session looks with between them. */
async function world(): Promise<World> {
  const watch = testWatch();
  const accepted = Promise.withResolvers<WebSocket>();
  const upstream: Upstream = await httpsUpstream(
    () => undefined,
    (server: Server) =>
      new WebSocketServer({ server, perMessageDeflate: true }).on('connection', (socket) => accepted.resolve(socket)),
  );
  const interceptor: Interceptor = (send) => async (request) => {
    const answer = await send({ ...request, fields: withoutField(request.fields, 'sec-websocket-extensions') });
    return answer.kind === 'response' && answer.tunnel !== undefined
      ? { ...answer, tunnel: watchWebSocket(answer.tunnel, watch) }
      : answer;
  };
  const front = await startFront({ upstreamPort: upstream.port, interceptors: [interceptor] });
  const client = new WebSocket(`wss://127.0.0.1:${front.port}/socket`, {
    rejectUnauthorized: false,
    headers: { Host: `api.test:${front.port}` },
  });
  client.on('error', () => undefined);
  await once(client, 'open');
  const server = await accepted.promise;
  server.on('error', () => undefined);
  return {
    client,
    server,
    watch,
    front,
    async [Symbol.asyncDispose]() {
      client.terminate();
      await front[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

async function message(socket: WebSocket): Promise<string> {
  return String(((await once(socket, 'message')) as [Buffer])[0]);
}

async function closing(socket: WebSocket): Promise<readonly [number, string]> {
  const [status, reason] = (await once(socket, 'close')) as [number, Buffer];
  return [status, String(reason)];
}

describe('a WebSocket of the ws package', () => {
  test('carries texts and binary messages both ways, small, empty and large, without compression', async () => {
    await using all = await world();
    const { client, server } = all;
    expect(client.extensions).toBe('');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      for (const text of ['', 'hello', 'é – 字', 'x'.repeat(70_000), 'y'.repeat(3 << 20)]) {
        const heard = once(to, 'message') as Promise<[Buffer, boolean]>;
        from.send(text);
        const [data, isBinary] = await heard;
        expect([String(data) === text, isBinary]).toEqual([true, false]);
      }
      const heard = once(to, 'message') as Promise<[Buffer, boolean]>;
      from.send(Buffer.from([0, 255, 1]), { binary: true });
      expect(await heard).toEqual([Buffer.from([0, 255, 1]), true]);
    }
  });

  test('carries many messages at once in their order', async () => {
    await using all = await world();
    const { client, server } = all;
    const received: string[] = [];
    server.on('message', (data) => received.push(String(data)));
    for (let index = 0; index < 2000; index += 1) client.send(`message ${index}`);
    while (received.length < 2000) await once(server, 'message');
    expect(received).toEqual(Array.from({ length: 2000 }, (_, index) => `message ${index}`));
  });

  test('carries pings, pongs, and a close with its status and reason', async () => {
    await using all = await world();
    const { client, server, front } = all;
    const pinged = once(server, 'ping');
    const ponged = once(client, 'pong');
    client.ping('are you there');
    expect([String((await pinged)[0]), String((await ponged)[0])]).toEqual(['are you there', 'are you there']);
    const both = Promise.all([closing(client), closing(server)]);
    client.close(4001, 'done');
    expect(await both).toEqual([
      [4001, 'done'],
      [4001, 'done'],
    ]);
    await expect.poll(front.open).toBe(0);
  });

  test('ends for the client when the server breaks off, and for the server when the client does', async () => {
    {
      await using all = await world();
      const closed = closing(all.client);
      all.server.terminate();
      expect((await closed)[0]).toBe(1006);
    }
    await using all = await world();
    const closed = closing(all.server);
    all.client.terminate();
    expect((await closed)[0]).toBe(1006);
  });

  test.each([
    ['in a text', (client: WebSocket, hidden: string) => client.send(`my key is ${hidden}, use it`)],
    [
      'in a binary message',
      (client: WebSocket, hidden: string) =>
        client.send(Buffer.from(`\0\x01${hidden}\xff`, 'latin1'), { binary: true }),
    ],
    [
      'in base64',
      (client: WebSocket, hidden: string) =>
        client.send(JSON.stringify({ data: Buffer.from(`x${hidden}y`).toString('base64') })),
    ],
    [
      'across fragments',
      (client: WebSocket, hidden: string) => {
        client.send(hidden.slice(0, 10), { fin: false });
        client.send(hidden.slice(10, 20), { fin: false });
        client.send(hidden.slice(20), { fin: true });
      },
    ],
    [
      'across fragments with a ping between',
      (client: WebSocket, hidden: string) => {
        client.send(hidden.slice(0, 12), { fin: false });
        client.ping();
        client.send(hidden.slice(12), { fin: true });
      },
    ],
    [
      'deep in a large message',
      (client: WebSocket, hidden: string) => client.send(`${'a'.repeat(500_000)}${hidden}${'b'.repeat(500_000)}`),
    ],
    ['in a ping', (client: WebSocket, hidden: string) => client.ping(hidden)],
    ['in the reason of a close', (client: WebSocket, hidden: string) => client.close(4000, hidden)],
  ])('with a phantom %s ends with 1008 on both sides, and the server hears nothing of it', async (_, say) => {
    await using all = await world();
    const { client, server, watch } = all;
    const heard: string[] = [];
    server.on('message', (data) => heard.push(String(data)));
    server.on('ping', (data) => heard.push(String(data)));
    const both = Promise.all([closing(client), closing(server)]);
    client.send('before');
    say(client, watch.phantom);
    client.send('after');
    const reason = 'A message held a credential that must not leave the box.';
    const [atClient, atServer] = await both;
    expect([atServer, atClient]).toEqual([
      [1008, reason],
      [1008, reason],
    ]);
    expect(heard.filter((text) => text !== '')).toEqual(['before']);
    expect(watch.hits).toEqual([{ kind: 'phantom', owner: { credential: 'main', role: 'secret', state: 'good' } }]);
  });

  test('with a real secret on its way out ends as well', async () => {
    await using all = await world();
    const closed = closing(all.server);
    all.client.send(secret);
    expect((await closed)[0]).toBe(1008);
    expect(all.watch.hits).toEqual([{ kind: 'secret', credential: 'main' }]);
  });

  test.each([
    ['in a text', (server: WebSocket) => server.send(`it is ${secret}!`), `it is ${'*'.repeat(secret.length)}!`],
    [
      'as JSON and base64',
      (server: WebSocket) => server.send(Buffer.from(secret).toString('base64')),
      /^\*{40,}[\w+/=]{0,4}$/u,
    ],
    [
      'across fragments',
      (server: WebSocket) => {
        server.send(`a ${secret.slice(0, 7)}`, { fin: false });
        server.send(secret.slice(7, 20), { fin: false });
        server.send(`${secret.slice(20)} b`, { fin: true });
      },
      `a ${'*'.repeat(secret.length)} b`,
    ],
    [
      'deep in a large message',
      (server: WebSocket) => server.send(`${'a'.repeat(200_001)}${secret}${'b'.repeat(200_001)}`),
      `${'a'.repeat(200_001)}${'*'.repeat(secret.length)}${'b'.repeat(200_001)}`,
    ],
  ] as const)('with a secret coming in %s shows none of it', async (_, say, shown) => {
    await using all = await world();
    const heard = message(all.client);
    say(all.server);
    const text = await heard;
    if (typeof shown === 'string') expect(text).toBe(shown);
    else expect(text).toMatch(shown);
    expect(all.watch.masked).toEqual(['main']);
    expect(all.watch.hits).toEqual([]);
  });

  test('with a secret in a ping or the reason of a close of the server shows none of it', async () => {
    await using all = await world();
    const { client, server } = all;
    const pinged = once(client, 'ping');
    server.ping(secret);
    expect(String((await pinged)[0])).toBe('*'.repeat(secret.length));
    const closed = closing(client);
    server.close(4000, `no ${secret}`);
    expect(await closed).toEqual([4000, `no ${'*'.repeat(secret.length)}`]);
  });

  test('that ends with the start of a secret is not delayed', async () => {
    await using all = await world();
    const [toClient, toServer] = [message(all.client), message(all.server)];
    all.server.send(`x ${secret.slice(0, 12)}`);
    all.client.send(`y ${all.watch.phantom.slice(0, 12)}`);
    expect([await toClient, await toServer]).toEqual([
      `x ${secret.slice(0, 12)}`,
      `y ${all.watch.phantom.slice(0, 12)}`,
    ]);
  });

  test('keeps the end of a secret and of a phantom that are spread over messages', async () => {
    await using all = await world();
    const { client, server, watch } = all;
    const received: string[] = [];
    client.on('message', (data) => received.push(String(data)));
    server.send(secret.slice(0, 12));
    server.send(secret.slice(12));
    while (received.length < 2) await once(client, 'message');
    expect(received).toEqual([secret.slice(0, 12), '*'.repeat(secret.length - 12)]);
    const closed = closing(server);
    client.send(watch.phantom.slice(0, 20));
    client.send(watch.phantom.slice(20));
    expect((await closed)[0]).toBe(1008);
  });
});
