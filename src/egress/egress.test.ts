import { createSocket } from 'node:dgram';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from './dial/testing/loopback.ts';
import { queryPacket, wireName } from './dns/testing/packets.ts';
import { createEgress, type BoxRecorders, type Egress, type EgressOptions } from './egress.ts';
import { authorityOfPolicy, heard, pair } from './pipeline/testing/pipeline.ts';
import { watchFor } from './testing/watches.ts';
import { createAuthority } from './tls/authority.ts';
import { identity } from './tls/testing/servers.ts';
import type { Broker, ConnectionRecord, Destination, EgressRefusal, Resolver, StatementRecord } from './types.ts';

interface Made extends BoxRecorders {
  readonly egress: Egress;
  readonly connections: ConnectionRecord[];
  readonly refusals: EgressRefusal[];
  readonly statements: StatementRecord[];
  readonly fronts: string[];
}

const resolver: Resolver = { resolve: async () => ({ kind: 'resolved', aliases: [], addresses: ['127.0.0.1'] }) };

function made(policy: string, more: Partial<EgressOptions> = {}): Made {
  const connections: ConnectionRecord[] = [];
  const refusals: EgressRefusal[] = [];
  const statements: StatementRecord[] = [];
  const fronts: string[] = [];
  const egress = createEgress({
    authority: authorityOfPolicy(policy),
    roots: () => [],
    environment: {},
    trusted: 'untrusted',
    resolver,
    ...more,
  });
  onTestFinished(() => egress.close());
  const record: BoxRecorders['record'] = (connection, { front }) => {
    connections.push(connection);
    fronts.push(front);
  };
  return {
    egress,
    connections,
    refusals,
    statements,
    fronts,
    record,
    recordRequest: () => undefined,
    recordStatement: (statement) => void statements.push(statement),
    recordLookup: () => undefined,
    refused: (refusal) => void refusals.push(refusal),
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const web = (): Promise<number> =>
  listen(
    createHttpServer(
      (request, response) => void response.setHeader('connection', 'close').end(`answer to ${request.url}`),
    ),
  );
const grant = (port: number): string => `[network]\nhosts = ["a.example:${port}", "localhost:${port}"]`;

/** A connection that a box opened to `address`. */
async function fromBox(of: Made, address: string, port: number): Promise<Socket> {
  const box = of.egress.attach({ ...of, resolver: '198.18.0.1', dns: 'fake' });
  const { client, accepted } = await pair();
  Object.defineProperties(accepted, { localAddress: { value: address }, localPort: { value: port } });
  box.accept(accepted);
  onTestFinished(() => box.close());
  return client;
}

const secret = 'correct-horse-battery-staple-correct-horse';

describe('one egress for every front', () => {
  test('a box, a proxy by CONNECT and by absolute URL, and a fetch reach the same server', async () => {
    const port = await web();
    const own = made(grant(port));
    const client = await fromBox(own, '127.0.0.1', port);
    const said = heard(client);
    client.write('GET /box HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await said).toMatch(/answer to \/box$/u);

    const proxy = own.egress.proxy(own, secret);
    const at = await listen(proxy);
    const credentials = `Proxy-Authorization: Basic ${Buffer.from(`holdfast:${secret}`).toString('base64')}\r\n`;
    const absolute = connect(at, '127.0.0.1');
    absolute.write(
      `GET http://a.example:${port}/absolute HTTP/1.1\r\nHost: a.example:${port}\r\n${credentials}Connection: close\r\n\r\n`,
    );
    expect(await heard(absolute)).toMatch(/answer to \/absolute$/u);

    const tunnel = connect(at, '127.0.0.1');
    tunnel.write(`CONNECT a.example:${port} HTTP/1.1\r\nHost: a.example:${port}\r\n${credentials}\r\n`);
    await once(tunnel, 'readable');
    tunnel.write('GET /tunnel HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await heard(tunnel)).toMatch(/^HTTP\/1\.1 200[^]*answer to \/tunnel$/u);

    expect(await own.egress.fetcher(own)(`http://a.example:${port}/fetch`)).toMatchObject({
      kind: 'text',
      text: 'answer to /fetch',
    });
    await expect.poll(() => own.fronts.toSorted()).toEqual(['absolute-form', 'connect', 'fetch', 'loopback']);
    expect(own.refusals).toEqual([]);
  });

  test('and all get the same refusal', async () => {
    const own = made('');
    const client = await fromBox(own, '93.184.216.34', 80);
    const said = heard(client);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await said).toMatch(/^HTTP\/1\.1 403 /u);
    const at = await listen(own.egress.proxy(own, secret));
    const tunnel = connect(at, '127.0.0.1');
    tunnel.write(
      `CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\nProxy-Authorization: Basic ${Buffer.from(`holdfast:${secret}`).toString('base64')}\r\n\r\n`,
    );
    expect(await heard(tunnel)).toMatch(/^HTTP\/1\.1 403 /u);
    expect(await own.egress.fetcher(own)('http://a.example/')).toMatchObject({
      kind: 'refused',
      refusal: { code: 'policy' },
    });
    expect(own.refusals.map(({ code }) => code)).toEqual(['policy', 'policy', 'policy']);
  });
});

test('preparations are made once: the roots, and a certificate for each host', () => {
  let read = 0;
  const signed: number[] = [];
  const certificates = createAuthority();
  const own = made('', {
    roots: () => ((read += 1), []),
    certificates: {
      ...certificates,
      sign: (data) => (signed.push(data.length), certificates.sign(data)),
    },
  });
  for (const host of ['a.example', 'a.example', 'b.example', 'a.example']) own.egress.prepare(host);
  expect([read, signed.length]).toEqual([1, 2]);
});

describe('credentials on the way out', () => {
  test('a service of the host’s loopback has a broker, under the address that the box dials', async () => {
    const { port } = await serve((socket) => void socket.end('from the database'));
    const asked: Destination[] = [];
    const broker: Broker = {
      name: 'postgres',
      async serve(client, ways) {
        ways.record({ kind: 'session', user: 'app', mode: 'read-write' });
        ways.record({ kind: 'statement', text: 'select 1', decision: 'allow', outcome: 'SELECT 1' });
        const dialled = await ways.dial();
        if (dialled.kind === 'dialled') for await (const bytes of dialled.socket) client.write(bytes as Buffer);
      },
    };
    const own = made(grant(port), { broker: (destination) => (asked.push(destination), broker) });
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '::1'])
      expect(await heard(await fromBox(own, address, port))).toBe('from the database');
    const addresses = ['127.0.0.1', '127.0.0.1', '::1'];
    expect(asked).toEqual(addresses.map((host) => ({ host, port })));
    expect(own.statements).toEqual(
      addresses.map((host) => ({
        protocol: 'postgres',
        destination: { host, port },
        user: 'app',
        text: 'select 1',
        decision: 'allow',
        outcome: 'SELECT 1',
      })),
    );
    await expect.poll(() => own.fronts).toEqual(['loopback', 'loopback', 'loopback']);
  });

  test.each(['fake', 'real'] as const)(
    'a route has an address in the box with %s addresses, and leads to its host',
    async (dns) => {
      const authority = createAuthority();
      const port = await listen(
        createHttpsServer(
          identity(authority, 'a.example'),
          (request, response) =>
            void response.setHeader('connection', 'close').end(`${request.headers.host} ${request.url}`),
        ),
      );
      const name = 'test.credentials.holdfast';
      const own = made(grant(port), {
        roots: () => [authority.certificatePem],
        routes: new Map([[name, { host: 'a.example', port }]]),
      });
      const udp = createSocket('udp4').bind(0, '127.0.0.1');
      await once(udp, 'listening');
      const box = own.egress.attach({ ...own, resolver: '198.18.0.1', dns });
      box.dns(udp);
      const asking = createSocket('udp4');
      asking.send(queryPacket({ name: wireName(name), type: 1 }), udp.address().port, '127.0.0.1');
      const [answer] = (await once(asking, 'message')) as [Buffer];
      asking.close();
      const { client, accepted } = await pair();
      Object.defineProperties(accepted, {
        localAddress: { value: [...answer.subarray(-4)].join('.') },
        localPort: { value: 80 },
      });
      box.accept(accepted);
      const said = heard(client);
      client.write(`GET /v1 HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
      expect(await said).toMatch(new RegExp(`a\\.example:${port} /v1$`, 'u'));
      await box.close();
      expect(own.refusals).toEqual([]);
    },
  );

  test('the session’s watch inspects a watched connection', async () => {
    const { port } = await serve((socket) => void socket.resume());
    const own = made(grant(port), {
      authority: { ...authorityOfPolicy(grant(port)), tlsTreatment: () => 'watch' },
      watch: () => watchFor('phantom_EXAMPLE'),
    });
    const client = await fromBox(own, '127.0.0.1', port);
    const said = heard(client);
    client.write('\0phantom_EXAMPLE');
    expect(await said).toBe('reset');
    expect(own.refusals).toMatchObject([{ code: 'phantom-misused' }]);
  });

  test('a watched connection is forwarded if the session has no watch', async () => {
    const { port } = await serve((socket) => void socket.pipe(socket));
    const own = made(grant(port), { authority: { ...authorityOfPolicy(grant(port)), tlsTreatment: () => 'watch' } });
    const client = await fromBox(own, '127.0.0.1', port);
    const said = heard(client);
    client.end('\0carried');
    expect(await said).toBe('\0carried');
  });
});

describe('decisions of the session itself', () => {
  test('the roots are read for the first server certificate, and once', async () => {
    const authority = createAuthority();
    let read = 0;
    const port = await listen(
      createHttpsServer(identity(authority, 'a.example'), (_, response) => void response.end('secure')),
    );
    const own = made(grant(port), { roots: () => ((read += 1), [authority.certificatePem]) });
    await own.egress.fetcher(own)(`http://localhost:${port}/`);
    expect(read).toBe(0);
    for (let count = 0; count < 2; count += 1)
      expect(await own.egress.fetcher(own)(`https://a.example:${port}/`)).toMatchObject({
        kind: 'text',
        text: 'secure',
      });
    expect(read).toBe(1);
  });

  test('a refusal inside TLS has a certificate of the session’s authority', async () => {
    const certificates = createAuthority();
    const own = made('', { trusted: 'trusted', certificates });
    const client = await fromBox(own, '93.184.216.34', 443);
    const secure = connectTls({ socket: client, servername: 'a.example', ca: certificates.certificatePem });
    await once(secure, 'secureConnect');
    const said = heard(secure as never);
    secure.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await said).toMatch(/^HTTP\/1\.1 403 /u);
  });

  test('or causes an alert if that certificate is not trusted', async () => {
    const own = made('');
    const client = await fromBox(own, '93.184.216.34', 443);
    const [error] = (await once(connectTls({ socket: client, servername: 'a.example' }), 'error')) as [Error];
    expect(error.message).toMatch(/access denied/u);
  });

  test('connections leave through the proxy of the host’s environment', async () => {
    const asked: string[] = [];
    const { port: proxyPort } = await serve((socket) => {
      socket.once('data', (head: Buffer) => {
        asked.push(String(head).split('\r\n')[0] ?? '');
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.once('data', () =>
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nproxied'),
        );
      });
    });
    const own = made('[network]\nhosts = ["a.example"]', {
      environment: { http_proxy: `http://127.0.0.1:${proxyPort}` },
      resolver: { resolve: async () => ({ kind: 'resolved', aliases: [], addresses: ['93.184.216.34'] }) },
    });
    expect(await own.egress.fetcher(own)('http://a.example/')).toMatchObject({ kind: 'text', text: 'proxied' });
    expect(asked).toEqual([expect.stringMatching(/^CONNECT (?:a\.example|93\.184\.216\.34):80 /u)]);
  });

  test('an address that belongs to no name of this session leads nowhere', async () => {
    const port = await web();
    const own = made(grant(port));
    const client = await fromBox(own, '198.18.9.9', 80);
    const said = heard(client);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await said).toMatch(/belongs to no name/u);
  });
});
