import type { ServerHttp2Stream } from 'node:http2';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { realpathSync } from 'node:fs';
import grpc from '@grpc/grpc-js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { has, repository } from '../lib/holdfast.ts';
import { publicFile } from './lib/public-file.ts';
import {
  identityFor,
  listening,
  newAuthority,
  secureServer,
  tcpServer,
  tellRequest,
  type Identity,
} from './lib/servers.ts';
import { remark } from './lib/web-clients.ts';
import { World } from './lib/world.ts';

const name = 'service.example';
const packages = realpathSync(join(repository, 'node_modules'));
const ways = ['splice', 'interception'] as const;
type Way = (typeof ways)[number];

interface Served {
  readonly identity: Identity;
  /** PEM file of the authority behind it. */
  readonly authority: string;
}

function served(): Served {
  const authority = newAuthority();
  return { identity: identityFor(authority, name), authority: publicFile('ca.pem', authority.certificatePem) };
}

/** With interception, the box trusts the session. With a splice, the client needs an authority. */
function worldFor(way: Way, port: number, authority: string): World {
  const rule = `[network]\nhosts = ["127.0.0.1:${port}"]\nca = ["${authority}"]\n[[http]]\nname = "all"\ndecision = "allow"\nhosts = ["${name}"]\n`;
  const grant = `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]\n[environment.set]\nNODE_EXTRA_CA_CERTS = "${authority}"\nCURL_CA_BUNDLE = "${authority}"\n`;
  return new World({ names: [name], read: [authority], policy: way === 'interception' ? rule : grant });
}

describe.each(ways)('through %s', (way) => {
  test('curl --http2', async () => {
    const { identity, authority } = served();
    const { port } = await secureServer(identity);
    const outcome = await worldFor(way, port, authority).run([
      'curl',
      '-sS',
      '--http2',
      '-w',
      '%{http_version}',
      '-d',
      'body',
      `https://${name}:${port}/two`,
    ]);
    expect(outcome).toMatchObject({ status: 0, stdout: `POST ${name} /two\nbody2` });
  });

  test('node:http2 with trailers and two streams at once', async () => {
    const { identity, authority } = served();
    const server = createSecureServer(identity).on('stream', (stream: ServerHttp2Stream, headers) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': String(headers[':path']).length }));
      stream.end(String(headers[':path']));
    });
    const { port } = await listening(server);
    const world = worldFor(way, port, authority);
    world.write(
      'two.mjs',
      `
      import { connect } from 'node:http2';
      const session = connect('https://${name}:${port}');
      const get = (path) => new Promise((resolve, reject) => {
        let body = '', sum;
        session.request({ ':path': path }).setEncoding('utf8').on('data', (text) => (body += text)).on('trailers', (trailers) => (sum = trailers['x-sum'])).on('end', () => resolve(body + ' ' + sum)).on('error', reject);
      });
      console.log((await Promise.all([get('/one'), get('/three')])).join());
      session.close();`,
    );
    expect(await world.run(['node', 'two.mjs'])).toMatchObject({ status: 0, stdout: '/one 4,/three 6\n' });
  });

  test('gRPC with @grpc/grpc-js: unary, and a stream both ways', async () => {
    const { identity, authority } = served();
    const port = await grpcServer(identity);
    const world = worldFor(way, port, authority);
    world.write('node_modules/.keep', '');
    world.write('call.cjs', grpcClient(port, way === 'splice' ? authority : undefined));
    expect(await world.run(['node', 'call.cjs'])).toMatchObject({ status: 0, stdout: 'unary:hello\nstream:a,b,c\n' });
  });

  test('a WebSocket, text and binary, until its close code', async () => {
    const { identity, authority } = served();
    const web = createHttpsServer(identity);
    const sockets = new WebSocketServer({ server: web });
    sockets.on('connection', (socket) =>
      socket.on('message', (data, isBinary) =>
        isBinary ? socket.close(4000, 'done') : socket.send(`echo ${String(data)}`),
      ),
    );
    const { port } = await listening(web);
    const world = worldFor(way, port, authority);
    world.write(
      'socket.cjs',
      `
      const { WebSocket } = require('${packages}/ws');
      const socket = new WebSocket('wss://${name}:${port}/chat');
      socket.on('open', () => socket.send('hi')).on('message', (data) => { console.log(String(data)); socket.send(Buffer.from([1])); });
      socket.on('close', (code, reason) => console.log(code, String(reason))).on('error', (error) => console.log(error.message));`,
    );
    expect(await world.run(['node', 'socket.cjs'])).toMatchObject({ status: 0, stdout: 'echo hi\n4000 done\n' });
  });

  test('a stream of events arrives event by event', async () => {
    const { identity, authority } = served();
    const { port } = await secureServer(identity, (request, response) => {
      response.setHeader('content-type', 'text/event-stream');
      let count = 0;
      const timer = setInterval(
        () => (count === 5 ? response.end() : response.write(`data: ${String(count++)}\n\n`)),
        60,
      );
      request.on('close', () => clearInterval(timer));
    });
    const world = worldFor(way, port, authority);
    world.write(
      'events.mjs',
      `
      const answer = await fetch('https://${name}:${port}/events');
      let chunks = 0;
      for await (const chunk of answer.body) chunks += 1;
      console.log(chunks);`,
    );
    expect(await world.run(['node', 'events.mjs'])).toMatchObject({ status: 0, stdout: '5\n' });
  });

  test('a keep-alive agent: many requests on one connection', async () => {
    const { identity, authority } = served();
    const web = createHttpsServer(identity, tellRequest);
    const { port, accepted } = await listening(web);
    const urls = Array.from({ length: 5 }, (_, index) => `https://${name}:${port}/${index}`);
    const outcome = await worldFor(way, port, authority).run(['curl', '-sS', ...urls]);
    expect(outcome).toMatchObject({ status: 0, stdout: urls.map((_, index) => `GET ${name} /${index}\n`).join('') });
    expect(accepted.length).toBeLessThanOrEqual(2);
  });
});

