import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { closedPort, serve } from '../dial/testing/loopback.ts';
import { createAuthority } from '../tls/authority.ts';
import { identity, tlsServer } from '../tls/testing/servers.ts';
import type { Broker, BrokerWays, Destination } from '../types.ts';
import type { ServedConnection } from './context.ts';
import { serveConnection, serveRequests } from './serve-connection.ts';
import { type Bench, bench, type BenchOptions, heard, sent } from './testing/pipeline.ts';
import { upstreamAuthority } from './testing/web.ts';

const host = 'db.example';
const through =
  ({ context }: Bench) =>
  (served: ServedConnection) =>
    serveConnection(served, context);

function brokering(
  port: number,
  serveClient: Broker['serve'],
  more: BenchOptions = {},
): Bench & { readonly asked: Destination[] } {
  const asked: Destination[] = [];
  const broker: Broker = { name: 'postgres', serve: serveClient };
  const own = bench(`[network]\nhosts = ["${host}:${port}", "localhost:${port}", "127.0.0.1:${port}"]`, {
    broker: (destination) => (asked.push(destination), broker),
    roots: [upstreamAuthority.certificatePem],
    ...more,
  });
  return { ...own, asked };
}

/** Serves until the client has ended, by a program that gets a client and what it may do. */
function until(serveClient: (client: Socket, ways: BrokerWays) => Promise<void>): Broker['serve'] {
  return (client, ways) => serveClient(client as Socket, ways);
}

/** Carries bytes to the destination and back. */
const carry = until(async (client, ways) => {
  const dialled = await ways.dial();
  if (dialled.kind === 'refused') return void client.end(`refused: ${dialled.refusal.code}`);
  client.pipe(dialled.socket).pipe(client);
  await once(client, 'close').catch(() => undefined);
});

