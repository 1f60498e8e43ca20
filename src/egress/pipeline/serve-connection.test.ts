import { once } from 'node:events';
import { type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { closedPort, serve } from '../dial/testing/loopback.ts';
import { createAuthority } from '../tls/authority.ts';
import { identity, tlsServer } from '../tls/testing/servers.ts';
import type { EgressRefusal } from '../types.ts';
import type { PipelineContext, ServedConnection } from './context.ts';
import { serveConnection, serveRequests } from './serve-connection.ts';
import { bench, heard, origin, pair, sent } from './testing/pipeline.ts';

const host = 'a.example';
const grant = (port: number): string => `[network]\nhosts = ["${host}:${port}", "127.0.0.1:${port}"]`;
const through = (context: PipelineContext) => (served: ServedConnection) => serveConnection(served, context);
const echo = (socket: Socket): void => void socket.pipe(socket);

describe('a connection that is allowed', () => {
  test('carries bytes both ways, with a full record', async () => {
    const { port } = await serve(echo);
    const { context, connections, refusals, dialled } = bench(grant(port));
    const { client, ended } = await sent({ host, port }, through(context));
    const said = heard(client);
    client.end('hello\0there');
    expect(await said).toBe('hello\0there');
    await ended;
    expect(connections).toEqual([
      {
        front: 'transparent',
        destination: { host, port },
        address: '127.0.0.1',
        verdict: expect.objectContaining({ decision: 'allow', rule: 'network.hosts[0]' }),
        bytesSent: 11,
        bytesReceived: 11,
        duration: expect.any(Number),
      },
    ]);
    expect([refusals, dialled]).toEqual([[], ['127.0.0.1']]);
  });

  test('is reported as open before the first byte passes', async () => {
    const { port } = await serve((socket) => void socket.end('first'));
    const { context } = bench(grant(port));
    const order: string[] = [];
    const { client, ended } = await sent({ host, port }, through(context), { reached: () => order.push('reached') });
    client.on('data', () => order.push('data')).end();
    await ended;
    expect(order).toEqual(['reached', 'data']);
  });

  test('is recorded once, after it has ended, with its duration', async () => {
    const { port } = await serve((socket) => setTimeout(() => socket.end(), 80));
    const { context, connections } = bench(grant(port));
    const { client, ended } = await sent({ host, port }, through(context));
    client.resume().end();
    expect(connections).toEqual([]);
    await ended;
    expect(connections).toHaveLength(1);
    expect(connections[0]?.duration).toBeGreaterThanOrEqual(60);
  });

  test('stays ended for a client that ended before the dial was done', async () => {
    const { port } = await serve(
      (socket) => void socket.resume().on('end', () => setTimeout(() => socket.end('after'), 20)),
    );
    const { context } = bench(grant(port));
    const slowly: PipelineContext['dial'] = async (vetted, options) => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return context.dial(vetted, options);
    };
    const { client, ended } = await sent({ host, port }, through({ ...context, dial: slowly }));
    const said = heard(client);
    client.end();
    expect(await said).toBe('after');
    await ended;
  });

  test('gets a reset if the server is reset', async () => {
    const { port } = await serve((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const { context, connections } = bench(grant(port));
    const { client, ended } = await sent({ host, port }, through(context));
    const said = heard(client);
    client.write('x'.repeat(100));
    expect(await said).toBe('reset');
    await ended;
    expect(connections).toMatchObject([{ bytesReceived: 0 }]);
  });

  // A server that keeps its half of a connection open kept the session, which waited for it.
  test('ends with its client, even if the client has ended its half and the server has not', async () => {
    const { port, accepted } = await serve((socket) => socket.resume());
    const { context, connections } = bench(grant(port));
    const { client, accepted: ours } = await pair();
    const ended = serveConnection({ client: ours, destination: { host, port }, origin }, context);
    client.end('last');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(connections).toEqual([]);
    ours.destroy();
    await ended;
    expect(connections).toMatchObject([{ bytesSent: 4 }]);
    expect(accepted).toHaveLength(1);
  });
});

describe('a connection that is refused', () => {
  test('is reset, noted at once, recorded once, and dials nothing', async () => {
    const { port, accepted } = await serve(echo);
    const { context, connections, refusals, lookups } = bench('');
    const { client, ended } = await sent({ host, port }, through(context));
    const said = heard(client);
    client.write('GET / HTTP/1.1\r\nHost: a.example\r\n\r\n');
    expect(await said).toMatch(/^HTTP\/1\.1 403 /u);
    await ended;
    expect(refusals).toMatchObject([{ code: 'policy', verdict: { decision: 'deny' } }]);
    expect(connections).toMatchObject([
      { refusal: { code: 'policy' }, verdict: { decision: 'deny' }, bytesSent: 0, bytesReceived: 0 },
    ]);
    expect(connections[0]).not.toHaveProperty('address');
    expect([accepted, lookups]).toEqual([[], []]);
  });

  test('gets the proxy’s own refusal where there is a proxy', async () => {
    const { context, connections } = bench('');
    const said: EgressRefusal[] = [];
    const { client, ended } = await sent({ host, port: 443 }, through(context), {
      refuse: (refusal) => void said.push(refusal),
      reached: () => expect.unreachable(),
    });
    await ended;
    expect(said).toMatchObject([{ code: 'policy' }]);
    expect([client.destroyed, connections.length]).toEqual([false, 1]);
  });

  test.each([
    ['a special address', { [host]: ['10.0.0.1'] }, 'special-address'],
    ['no address', { [host]: [] }, 'resolver-failed'],
  ])('for %s', async (_, names, code) => {
    const { context, connections, refusals } = bench(grant(443), { names });
    const { client, ended } = await sent({ host, port: 443 }, through(context));
    const said = heard(client);
    client.write('\0\0\0\0');
    expect(await said).toBe('reset');
    await ended;
    expect([connections[0]?.refusal?.code, refusals[0]?.code]).toEqual([code, code]);
    expect(connections[0]?.verdict?.decision).toBe('allow');
  });

  test('because the host does not answer keeps the policy’s verdict', async () => {
    const port = await closedPort();
    const { context, connections } = bench(grant(port));
    const { client, ended } = await sent({ host, port }, through(context));
    const said = heard(client);
    client.write('GET / HTTP/1.1\r\n\r\n');
    expect(await said).toMatch(/^HTTP\/1\.1 502 /u);
    await ended;
    expect(connections).toMatchObject([{ refusal: { code: 'unreachable' }, verdict: { decision: 'allow' } }]);
  });
});

describe('TLS that is not intercepted', () => {
  test('reaches the server with the dialled name', async () => {
    const authority = createAuthority();
    const { port } = await tlsServer(identity(authority, host));
    const { context, connections } = bench(grant(port));
    const { client, ended } = await sent({ host, port }, through(context));
    const socket = connectTls({ socket: client, servername: host, ca: authority.certificatePem });
    expect(String(await once(socket, 'data'))).toBe('hello');
    expect(socket.authorized).toBe(true);
    socket.destroy();
    await ended;
    expect(connections[0]).not.toHaveProperty('refusal');
  });

  // Attack: domain fronting.
  test('is cut off with another name, and the server gets no byte of it', async () => {
    const authority = createAuthority();
    const { port, secured } = await tlsServer(identity(authority, 'evil.example'));
    const { context, connections, refusals } = bench(grant(port));
    const { client, ended } = await sent({ host, port }, through(context));
    const socket = connectTls({ socket: client, servername: 'evil.example', ca: authority.certificatePem });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toMatch(/unrecognized name/u);
    client.destroy();
    await ended;
    expect([connections[0]?.refusal?.code, refusals[0]?.code, secured]).toEqual([
      'authority-mismatch',
      'authority-mismatch',
      [],
    ]);
    expect(connections[0]?.bytesSent).toBe(0);
  });
});

describe('an internal error', () => {
  test('resets the client, and is recorded as one on one line', async () => {
    const { context, connections } = bench(grant(443), {
      authority: {
        decide: () => {
          throw new Error('two\nlines');
        },
      },
    });
    const { client, ended } = await sent({ host, port: 443 }, through(context));
    expect(await heard(client)).toBe('reset');
    await ended;
    expect(connections).toMatchObject([
      {
        refusal: {
          code: 'upstream-protocol',
          message: 'the connection could not be served: two lines',
          remedy: expect.stringContaining('report this defect'),
        },
      },
    ]);
  });

  test('may be any thrown value', async () => {
    const { context, connections } = bench(grant(443), { dial: () => Promise.reject('text') });
    const { ended } = await sent({ host, port: 443 }, through(context));
    await ended;
    expect(connections[0]?.refusal?.message).toBe('the connection could not be served: text');
  });

  test('a client that leaves during the dial closes the other side too', async () => {
    const { port, accepted: servers } = await serve((socket) => socket.resume());
    const { context, connections } = bench(grant(port));
    const { accepted } = await pair();
    const ended = serveConnection({ client: accepted, destination: { host, port }, origin }, context);
    accepted.emit('error', new Error('broken'));
    await ended;
    expect([accepted.destroyed, connections.length]).toEqual([true, 1]);
    await expect.poll(() => servers.every((server) => server.readableEnded || server.destroyed)).toBe(true);
  });
});

describe('serveRequests', () => {
  test('judges requests where connections are not granted', async () => {
    const { port } = await serve((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')),
    );
    const { context, requests } = bench(
      `[network]\nhosts = ["127.0.0.1:${port}"]\n[[http]]\nname = "get"\ndecision = "allow"\nhosts = ["${host}"]\nmethods = ["GET"]`,
    );
    const { client, ended } = await sent({ host, port }, (served) => serveRequests(served, context));
    const said = heard(client);
    client.end(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
    expect(await said).toMatch(/^HTTP\/1\.1 204 /u);
    await ended;
    expect(requests).toMatchObject([{ status: 204, verdict: { rule: 'get' } }]);
  });
});