describe('plain TCP', () => {
  const grant = (port: number): string => `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]`;

  test('a server that speaks first', async () => {
    const { port } = await tcpServer((socket) => void socket.end('220 ready\r\n'));
    const world = new World({ names: [name], policy: grant(port) });
    expect(
      await world.run([
        'python3',
        '-c',
        `import socket; print(socket.create_connection(('${name}', ${port})).recv(99))`,
      ]),
    ).toMatchObject({ status: 0, stdout: "b'220 ready\\r\\n'\n" });
  });

  test('half-closed connections: bytes arrive that were sent after the other side’s end', async () => {
    const { port } = await tcpServer((socket) => {
      const chunks: Buffer[] = [];
      socket
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => setTimeout(() => socket.end(`got ${Buffer.concat(chunks).length}`), 100));
    });
    const world = new World({ names: [name], policy: grant(port) });
    const program = `import socket\ns = socket.create_connection(('${name}', ${port}))\ns.sendall(b'x' * 300000)\ns.shutdown(socket.SHUT_WR)\nprint(b''.join(iter(lambda: s.recv(999), b'')))`;
    expect(await world.run(['python3', '-c', program])).toMatchObject({ status: 0, stdout: "b'got 300000'\n" });
    expect(world.journal().filter(({ type }) => type === 'connection')).toMatchObject([
      { sent: 300_000, received: 10 },
    ]);
  });

  test('ten ports outside every list', async () => {
    const servers = await Promise.all(
      Array.from({ length: 10 }, () => tcpServer((socket) => void socket.end(String(socket.localPort)))),
    );
    const ports = servers.map(({ port }) => port);
    const world = new World({
      names: [name],
      policy: `[network]\nhosts = ["${name}", ${ports.map((port) => `"127.0.0.1:${port}"`).join(', ')}]`,
    });
    const program = `import socket, sys\nfor port in map(int, sys.argv[1:]): print(socket.create_connection(('${name}', port)).recv(9).decode())`;
    expect(await world.run(['python3', '-c', program, ...ports.map(String)])).toMatchObject({
      status: 0,
      stdout: `${ports.join('\n')}\n`,
    });
  });

  test('10 MB both ways, byte for byte', async () => {
    const { port } = await tcpServer((socket) => void socket.pipe(socket));
    const world = new World({ names: [name], policy: grant(port) });
    const program = `
import hashlib, os, socket, threading
s = socket.create_connection(('${name}', ${port}))
data = os.urandom(10_000_000)
def send(): s.sendall(data); s.shutdown(socket.SHUT_WR)
threading.Thread(target=send).start()
back = b''.join(iter(lambda: s.recv(1 << 20), b''))
print(len(back), hashlib.sha256(back).digest() == hashlib.sha256(data).digest())`;
    expect(await world.run(['python3', '-c', program])).toMatchObject({ status: 0, stdout: '10000000 True\n' });
  });

  test(`psql, which requests TLS and a password${remark('psql')}`, async () => {
    if (!has('psql')) return;
    const { port, accepted } = await tcpServer((socket) => {
      socket.once('data', () => {
        socket.write('N');
        socket.once('data', () =>
          socket.end(Buffer.concat([Buffer.from('E'), length32(19), Buffer.from('SFATAL\0Mno such\0\0')])),
        );
      });
    });
    const world = new World({ names: [name], policy: grant(port) });
    const outcome = await world.run(['psql', '-w', `postgresql://u@${name}:${port}/db`]);
    expect(outcome).toMatchObject({ status: 2, stderr: expect.stringContaining('no such') });
    expect(accepted).toHaveLength(1);
  });

  test.each([
    ['the resolver', '198.18.0.1', 54],
    ['a granted name', name, 9],
    ['another address', '8.8.8.8', 53],
  ])('UDP to %s is refused at once', async (_, host, port) => {
    const world = new World({ names: [name], policy: grant(9) });
    const program = `
import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.settimeout(5)
s.connect(('${host}', ${port}))
began = time.time()
try:
    s.send(b'x'); print(s.recv(9))
except OSError as error: print(error.strerror, time.time() - began < 1)`;
    expect(await world.run(['python3', '-c', program])).toMatchObject({
      status: 0,
      stdout: 'Connection refused True\n',
    });
  });
});

