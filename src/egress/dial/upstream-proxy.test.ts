import { once } from 'node:events';
import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createAuthority } from '../tls/authority.ts';
import { identity } from '../tls/testing/servers.ts';
import { createUpstreamTrust } from '../tls/upstream-trust.ts';
import { createServer } from 'node:tls';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Dialled, Refused, Vetted } from '../types.ts';
import { proxySettings } from './proxy-settings.ts';
import { blackHole, closedPort, codeOf, readAll, serve, socketOf } from './testing/loopback.ts';
import { httpProxy, socksProxy } from './testing/proxies.ts';
import { createDialler, type DiallerContext, type DiallerOptions } from './upstream-proxy.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const noTrust = () => createUpstreamTrust({ roots: [] });

function through(proxy: string, more: Partial<DiallerContext> = {}) {
  return createDialler({ proxies: proxySettings({ ALL_PROXY: proxy }), trust: noTrust, ...more });
}

function vetted(port: number, addresses: readonly string[] = ['93.184.215.14'], host = 'example.test'): Vetted {
  return { kind: 'vetted', destination: { host, port }, addresses };
}

function messageOf(outcome: Dialled | Refused): string {
  return outcome.kind === 'refused' ? `${outcome.refusal.message} | ${outcome.refusal.remedy}` : 'dialled';
}

test('only another Holdfast may hold a connection while a person decides', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const silent = await serve(() => undefined);
  const ends: Record<string, string> = {};
  for (const user of ['someone', 'holdfast'])
    void through(`http://${user}:secret@127.0.0.1:${silent.port}`)(vetted(443)).then((outcome) => {
      ends[user] = codeOf(outcome);
    });
  vi.advanceTimersByTime(10_000);
  await expect.poll(() => ends).toEqual({ someone: 'upstream-timeout' });
  vi.advanceTimersByTime(890_000);
  await expect.poll(() => ends).toEqual({ someone: 'upstream-timeout', holdfast: 'upstream-timeout' });
});

