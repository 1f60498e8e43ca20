import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readEvents } from '../../audit/index.ts';
import type { CredentialEgress } from '../../credentials/session/credential-egress.ts';
import type { OpenNetwork } from '../../plan/types.ts';
import { createSessionAuthority } from './session-authority.ts';
import { type BoxEgress, createSessionEgress, type SessionEgress } from './session-egress.ts';
import { testPlace, type TestPlace } from './testing/place.ts';

/** What accepts here is on loopback: the destination of a transparent connection is where it was accepted. */
const network: OpenNetwork = {
  kind: 'names',
  families: ['ipv4'],
  dns: 'fake',
  resolver: '127.0.0.1',
  divertPort: 1,
  fallbackPorts: [],
  loopbackPorts: [],
  forward: [],
  authority: 'none',
};

interface Session {
  readonly egress: SessionEgress;
  readonly place: TestPlace;
  events(): readonly Readonly<Record<string, unknown>>[];
}

function session(policy: string): Session {
  const place = testPlace(policy);
  const egress = createSessionEgress(
    { id: 'session-1', place: place.place, environment: place.environment },
    undefined,
  );
  onTestFinished(() => egress.close());
  return {
    egress,
    place,
    events: () => readEvents(place.place.paths.journal) as unknown as readonly Readonly<Record<string, unknown>>[],
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function web(): Promise<number> {
  return listen(
    createHttpServer((request, response) => response.setHeader('connection', 'close').end(`answer to ${request.url}`)),
  );
}

/** A listener of a box: what connects to it wanted to connect to its port on loopback. */
async function doorOf(box: BoxEgress): Promise<number> {
  return listen(
    createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => box.accept(client)),
  );
}

function said(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket
      .on('data', (chunk: Buffer) => (text += chunk.toString()))
      .on('end', () => resolve(text))
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}

describe('before the first request', () => {
  /** Servers that the gateway of a session is made ready for. */
  async function expected(policy: string, credentials: 'some' | 'none' = 'some'): Promise<readonly string[]> {
    const { place, environment } = testPlace(policy);
    const ready: string[] = [];
    const egress = createSessionEgress({ id: 'session-1', place, environment }, undefined, {
      ...(credentials === 'none' ? {} : { credentials: () => ({ interceptors: [] }) as unknown as CredentialEgress }),
      gateway: () => ({
        interceptor: (send) => send,
        flush: () => undefined,
        prepare: async ({ host, port }) => void ready.push(`${host}:${port}`),
      }),
    });
    onTestFinished(() => egress.close());
    await egress.prepare();
    return ready;
  }
  const key = (name: string, hosts: string): string =>
    `[[credentials]]\nname = "${name}"\nsource = { env = "${name.toUpperCase()}" }\nhosts = ["${hosts}"]\ninject = { kind = "bearer" }\nenvironment = ["${name.toUpperCase()}"]\n`;
  const hosts = (names: readonly string[]): string => `[network]\nhosts = ${JSON.stringify(names)}\n`;

  test('the server of each credential is prepared, with its port', async () =>
    expect(
      await expected(
        `${hosts(['api.example', 'b.example:8443'])}${key('one', 'api.example')}${key('two', 'b.example:8443')}`,
      ),
    ).toEqual(['api.example:443', 'b.example:8443']));
  test('hosts by pattern are not prepared', async () =>
    expect(await expected(`${hosts(['*.example'])}${key('one', '*.example')}`)).toEqual([]));
  test('at most four are prepared', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.example`);
    const keys = names.map((name, index) => key(`key${index}`, name)).join('');
    expect(await expected(`${hosts(names)}${keys}`)).toEqual(names.slice(0, 4).map((name) => `${name}:443`));
  });
  test('a session without its credentials prepares nothing', async () =>
    expect(await expected(`${hosts(['api.example'])}${key('one', 'api.example')}`, 'none')).toEqual([]));
});

describe('a box', () => {
  test('reaches granted hosts, recorded with the process behind the connection', async () => {
    const { egress, events, place } = session('');
    const box = egress.attach(network, () => 0);
    const door = await doorOf(box);
    // A door on loopback stands for the service of the host on that port: here it leads to itself, and a rule leads it
    // on.
    const port = await web();
    place.setPolicy(
      `[network]\nhosts = ["127.0.0.1:${port}"]\n[[connect]]\nname = "on"\ndecision = "redirect"\nredirect_to = "127.0.0.1:${port}"\nhosts = ["127.0.0.1"]\nports = [${door}]`,
    );
    const socket = connect(door, '127.0.0.1');
    socket.write('GET /path HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await said(socket)).toMatch(/answer to \/path$/u);
    expect(await box.close()).toEqual([]);
    expect(events()).toMatchObject([
      {
        type: 'connection',
        front: 'loopback',
        host: '127.0.0.1',
        port: door,
        address: '127.0.0.1',
        decision: 'redirect',
        rule: 'on',
      },
    ]);
  });

  test('is refused other hosts, and its close and the journal have the refusals', async () => {
    const { egress, events } = session('');
    const box = egress.attach(network, () => 0);
    const door = await doorOf(box);
    const socket = connect(door, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await said(socket)).toMatch(/^HTTP\/1\.1 403 /u);
    expect(await box.close()).toMatchObject([
      { request: { kind: 'connect', host: '127.0.0.1', port: door }, verdict: { decision: 'deny' } },
    ]);
    expect(
      events()
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(['connection', 'refusal']);
  });

  test('ends its connections when it is closed, and waits for their records', async () => {
    const { egress, events, place } = session('');
    const box = egress.attach(network, () => 0);
    const door = await doorOf(box);
    const port = await listen(
      createServer({ allowHalfOpen: true }, (socket) => void socket.on('error', () => undefined).write('hello')),
    );
    place.setPolicy(
      `[network]\nhosts = ["127.0.0.1:${port}"]\n[[connect]]\nname = "on"\ndecision = "redirect"\nredirect_to = "127.0.0.1:${port}"\nhosts = ["127.0.0.1"]\nports = [${door}]`,
    );
    const socket = connect(door, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'data');
    await box.close();
    expect(events()).toMatchObject([{ type: 'connection', received: 5 }]);
  });

  test('resolves names over its own socket', async () => {
    const { egress } = session('[network]\nhosts = ["a.example"]');
    const box = egress.attach(network, () => 0);
    const server = createSocket('udp4').bind(0, '127.0.0.1');
    const client = createSocket('udp4');
    onTestFinished(() => void client.close());
    await once(server, 'listening');
    box.dns(server);
    const question = Buffer.concat([
      Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]),
      Buffer.from('a'),
      Buffer.from([7]),
      Buffer.from('example'),
      Buffer.from([0, 0, 1, 0, 1]),
    ]);
    client.send(question, server.address().port, '127.0.0.1');
    const [answer] = (await once(client, 'message')) as [Buffer];
    expect([answer.readUInt16BE(0), answer.readUInt16BE(6), answer.at(-4)]).toEqual([7, 1, 198]);
    await box.close();
  });
});

describe('a fetch', () => {
  test('of a granted host succeeds, and is in the journal at once', async () => {
    const port = await web();
    const { egress, events } = session(`[network]\nhosts = ["localhost:${port}"]`);
    expect(await egress.fetch(`http://127.0.0.1:${port}/page`)).toMatchObject({
      kind: 'text',
      text: 'answer to /page',
    });
    expect(events()).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'connection', front: 'fetch', port })]),
    );
  });

  test('of another host gives a refusal as its result, and is in the journal too', async () => {
    const { egress, events } = session('');
    expect(await egress.fetch('http://a.example/')).toMatchObject({ kind: 'refused', refusal: { code: 'policy' } });
    expect(events().some(({ type }) => type === 'refusal')).toBe(true);
  });
});