function length32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const same = (bytes: Buffer): Buffer => bytes;

function methodOf(path: string, streams: boolean): grpc.MethodDefinition<Buffer, Buffer> {
  return {
    path,
    requestStream: streams,
    responseStream: streams,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
}

async function grpcServer({ key, cert }: Identity): Promise<number> {
  const server = new grpc.Server();
  server.addService(
    { unary: methodOf('/test.Echo/Unary', false), stream: methodOf('/test.Echo/Stream', true) },
    {
      unary: (call: grpc.ServerUnaryCall<Buffer, Buffer>, answer: grpc.sendUnaryData<Buffer>) =>
        answer(null, call.request),
      stream: (call: grpc.ServerDuplexStream<Buffer, Buffer>) =>
        call.on('data', (bytes: Buffer) => call.write(bytes)).on('end', () => call.end()),
    },
  );
  onTestFinished(() => server.forceShutdown());
  const credentials = grpc.ServerCredentials.createSsl(null, [
    { private_key: Buffer.from(key), cert_chain: Buffer.from(cert) },
  ]);
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, port) => (error === null ? resolve(port) : reject(error))),
  );
}

/** It has its own roots and reads no variable of Node's. */
function grpcClient(port: number, authority: string | undefined): string {
  return `
    const grpc = require('${packages}/@grpc/grpc-js');
    const same = (bytes) => bytes;
    const method = (path, streams) => ({ path, requestStream: streams, responseStream: streams, requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same });
    const Client = grpc.makeGenericClientConstructor({ unary: method('/test.Echo/Unary', false), stream: method('/test.Echo/Stream', true) }, 'Echo');
    const client = new Client('${name}:${port}', grpc.credentials.createSsl(${authority === undefined ? '' : `require('node:fs').readFileSync('${authority}')`}));
    client.unary(Buffer.from('hello'), (error, answer) => {
      console.log('unary:' + (error?.message ?? answer));
      const heard = [];
      const call = client.stream().on('data', (bytes) => heard.push(String(bytes))).on('end', () => console.log('stream:' + heard)).on('error', (failure) => console.log(failure.message));
      for (const text of ['a', 'b', 'c']) call.write(Buffer.from(text));
      call.end();
    });`;
}