describe.each([
  ['http', httpProxy],
  ['socks5h', socksProxy],
] as const)('a proxy of kind %s', (scheme, start) => {
  test('is asked for the vetted address', async () => {
    const proxy = await start();
    const server = await serve((socket) => socket.on('data', (chunk) => socket.end(`heard ${chunk.toString()}`)));
    const outcome = await through(`${scheme}://127.0.0.1:${proxy.port}`)(vetted(server.port));
    const socket = socketOf(outcome);
    expect(outcome).toMatchObject({ address: '93.184.215.14' });
    expect(socket.isPaused()).toBe(true);
    socket.write('hello');
    expect(await readAll(socket)).toBe('heard hello');
    expect(proxy.asked.length).toBe(1);
    expect(proxy.asked[0]).toContain(
      scheme === 'http' ? `CONNECT 93.184.215.14:${server.port} HTTP/1.1\r\n` : '050100015db8d70e',
    );
  });

  test('is asked for an IPv6 address', async () => {
    const proxy = await start();
    const server = await serve();
    socketOf(await through(`${scheme}://127.0.0.1:${proxy.port}`)(vetted(server.port, ['2606:4700::1111'])));
    expect(proxy.asked[0]).toContain(
      scheme === 'http'
        ? `CONNECT [2606:4700::1111]:${server.port} HTTP/1.1\r\nHost: [2606:4700::1111]:`
        : '0501000426064700000000000000000000001111',
    );
  });

  test('is asked for the name, if the host cannot resolve it or the caller wants that', async () => {
    const proxy = await start();
    const server = await serve();
    socketOf(await through(`${scheme}://127.0.0.1:${proxy.port}`)(vetted(server.port, [])));
    socketOf(await through(`${scheme}://127.0.0.1:${proxy.port}`, { ask: 'name' })(vetted(server.port)));
    for (const asked of proxy.asked)
      expect(asked).toContain(
        scheme === 'http'
          ? `CONNECT example.test:${server.port} `
          : `050100030c${Buffer.from('example.test').toString('hex')}`,
      );
    expect(proxy.asked.length).toBe(2);
  });

  test('a server’s first bytes are not lost', async () => {
    const proxy = await start();
    const server = await serve((socket) => socket.end('SSH-2.0-server\r\n'));
    expect(await readAll(socketOf(await through(`${scheme}://127.0.0.1:${proxy.port}`)(vetted(server.port))))).toBe(
      'SSH-2.0-server\r\n',
    );
  });

  test('a reader with its own buffer gets everything, in pieces that fit', async () => {
    const payload = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const proxy = await start();
    const server = await serve((socket) => socket.end(payload));
    const pieces: Buffer[] = [];
    const buffer = Buffer.alloc(1000);
    const onread = {
      buffer: () => buffer,
      callback: (length: number, bytes: Uint8Array) => pieces.push(Buffer.from(bytes.subarray(0, length))) > 0,
    };
    const socket = socketOf(await through(`${scheme}://127.0.0.1:${proxy.port}`)(vetted(server.port), { onread }));
    expect(pieces.length).toBe(0);
    socket.resume();
    await once(socket, 'end');
    expect(Buffer.concat(pieces).equals(payload)).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1000);
  });

  test('is reported if it is down, without its password', async () => {
    const port = await closedPort();
    const outcome = await through(`${scheme}://user:hunter2@127.0.0.1:${port}`)(vetted(443));
    expect(codeOf(outcome)).toBe('unreachable');
    expect(messageOf(outcome)).toContain(
      `the proxy 127.0.0.1:${port} cannot be reached (ECONNREFUSED) | check that ALL_PROXY`,
    );
    expect(inspect(outcome, { depth: 9 })).not.toContain('hunter2');
  });

  test('is abandoned after the deadline if it never answers, and its connection closed', async () => {
    const proxy = await serve((socket) => socket.resume());
    const start = performance.now();
    const outcome = await through(`${scheme}://127.0.0.1:${proxy.port}`)(vetted(443), { timeout: 200 });
    expect(codeOf(outcome)).toBe('upstream-timeout');
    // By itself it would be given up after ten seconds.
    expect(performance.now() - start).toBeLessThan(8000);
    await expect.poll(() => proxy.accepted[0]?.readableEnded).toBe(true);
  });

  test('is abandoned after the deadline if it cannot be reached', async () => {
    const port = await blackHole();
    expect(codeOf(await through(`${scheme}://127.0.0.1:${port}`)(vetted(443), { timeout: 200 }))).toBe(
      'upstream-timeout',
    );
  });

  test('is released when the client goes', async () => {
    const proxy = await serve((socket) => socket.resume());
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(
      messageOf(await through(`${scheme}://127.0.0.1:${proxy.port}`)(vetted(443), { signal: controller.signal })),
    ).toMatch(/given up/);
    expect(
      messageOf(await through(`${scheme}://127.0.0.1:${proxy.port}`)(vetted(443), { signal: AbortSignal.abort() })),
    ).toMatch(/given up/);
  });

  test('is not asked for loopback', async () => {
    const proxy = await start();
    const server = await serve();
    socketOf(await through(`${scheme}://127.0.0.1:${proxy.port}`)(vetted(server.port, ['127.0.0.1'], 'localhost')));
    socketOf(
      await through(`${scheme}://127.0.0.1:${proxy.port}`, { ask: 'name' })(
        vetted(server.port, ['127.0.0.1'], '127.0.0.1'),
      ),
    );
    expect(proxy.asked).toEqual([]);
  });

  test('any garbage in an answer is a refusal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 40 }), async (garbage) => {
        const proxy = await serve((socket) => socket.once('data', () => socket.end(garbage)));
        const outcome = await through(`${scheme}://127.0.0.1:${proxy.port}`)(vetted(443), { timeout: 500 });
        expect(['unreachable', 'upstream-protocol', 'upstream-timeout']).toContain(codeOf(outcome));
      }),
      { numRuns: rounds(30) },
    );
  });
});