describe('a proxy', () => {
  test('serves any client on loopback with its variables, until it is closed', async () => {
    const port = await web();
    const { egress, events } = session(`[network]\nhosts = ["localhost:${port}"]`);
    const proxy = await egress.proxy(0);
    const [, user = '', password = ''] =
      /\/\/([^:]+):([^@]+)@127\.0\.0\.1:/u.exec(
        proxy.environment['http_proxy'] ?? proxy.environment['HTTP_PROXY'] ?? '',
      ) ?? [];
    const ask = (credentials: string): Promise<string> => {
      const socket = connect(proxy.port, '127.0.0.1');
      socket.write(
        `GET http://127.0.0.1:${port}/x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nProxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\nConnection: close\r\n\r\n`,
      );
      return said(socket);
    };
    expect(await ask(`${user}:${password}`)).toMatch(/answer to \/x$/u);
    expect(await ask(`${user}:wrong`)).toMatch(/^HTTP\/1\.1 407 /u);
    await proxy.close();
    expect(events().some(({ type, front }) => type === 'connection' && front === 'absolute-form')).toBe(true);
    expect(await said(connect(proxy.port, '127.0.0.1'))).toBe('ECONNREFUSED');
  });

  test('closes despite a connected client', async () => {
    const { egress } = session('');
    const proxy = await egress.proxy(0);
    const idle = connect(proxy.port, '127.0.0.1');
    await once(idle, 'connect');
    const gone = once(
      idle.on('error', () => undefined),
      'close',
    );
    await proxy.close();
    await gone;
  });

  test('has a secret of its own', async () => {
    const { egress } = session('');
    const [first, second] = [await egress.proxy(0), await egress.proxy(0)];
    expect(first.environment).not.toEqual(second.environment);
    await Promise.all([first.close(), second.close()]);
  });

  test('on a port that is taken is an error with a remedy', async () => {
    const port = await web();
    const { egress } = session('');
    await expect(egress.proxy(port)).rejects.toMatchObject({
      code: 'HF_CHANNEL_FAILED',
      message: expect.stringContaining(`port ${port}`),
    });
  });
});