describe('a connection with a broker', () => {
  test('goes to the broker, with an ordinary record', async () => {
    const { port } = await serve((socket) => void socket.pipe(socket));
    const box = brokering(port, carry);
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    client.end('through the broker');
    expect(await said).toBe('through the broker');
    await ended;
    expect(box.asked).toEqual([{ host, port }]);
    expect(box.connections).toEqual([
      {
        front: 'transparent',
        destination: { host, port },
        address: '127.0.0.1',
        verdict: expect.objectContaining({ decision: 'allow' }),
        bytesSent: 18,
        bytesReceived: 18,
        duration: expect.any(Number),
      },
    ]);
    expect(box.refusals).toEqual([]);
  });

  test('goes to the broker even if a proxy’s client asks for it by URL', async () => {
    const { port } = await serve((socket) => void socket.end('past the broker'));
    const box = brokering(
      port,
      until(async (client) => void client.end('the broker')),
    );
    const { client, ended } = await sent({ host, port }, (served) => serveRequests(served, box.context));
    const said = heard(client);
    client.end(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
    expect(await said).toBe('the broker');
    await ended;
  });

  test('without a grant never gets to the broker', async () => {
    let served = 0;
    const box = bench('', { broker: () => ({ name: 'redis', serve: async () => void (served += 1) }) });
    const { client, ended } = await sent({ host, port: 5432 }, through(box));
    const said = heard(client);
    client.write('\0\0\0\x08');
    expect(await said).toBe('reset');
    await ended;
    expect([served, box.dialled, box.refusals[0]?.code, box.connections[0]?.refusal?.code]).toEqual([
      0,
      [],
      'policy',
      'policy',
    ]);
  });

  test('to a special address never gets there either', async () => {
    let served = 0;
    const box = brokering(5432, async () => void (served += 1), { names: { [host]: ['169.254.169.254'] } });
    const { client, ended } = await sent({ host, port: 5432 }, through(box));
    client.resume();
    await ended;
    expect([served, box.refusals[0]?.code]).toEqual([0, 'special-address']);
  });

  test('is reported as reached before the broker speaks', async () => {
    const order: string[] = [];
    const box = brokering(5432, async () => void order.push('serve'));
    const { client, ended } = await sent({ host, port: 5432 }, through(box), { reached: () => order.push('reached') });
    client.resume().end();
    await ended;
    expect(order).toEqual(['reached', 'serve']);
  });

  test('does not ask for a treatment of TLS', async () => {
    const box = brokering(5432, async () => undefined, { authority: { tlsTreatment: () => expect.unreachable() } });
    const { client, ended } = await sent({ host, port: 5432 }, through(box));
    client.resume().end();
    await ended;
    expect(box.connections).toHaveLength(1);
  });

  test('is reset if its broker throws, and recorded as an internal error', async () => {
    const box = brokering(5432, async () => {
      throw new Error('ours');
    });
    const { client, ended } = await sent({ host, port: 5432 }, through(box));
    expect(await heard(client)).toBe('reset');
    await ended;
    expect(box.connections).toMatchObject([{ refusal: { message: 'the connection could not be served: ours' } }]);
  });

  test('closes the connections that the broker has opened', async () => {
    const { port, accepted } = await serve((socket) => socket.resume());
    const box = brokering(port, async (_, ways) => {
      await ways.dial();
      await ways.dial();
    });
    const { client, ended } = await sent({ host, port }, through(box));
    client.resume().end();
    await ended;
    expect(accepted).toHaveLength(2);
    await expect.poll(() => accepted.every((socket) => socket.readableEnded || socket.destroyed)).toBe(true);
  });

  // A cancel request is all that is said on its connection.
  test('delivers the last bytes of the broker to the server', async () => {
    const got: Buffer[] = [];
    const { port } = await serve((socket) => socket.on('data', (bytes: Buffer) => got.push(bytes)));
    const last = Buffer.alloc(1024 * 1024, 'last words ');
    const box = brokering(port, async (_, ways) => {
      const dialled = await ways.dial();
      if (dialled.kind === 'dialled') dialled.socket.end(last);
    });
    const { client, ended } = await sent({ host, port }, through(box));
    client.resume().end();
    await ended;
    await expect.poll(() => Buffer.concat(got).equals(last)).toBe(true);
  });

  test('delivers the last bytes of the broker to the client', async () => {
    const box = brokering(
      5432,
      until(async (client) => void client.write('FATAL: no')),
    );
    const { client, ended } = await sent({ host, port: 5432 }, through(box));
    expect(await heard(client)).toBe('FATAL: no');
    await ended;
  });
});

describe("a service on the host's loopback", () => {
  test.each(['127.0.0.1', '::1', 'localhost'])('is requested as %s, and reached', async (name) => {
    const { port } = await serve((socket) => void socket.end('hello'));
    const box = brokering(port, carry);
    const { client, ended } = await sent({ host: name, port }, through(box));
    expect(await heard(client)).toBe('hello');
    await ended;
    expect(box.asked).toEqual([{ host: name, port }]);
    expect(box.connections[0]?.address).toBe('127.0.0.1');
  });
});

describe('connections that a broker dials', () => {
  test('are judged each time', async () => {
    const { port, accepted } = await serve();
    let decision: 'allow' | 'deny' = 'allow';
    const verdict = { code: 'rule', rule: 'r', layer: 'user', file: 'f', line: 1, message: 'm', remedy: 'r' } as const;
    const codes: string[] = [];
    const box = brokering(
      port,
      async (_, ways) => {
        for (const next of ['deny', 'allow'] as const) {
          decision = next;
          const dialled = await ways.dial();
          codes.push(dialled.kind === 'refused' ? dialled.refusal.code : 'dialled');
        }
      },
      { authority: { decide: () => ({ ...verdict, decision }) } },
    );
    const { client, ended } = await sent({ host, port }, through(box));
    client.resume().end();
    await ended;
    expect([codes, accepted.length, box.refusals.map(({ code }) => code)]).toEqual([
      ['policy', 'dialled'],
      1,
      ['policy'],
    ]);
  });

  test('report a failure to the journal, and to the broker, which tells the client', async () => {
    const port = await closedPort();
    const box = brokering(port, carry);
    const { client, ended } = await sent({ host, port }, through(box));
    expect(await heard(client)).toBe('refused: unreachable');
    await ended;
    expect([box.refusals[0]?.code, box.connections[0]?.refusal?.code]).toEqual(['unreachable', 'unreachable']);
    expect(box.connections[0]).not.toHaveProperty('address');
  });

  // Attack: a rule leads the database's name to someone who collects passwords.
  test('never follow a redirect of a rule', async () => {
    const { port, accepted } = await serve();
    const policy = `[network]\nhosts = ["127.0.0.1:${port}", "other.example:${port}", "${host}:${port}"]\n[[connect]]\nname = "r"\ndecision = "redirect"\nredirect_to = "other.example:${port}"\nhosts = ["${host}"]`;
    const box = bench(policy, { broker: () => ({ name: 'postgres', serve: carry }) });
    const { client, ended } = await sent({ host, port }, through(box));
    expect(await heard(client)).toBe('refused: credential-unavailable');
    await ended;
    expect(accepted).toEqual([]);
    expect(box.refusals).toMatchObject([
      {
        code: 'credential-unavailable',
        message: `a rule redirects ${host}:${port} to other.example:${port}, and the credential is for ${host} alone`,
      },
    ]);
  });
});

describe('TLS of a broker', () => {
  /** Postgres: a request in the clear, one byte back, and then TLS. */
  const asPostgres = (more: (client: Socket, ways: BrokerWays) => Promise<void>): Broker['serve'] =>
    until(async (client, ways) => {
      await once(client, 'readable');
      expect(client.read(8)).toEqual(Buffer.from('SSL?....'));
      client.write('S');
      await more(client, ways);
    });

  async function clientOf(
    destination: Destination,
    box: Bench,
    options: { readonly servername?: string; readonly host?: string } = {},
  ) {
    const { client, ended } = await sent(destination, through(box));
    client.write('SSL?....');
    await once(client, 'readable');
    expect(String(client.read())).toBe('S');
    const secure = connectTls({ socket: client, ca: box.session.certificatePem, host: destination.host, ...options });
    secure.on('error', () => undefined);
    return { secure, ended };
  }

  test.each([
    ['with its name', host, { servername: host }],
    ['without a name', host, { servername: '', host }],
    ['on loopback, by address', '127.0.0.1', { host: '127.0.0.1' }],
    ['on loopback, by name', '127.0.0.1', { servername: 'localhost', host: 'localhost' }],
    ['on loopback, by name, over IPv6', '::1', { servername: 'localhost', host: 'localhost' }],
  ])('ends the client’s, after bytes in the clear, %s', async (_, name, options) => {
    const box = brokering(
      5432,
      asPostgres(async (client, ways) => {
        const secured = await ways.terminateTls(client);
        if (secured.kind === 'refused') throw new Error(secured.refusal.message);
        secured.socket.end('inside');
      }),
    );
    const { secure, ended } = await clientOf({ host: name, port: 5432 }, box, options);
    const said = heard(secure as unknown as Socket);
    expect(await said).toBe('inside');
    expect(secure.authorized).toBe(true);
    secure.destroy();
    await ended;
    expect(box.refusals).toEqual([]);
  });

  test('is refused to a client that names another host, with one record in the journal', async () => {
    const codes: string[] = [];
    const box = brokering(
      5432,
      asPostgres(async (client, ways) => {
        const secured = await ways.terminateTls(client);
        codes.push(secured.kind === 'refused' ? secured.refusal.code : secured.kind);
      }),
    );
    const { secure, ended } = await clientOf({ host, port: 5432 }, box, { servername: 'evil.example' });
    secure.resume();
    await ended;
    expect([codes, box.refusals.map(({ code }) => code), box.connections[0]?.refusal?.code]).toEqual([
      ['authority-mismatch'],
      ['authority-mismatch'],
      'authority-mismatch',
    ]);
  });

  /** A server that answers a request in the clear with a byte, and speaks TLS after it. */
  async function databaseWith(own: ReturnType<typeof identity>): Promise<number> {
    const behind = await tlsServer(own);
    const { port } = await serve((socket) =>
      socket.once('data', () => {
        socket.write('S');
        const inner = connect(behind.port, '127.0.0.1').on('error', () => socket.destroy());
        socket.pipe(inner).pipe(socket);
      }),
    );
    return port;
  }

  const securing = (outcome: (text: string) => void): Broker['serve'] =>
    until(async (client, ways) => {
      const dialled = await ways.dial();
      if (dialled.kind === 'refused') throw new Error(dialled.refusal.message);
      dialled.socket.write('SSL?....');
      await once(dialled.socket, 'readable');
      expect(String(dialled.socket.read(1))).toBe('S');
      const secured = await ways.secure(dialled.socket);
      if (secured.kind === 'refused') return outcome(secured.refusal.code);
      outcome(String((await once(secured.socket, 'data'))[0]));
      client.end();
    });

  test.each([
    [host, host],
    ['127.0.0.1', 'localhost'],
    ['::1', 'localhost'],
  ])('upstream starts after bytes in the clear: %s has to prove the name %s', async (name, proven) => {
    const port = await databaseWith(identity(upstreamAuthority, proven));
    const said: string[] = [];
    const box = brokering(
      port,
      securing((text) => said.push(text)),
    );
    const { client, ended } = await sent({ host: name, port }, through(box));
    client.resume().end();
    await ended;
    expect([said, box.refusals]).toEqual([['hello'], []]);
  });

  test.each([
    ['another name', identity(upstreamAuthority, 'evil.example')],
    ['another authority', identity(createAuthority(), host)],
  ])('upstream is refused with %s', async (_, own) => {
    const port = await databaseWith(own);
    const said: string[] = [];
    const box = brokering(
      port,
      securing((text) => said.push(text)),
    );
    const { client, ended } = await sent({ host, port }, through(box));
    client.resume().end();
    await ended;
    expect([said, box.refusals.map(({ code }) => code)]).toEqual([['upstream-certificate'], ['upstream-certificate']]);
  });
});

describe('records of a broker', () => {
  test('are statements, each with its user and database', async () => {
    const box = brokering(5432, async (_, ways) => {
      ways.record({ kind: 'statement', text: 'too early', decision: 'deny', outcome: '' });
      ways.record({ kind: 'session', user: 'app', database: 'shop', mode: 'read-only' });
      ways.record({ kind: 'statement', text: 'select 1', decision: 'allow', outcome: 'SELECT 1' });
      ways.record({ kind: 'session', user: 'other', mode: 'read-write' });
      ways.record({ kind: 'statement', text: 'drop table t', decision: 'deny', outcome: 'ERROR 25006' });
    });
    const { client, ended } = await sent({ host, port: 5432 }, through(box));
    client.resume().end();
    await ended;
    const common = { protocol: 'postgres', destination: { host, port: 5432 } };
    expect(box.statements).toEqual([
      { ...common, user: '', text: 'too early', decision: 'deny', outcome: '' },
      { ...common, user: 'app', database: 'shop', text: 'select 1', decision: 'allow', outcome: 'SELECT 1' },
      { ...common, user: 'other', text: 'drop table t', decision: 'deny', outcome: 'ERROR 25006' },
    ]);
  });

  test('give the denial as the reason, and the connection goes on', async () => {
    const refusal = { code: 'policy', message: 'm', remedy: 'r' } as const;
    const box = brokering(5432, async (_, ways) =>
      ways.record({ kind: 'statement', text: 'drop table t', decision: 'deny', outcome: 'ERROR 42501', refusal }),
    );
    const { client, ended } = await sent({ host, port: 5432 }, through(box));
    client.resume().end();
    await ended;
    expect(box.refusals).toMatchObject([refusal]);
    expect(box.statements).toMatchObject([{ text: 'drop table t', decision: 'deny' }]);
    expect(box.statements[0]).not.toHaveProperty('refusal');
    expect(box.connections[0]).not.toHaveProperty('refusal');
  });

  test('have refusals in the journal at once, and in the record of the connection', async () => {
    const refusal = { code: 'phantom-misused', message: 'm', remedy: 'r' } as const;
    const box = brokering(5432, async (_, ways) => ways.refused(refusal));
    const { client, ended } = await sent({ host, port: 5432 }, through(box));
    client.resume().end();
    await ended;
    expect([box.refusals, box.connections[0]?.refusal]).toEqual([[refusal], refusal]);
  });
});
