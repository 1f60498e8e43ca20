import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startFront } from './testing/front.ts';
import { rawExchange } from './testing/raw-client.ts';
import { httpsUpstream, httpUpstream, http2Upstream, rawUpstream } from './testing/servers.ts';

function echo(server: Server): void {
  const sockets = new WebSocketServer({ server, perMessageDeflate: true, handleProtocols: () => 'chat' });
  sockets.on('connection', (socket) => {
    socket.send('welcome');
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
}

function open(port: number, scheme: 'ws' | 'wss' = 'wss', path = '/socket?x=1'): WebSocket {
  return new WebSocket(`${scheme}://127.0.0.1:${port}${path}`, ['chat'], {
    rejectUnauthorized: false,
    headers: { Host: `api.test:${port}` },
  });
}

describe('a WebSocket over HTTP/1.1', () => {
  test.each(['wss', 'ws'] as const)('%s carries messages both ways, compressed, large and at once', async (scheme) => {
    const start = scheme === 'ws' ? httpUpstream : httpsUpstream;
    await using upstream = await start(() => undefined, echo);
    await using front = await startFront({ scheme: scheme === 'ws' ? 'http' : 'https', upstreamPort: upstream.port });
    const socket = open(front.port, scheme);
    const received: string[] = [];
    socket.on('message', (data) => received.push(String(data)));
    await once(socket, 'open');
    expect([socket.protocol, socket.extensions]).toEqual(['chat', 'permessage-deflate']);
    socket.send('hello');
    socket.send('x'.repeat(1 << 20));
    while (received.length < 3) await once(socket, 'message');
    expect(received.map((message) => message.slice(0, 8))).toEqual(['welcome', 'hello', 'xxxxxxxx']);
    socket.close(4000, 'done');
    const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
    expect([code, String(reason)]).toEqual([4000, 'done']);
    expect(front.records).toMatchObject([{ status: 101, request: { method: 'GET', scheme, path: '/socket' } }]);
  });

  test('ends on both sides when either breaks', async () => {
    const ended: string[] = [];
    await using upstream = await httpsUpstream(
      () => undefined,
      (server) =>
        new WebSocketServer({ server }).on('connection', (socket) => socket.on('close', () => ended.push('upstream'))),
    );
    await using front = await startFront({ upstreamPort: upstream.port });
    const socket = open(front.port);
    await once(socket, 'open');
    socket.terminate();
    await expect.poll(() => [front.open(), ended]).toEqual([0, ['upstream']]);
  });

  test('is refused with 403 and the reason where no rule allows it', async () => {
    await using upstream = await httpsUpstream(() => undefined, echo);
    await using front = await startFront({
      upstreamPort: upstream.port,
      decide: ({ scheme }) => (scheme === 'wss' ? 'deny' : 'allow'),
    });
    const socket = open(front.port);
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect([response.statusCode, response.headers['holdfast-refusal']]).toEqual([403, 'test-rule']);
    expect(front.opened()).toBe(0);
    socket.terminate();
  });

  test('gets the answer of a destination that refuses to switch', async () => {
    await using upstream = await httpsUpstream(
      () => undefined,
      (server) =>
        server.on('upgrade', (_, socket) =>
          socket.end('HTTP/1.1 426 Upgrade Required\r\nSec-WebSocket-Version: 99\r\nContent-Length: 7\r\n\r\ntoo old'),
        ),
    );
    await using front = await startFront({ upstreamPort: upstream.port });
    const socket = open(front.port);
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect([
      response.statusCode,
      response.headers['sec-websocket-version'],
      String((await response.toArray())[0]),
    ]).toEqual([426, '99', 'too old']);
    socket.terminate();
  });

  const key = 'dGhlIHNhbXBsZSBub25jZQ==';
  const handshake = `GET / HTTP/1.1\r\nHost: api.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`;

  test.each([
    ['no accept', 'Upgrade: websocket\r\n'],
    [
      'the accept of another key',
      `Upgrade: websocket\r\nSec-WebSocket-Accept: ${createHash('sha1').update('x').digest('base64')}\r\n`,
    ],
    ['another protocol', 'Upgrade: h2c\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n'],
  ])('is not accepted with %s: a status of 101 alone opens no raw connection', async (_, lines) => {
    await using upstream = await rawUpstream((socket) =>
      socket.on('data', () => socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n${lines}\r\n`)),
    );
    await using front = await startFront({ scheme: 'http', upstreamPort: upstream.port });
    expect((await rawExchange(front.port, handshake)).text).toMatch(/^HTTP\/1\.1 502 /);
  });

  test('passes on early bytes of either side', async () => {
    await using upstream = await rawUpstream((socket) =>
      socket.once('data', () => {
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\nearly ',
        );
        socket.pipe(socket);
      }),
    );
    await using front = await startFront({ scheme: 'http', upstreamPort: upstream.port });
    expect((await rawExchange(front.port, `${handshake}too early`, /too early$/)).text).toMatch(
      /Upgrade: websocket\r\n\r\nearly too early$/,
    );
  });
});

describe('a WebSocket over HTTP/2', () => {
  test('is carried if the destination supports it', async () => {
    await using upstream = await http2Upstream((stream, headers) => {
      expect([headers[':protocol'], headers['sec-websocket-protocol'], headers[':path']]).toEqual([
        'websocket',
        'chat',
        '/socket',
      ]);
      stream.respond({ ':status': 200, 'sec-websocket-protocol': 'chat' });
      stream.pipe(stream);
    });
    await using front = await startFront({ alpn: 'h2', upstreamPort: upstream.port });
    const session = connectHttp2(`https://api.test:${front.port}`, {
      createConnection: () =>
        connectTls({
          port: front.port,
          host: '127.0.0.1',
          servername: 'api.test',
          rejectUnauthorized: false,
          ALPNProtocols: ['h2'],
        }),
    });
    while (session.remoteSettings?.enableConnectProtocol !== true) await once(session, 'remoteSettings');
    const stream = session.request({
      ':method': 'CONNECT',
      ':protocol': 'websocket',
      ':scheme': 'https',
      ':path': '/socket',
      ':authority': `api.test:${front.port}`,
      'sec-websocket-protocol': 'chat',
      'sec-websocket-version': '13',
    });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect([headers[':status'], headers['sec-websocket-protocol']]).toEqual([200, 'chat']);
    stream.write('frame');
    expect(String((await once(stream, 'data'))[0])).toBe('frame');
    stream.end();
    await once(stream, 'close');
    expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
    expect(front.records).toMatchObject([{ status: 200, request: { method: 'GET', scheme: 'wss', path: '/socket' } }]);
    session.destroy();
  });

  test('is not offered if the destination does not', async () => {
    await using upstream = await http2Upstream(
      (stream) => stream.respond({ ':status': 200 }, { endStream: true }),
      (server) => server.updateSettings({ enableConnectProtocol: false }),
    );
    await using front = await startFront({ alpn: 'h2', upstreamPort: upstream.port });
    const session = connectHttp2(`https://api.test:${front.port}`, {
      createConnection: () =>
        connectTls({
          port: front.port,
          host: '127.0.0.1',
          servername: 'api.test',
          rejectUnauthorized: false,
          ALPNProtocols: ['h2'],
        }),
    });
    const stream = session.request({ ':path': '/', ':authority': 'api.test' });
    await once(stream, 'response');
    expect(session.remoteSettings?.enableConnectProtocol).toBe(false);
    session.destroy();
  });
});