test.each([
  ['a server of models', '[[llm.servers]]\nname = "own"\nhosts = ["127.0.0.1"]\nstyle = "openai"\n'],
  [
    'a host that a rule about data names',
    '[[dlp]]\nname = "d"\ndecision = "block"\nfinds = ["keys"]\nhosts = ["127.0.0.1"]\n',
  ],
])('%s, named during the session, gets no uninspected bytes', async (_, added) => {
  const { egress, place } = session('');
  const box = egress.attach(network, () => 0);
  const door = await doorOf(box);
  place.setPolicy(`[network]\nhosts = ["127.0.0.1:${door}"]\n${added}`);
  const socket = connect(door, '127.0.0.1');
  socket.write(`GET /x HTTP/1.1\r\nHost: 127.0.0.1:${door}\r\nConnection: close\r\n\r\n`);
  expect(await said(socket)).toMatch(/^HTTP\/1\.1 403 [^]*Start another session/u);
  await box.close();
});

test.each([
  ['inside TLS to a box that trusts the session', 'session', /^HTTP\/1\.1 403 [^]*refused/u],
  ['as an alert to a box that does not', 'none', /access denied/u],
] as const)('a refusal comes %s', async (_, authority, expected) => {
  const place = testPlace('');
  const own = createSessionAuthority({});
  const egress = createSessionEgress(
    { id: 's', place: place.place, environment: place.environment },
    authority === 'session' ? own : undefined,
  );
  onTestFinished(() => egress.close());
  const box = egress.attach(network, () => 0);
  const secure = connectTls({
    port: await doorOf(box),
    host: '127.0.0.1',
    servername: 'a.example',
    ca: own.certificates.certificatePem,
  });
  const heard = new Promise<string>((resolve) => {
    let text = '';
    secure
      .on('data', (chunk: Buffer) => (text += chunk.toString()))
      .on('end', () => resolve(text))
      .on('error', (error) => resolve(error.message));
  });
  secure.write('GET / HTTP/1.1\r\nHost: a.example\r\n\r\n');
  expect(await heard).toMatch(expected);
  secure.destroy();
  await box.close();
});
