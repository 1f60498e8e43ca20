import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { readInto } from './read-buffer.ts';
import { splice, type Inspection, type SplicedBytes } from './splice.ts';

const open: { destroy(): void }[] = [];
const servers: Server[] = [];

afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(handler: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    open.push(socket);
    socket.on('error', () => undefined);
    handler(socket);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface Relay {
  readonly client: Socket;
  readonly spliced: Promise<SplicedBytes>;
}

/** client → relay → upstream, over loopback. */
async function relay(
  upstreamHandler: (socket: Socket) => void,
  download: 'pipe' | 'onread',
  inspect?: (bytes: Buffer) => Inspection,
): Promise<Relay> {
  const upstreamPort = await listen(upstreamHandler);
  let done: (bytes: Promise<SplicedBytes>) => void = () => undefined;
  const spliced = new Promise<SplicedBytes>((resolve) => {
    done = resolve;
  });
  const port = await listen((accepted) => {
    accepted.pause();
    const read = readInto();
    const upstream = connect({
      host: '127.0.0.1',
      port: upstreamPort,
      allowHalfOpen: true,
      noDelay: true,
      ...(download === 'onread' ? { onread: read.onread } : {}),
    });
    open.push(upstream);
    upstream.pause();
    read.connect(accepted, upstream);
    upstream.once('connect', () =>
      done(splice(accepted, upstream, { download, ...(inspect === undefined ? {} : { inspect }) })),
    );
    upstream.on('error', () => undefined);
  });
  const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
  open.push(client);
  client.on('error', () => undefined);
  await once(client, 'connect');
  return { client, spliced };
}

/** `once` of node:events would reject with the reset that is meant. */
function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

async function all(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe.each(['pipe', 'onread'] as const)('splice with %s', (download) => {
  test('carries bytes both ways and counts them', async () => {
    const { client, spliced } = await relay((socket) => socket.pipe(socket), download);
    client.end('question');
    expect((await all(client)).toString()).toBe('question');
    expect(await spliced).toEqual({ sent: 8, received: 8 });
  });

  test('no byte passes before the first ones are inspected, and then all of them', async () => {
    const seen: string[] = [];
    const inspect = (bytes: Buffer): Inspection => {
      seen.push(bytes.toString());
      return bytes.length < 4 ? { kind: 'more' } : { kind: 'pass' };
    };
    const { client } = await relay((socket) => socket.pipe(socket), download, inspect);
    client.write('ab');
    await expect.poll(() => seen).toEqual(['ab']);
    client.end('cdef');
    expect((await all(client)).toString()).toBe('abcdef');
    expect(seen).toEqual(['ab', 'abcdef']);
  });

  test('a client that ends during the inspection is carried to its end', async () => {
    const { client } = await relay(
      (socket) => socket.pipe(socket),
      download,
      () => ({ kind: 'more' }),
    );
    client.end('half');
    expect((await all(client)).toString()).toBe('half');
  });

  test('a server may speak first during the inspection', async () => {
    const { client } = await relay(
      (socket) => socket.end('banner'),
      download,
      () => ({ kind: 'more' }),
    );
    expect((await all(client)).toString()).toBe('banner');
  });

  test('a refused client gets the last words, and the other side nothing', async () => {
    const heard: string[] = [];
    const { client } = await relay(
      (socket) => socket.on('data', (bytes: Buffer) => heard.push(bytes.toString())),
      download,
      () => ({ kind: 'refuse', lastWords: Buffer.from('no') }),
    );
    client.write('bad');
    expect((await all(client)).toString()).toBe('no');
    expect(heard).toEqual([]);
  });

  test('a side that has finished sending still receives', async () => {
    const { client } = await relay((socket) => {
      socket.resume();
      socket.once('end', () => setTimeout(() => socket.end('late answer'), 20));
    }, download);
    client.end('all of it');
    expect((await all(client)).toString()).toBe('late answer');
  });

  test('a reset of either side resets the other', async () => {
    const one = await relay((socket) => socket.once('data', () => socket.resetAndDestroy()), download);
    one.client.write('go');
    one.client.resume();
    await closed(one.client);
    let upstream: Socket | undefined;
    const two = await relay((socket) => {
      upstream = socket;
      socket.write('x');
      socket.resume();
    }, download);
    await once(two.client, 'data');
    two.client.resetAndDestroy();
    const { received } = await two.spliced;
    expect(received).toBe(1);
    if (upstream?.destroyed === false) await closed(upstream);
  });

  test('a slow reader slows the sender, and gets every byte in order', async () => {
    const total = 24 * 1024 * 1024;
    const bytes = Buffer.alloc(total);
    for (let at = 0; at < total; at += 4) bytes.writeUInt32LE(at, at);
    let sender: Socket | undefined;
    const { client } = await relay((socket) => {
      sender = socket;
      socket.end(bytes);
    }, download);
    await expect.poll(() => sender !== undefined).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const heldBack = sender?.writableLength ?? 0;
    expect(heldBack).toBeGreaterThan(0);
    expect((await all(client)).equals(bytes)).toBe(true);
  });

  test('parallel connections never mix their bytes, even with clients that do not read', async () => {
    const chunk = 8 * 1024;
    const chunks = 1024;
    /** Little by little, so that every read is small. */
    const dribble = (socket: Socket, byte: number, left: number): void => {
      if (left === 0) return void socket.end();
      socket.write(Buffer.alloc(chunk, byte), () => setImmediate(dribble, socket, byte, left - 1));
    };
    const carried = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const { client } = await relay((socket) => dribble(socket, index + 1, chunks), download);
        await new Promise((resolve) => setTimeout(resolve, 200));
        return all(client);
      }),
    );
    for (const [index, bytes] of carried.entries()) {
      expect(bytes.length).toBe(chunks * chunk);
      expect(bytes.equals(Buffer.alloc(bytes.length, index + 1))).toBe(true);
    }
  });
});