describe('HTTP proxies', () => {
  test('get the user and password', async () => {
    const proxy = await httpProxy();
    const server = await serve();
    socketOf(await through(`http://us%40er:hunter2@127.0.0.1:${proxy.port}`)(vetted(server.port)));
    expect(proxy.asked[0]).toContain(
      `\r\nProxy-Authorization: Basic ${Buffer.from('us@er:hunter2').toString('base64')}\r\n\r\n`,
    );
  });

  test.each([
    [407, 'unreachable', /wants other credentials \(407\) \| write them into ALL_PROXY/],
    [403, 'unreachable', /does not allow it \(403\)/],
    [502, 'unreachable', /cannot reach it \(502\)/],
    [301, 'unreachable', /answered 301/],
    [100, 'unreachable', /answered 100/],
  ])('status %i', async (...[status, code, message]) => {
    const proxy = await httpProxy((_, socket) => socket.end(`HTTP/1.1 ${status} Reason\r\nContent-Length: 0\r\n\r\n`));
    const outcome = await through(`http://user:hunter2@127.0.0.1:${proxy.port}`)(vetted(443));
    expect(codeOf(outcome)).toBe(code);
    expect(messageOf(outcome)).toMatch(message);
    expect(inspect(outcome, { depth: 9 })).not.toContain('hunter2');
  });

  test('that refuse keep no open connection', async () => {
    const proxy = await httpProxy(
      (_, socket) => void socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 5\r\n\r\nno'),
    );
    await through(`http://127.0.0.1:${proxy.port}`)(vetted(443));
    const [socket] = proxy.accepted;
    if (socket?.closed === false)
      await new Promise((resolve) => socket.resume().once('end', resolve).once('close', resolve));
    expect(socket?.readableEnded === true || socket?.destroyed === true).toBe(true);
  });

  test.each([
    [
      'an endless head',
      (socket: Socket) => void setInterval(() => socket.write('X-A: b\r\n'.repeat(1000)), 1).unref(),
      /longer than 16384/,
    ],
    ['another protocol', (socket: Socket) => void socket.write('SSH-2.0-x\r\n'), /not HTTP/],
    ['no answer', (socket: Socket) => void socket.end(), /without an answer/],
    ['half an answer', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\n'), /without an answer/],
    ['a reset', (socket: Socket) => void socket.resetAndDestroy(), /without an answer/],
    ['HTTP/2', (socket: Socket) => void socket.write('HTTP/2 200\r\n\r\n'), /not HTTP/],
    ['a status of four digits', (socket: Socket) => void socket.write('HTTP/1.1 2000 OK\r\n\r\n'), /not HTTP/],
  ])('%s', async (...[, reply, message]) => {
    const proxy = await httpProxy((_, socket) => {
      socket.write('');
      const head = message.source.includes('16384') ? 'HTTP/1.1 200 OK\r\n' : '';
      if (head !== '') socket.write(head);
      reply(socket);
    });
    const outcome = await through(`http://127.0.0.1:${proxy.port}`)(vetted(443), { timeout: 3000 });
    expect(codeOf(outcome)).toBe('upstream-protocol');
    expect(messageOf(outcome)).toMatch(message);
  });

  test('that send one byte at a time are understood', async () => {
    const proxy = await httpProxy((_, socket) => {
      const answer = 'HTTP/1.0 200 OK\r\nA: b\r\n\r\nhello';
      void (async () => {
        for (const byte of answer) {
          socket.write(byte);
          await new Promise((resolve) => setImmediate(resolve));
        }
        socket.end();
      })();
    });
    expect(await readAll(socketOf(await through(`http://127.0.0.1:${proxy.port}`)(vetted(443))))).toBe('hello');
  });

  test('that refuse one address are asked for the next one', async () => {
    const server = await serve((socket) => socket.end('hello'));
    const proxy = await httpProxy((head, socket) => {
      if (head.includes('[')) return void socket.end('HTTP/1.1 502 no IPv6\r\n\r\n');
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      connect(server.port, '127.0.0.1').pipe(socket);
    });
    const outcome = await through(`http://127.0.0.1:${proxy.port}`)(
      vetted(server.port, ['2606:4700::1111', '93.184.215.14']),
    );
    expect(outcome).toMatchObject({ address: '93.184.215.14' });
    expect(await readAll(socketOf(outcome))).toBe('hello');
  });
});

describe('SOCKS5 proxies', () => {
  test('get the user and password', async () => {
    const proxy = await socksProxy({ user: 'us@er', password: 'hunter2' });
    const server = await serve((socket) => socket.end('hello'));
    expect(
      await readAll(socketOf(await through(`socks5h://us%40er:hunter2@127.0.0.1:${proxy.port}`)(vetted(server.port)))),
    ).toBe('hello');
  });

  test('that want other credentials are reported', async () => {
    const proxy = await socksProxy({ user: 'user', password: 'other' });
    const wrong = await through(`socks5h://user:hunter2@127.0.0.1:${proxy.port}`)(vetted(443));
    const none = await through(`socks5h://127.0.0.1:${proxy.port}`)(vetted(443));
    for (const outcome of [wrong, none])
      expect(messageOf(outcome)).toMatch(/wants other credentials \| write them into ALL_PROXY/);
    expect(inspect(wrong, { depth: 9 })).not.toContain('hunter2');
  });

  test.each([
    [1, /failed/],
    [2, /does not allow it/],
    [4, /cannot reach it/],
    [5, /was refused there/],
    [8, /this kind of address/],
    [99, /failed \(SOCKS reply 99\)/],
  ])('reply %i', async (reply, message) => {
    const proxy = await socksProxy({ reply });
    const outcome = await through(`socks5h://127.0.0.1:${proxy.port}`)(vetted(443));
    expect(codeOf(outcome)).toBe('unreachable');
    expect(messageOf(outcome)).toMatch(message);
  });
});

describe('an https proxy', () => {
  async function tlsProxy(host: string): Promise<{ readonly port: number; readonly trust: DiallerContext['trust'] }> {
    const authority = createAuthority();
    const server = createServer(identity(authority, host), (socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nover TLS'));
    });
    server.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return {
      port: (server.address() as AddressInfo).port,
      trust: () => createUpstreamTrust({ roots: [authority.certificatePem] }),
    };
  }

  test('is reached over TLS, verified for its name', async () => {
    const { port, trust } = await tlsProxy('127.0.0.1');
    expect(
      await readAll(socketOf(await through(`https://user:hunter2@127.0.0.1:${port}`, { trust })(vetted(443)))),
    ).toBe('over TLS');
  });

  test('with a certificate for another host gets no credentials', async () => {
    const { port, trust } = await tlsProxy('other.example');
    const outcome = await through(`https://user:hunter2@127.0.0.1:${port}`, { trust })(vetted(443));
    expect(codeOf(outcome)).toBe('upstream-certificate');
    expect(inspect(outcome, { depth: 9 })).not.toContain('hunter2');
  });

  test('without trust gets no credentials either', async () => {
    const { port } = await tlsProxy('127.0.0.1');
    expect(codeOf(await through(`https://user:hunter2@127.0.0.1:${port}`)(vetted(443)))).toBe('upstream-certificate');
  });
});

test('without a proxy the dial is direct', async () => {
  const server = await serve((socket) => socket.end('hello'));
  const dialler = createDialler({ proxies: proxySettings({}), trust: noTrust });
  const options: DiallerOptions = { use: 'https' };
  expect(await readAll(socketOf(await dialler(vetted(server.port, ['127.0.0.1']), options)))).toBe('hello');
});

test('an invalid proxy variable is named in the error', async () => {
  const outcome = await through('socks4://user:hunter2@proxy.example')(vetted(443));
  expect(messageOf(outcome)).toBe(
    'the proxy in ALL_PROXY cannot be used: socks4:// proxies are not supported | correct ALL_PROXY, or unset it',
  );
});
