import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { stopClock } from '../testing/stopped-clock.ts';
import type { EgressRefusal } from '../types.ts';
import { createProxy, type ProxyServerOptions } from './create-proxy.ts';
import { newProxySecret } from './refusals.ts';
import { listening, type Names, startEcho, startProxy, talk, type TestProxy } from './testing/proxy.ts';

const closing: { close(): void }[] = [];
afterEach(() => {
  for (const each of closing.splice(0)) each.close();
});

async function proxyTo(
  names: Names | ((echo: number) => Names) = (echo) => ({ 'a.test': echo }),
  options: Partial<ProxyServerOptions> = {},
): Promise<TestProxy> {
  const echo = await startEcho();
  const proxy = await startProxy(typeof names === 'function' ? names(echo.port) : names, options);
  closing.push(echo, proxy);
  return proxy;
}

const policyRefusal: EgressRefusal = {
  code: 'policy',
  message: 'connecting to b.test:443 is refused: nothing in the policy grants it',
  remedy: 'add network.hosts = ["b.test:443"]',
};
const connectHead = ({ basic }: TestProxy, target = 'a.test:443', more = ''): string =>
  `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: Basic ${basic}\r\n${more}\r\n`;
const login = ({ secret }: TestProxy): Buffer =>
  Buffer.concat([
    Buffer.from([5, 1, 2]),
    Buffer.from([1, 8]),
    Buffer.from('holdfast'),
    Buffer.from([secret.length]),
    Buffer.from(secret),
  ]);
const socksRequest = (name: string, { command = 1, port = 443 } = {}): Buffer =>
  Buffer.concat([
    Buffer.from([5, command, 0, 3, name.length]),
    Buffer.from(name),
    Buffer.from([port >> 8, port & 255]),
  ]);
const succeeded = Buffer.from([5, 2, 1, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);

/** Sends everything at once, half-closes, and reads to the end. */
async function exchange(port: number, bytes: string | Uint8Array): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const answer: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => answer.push(chunk)).on('error', () => socket.destroy());
  socket.end(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  // `once` would take a reset for a failure of the test.
  await new Promise((resolve) => socket.on('close', resolve));
  return Buffer.concat(answer).toString('latin1');
}

describe('CONNECT', () => {
  test('opens a tunnel, with the bytes after the head as its first', async () => {
    const proxy = await proxyTo();
    expect(await exchange(proxy.port, `${connectHead(proxy)}hello`)).toBe(
      'HTTP/1.1 200 Connection established\r\n\r\nHELLO',
    );
    expect(proxy.handed).toMatchObject([{ front: 'connect', destination: { host: 'a.test', port: 443 } }]);
  });

  test('reads a head in any pieces', async () => {
    const proxy = await proxyTo();
    const head = connectHead(proxy);
    for (const at of [1, 7, 8, head.length - 3, head.length - 2, head.length - 1]) {
      const socket = connect(proxy.port, '127.0.0.1');
      socket.setNoDelay().write(head.slice(0, at));
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket.write(`${head.slice(at)}x`);
      let text = '';
      for await (const chunk of socket.setEncoding('latin1')) {
        text += String(chunk);
        if (text.endsWith('X')) break;
      }
      expect(text).toBe('HTTP/1.1 200 Connection established\r\n\r\nX');
    }
  });

  test.each([
    ['[::1]:443', '::1', 443],
    ['127.1:80', '127.0.0.1', 80],
    ['A.TEST.:8443', 'a.test', 8443],
  ])('%s has one canonical spelling', async (target, host, port) => {
    const proxy = await proxyTo({});
    await exchange(proxy.port, connectHead(proxy, target));
    expect(proxy.handed.map(({ destination }) => destination)).toEqual([{ host, port }]);
  });

  test('gives the reason of a refusal', async () => {
    const proxy = await proxyTo({ 'b.test': policyRefusal });
    const answer = await exchange(proxy.port, `${connectHead(proxy, 'b.test:443')}early data that nobody reads`);
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    expect(answer).toContain('nothing in the policy grants it');
    expect(answer).toContain('add network.hosts = ["b.test:443"]');
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  });

  test.each<[string, string, number]>([
    ['without a port', 'CONNECT a.test HTTP/1.1', 400],
    ['with port 0', 'CONNECT a.test:0 HTTP/1.1', 400],
    ['with a URL', 'CONNECT http://a.test:443/ HTTP/1.1', 400],
    ['with credentials', 'CONNECT user@a.test:443 HTTP/1.1', 400],
    ['with an escape', 'CONNECT a%2etest:443 HTTP/1.1', 400],
    ['with a NUL', 'CONNECT a\0.test:443 HTTP/1.1', 400],
    ['with two blanks', 'CONNECT  a.test:443 HTTP/1.1', 400],
    ['with a tab', 'CONNECT\ta.test:443 HTTP/1.1', 400],
    ['in HTTP/0.9', 'CONNECT a.test:443', 400],
    ['in HTTP/2', 'PRI * HTTP/2.0', 505],
    ['with an odd name', 'CONNECT 256.0.0.1:443 HTTP/1.1', 400],
  ])('%s is refused', async (_, line, status) => {
    const proxy = await proxyTo();
    expect(await exchange(proxy.port, `${line}\r\nProxy-Authorization: Basic ${proxy.basic}\r\n\r\n`)).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} `),
    );
    expect(proxy.handed).toEqual([]);
    expect(proxy.refusals).toHaveLength(1);
  });

  test.each<[string, string, number]>([
    ['another host', 'Host: evil.test', 421],
    ['another port', 'Host: a.test:80', 421],
    ['two hosts', 'Host: a.test\r\nHost: a.test', 421],
    ['content', 'Content-Length: 5', 400],
    ['chunks', 'Transfer-Encoding: chunked', 400],
    ['a folded line', 'A: b\r\n c', 400],
    ['a blank before the colon', 'A : b', 400],
    ['no colon', 'A', 400],
    ['a bare CR', 'A: b\rc', 400],
    ['a bare LF', 'A: b\nProxy-Foo: c', 400],
    ['a NUL', 'A: b\0c', 400],
    ['300 fields', Array.from({ length: 300 }, (__, index) => `A${index}: b`).join('\r\n'), 431],
  ])('%s in the head is refused', async (_, field, status) => {
    const proxy = await proxyTo();
    expect(
      await exchange(
        proxy.port,
        `CONNECT a.test:443 HTTP/1.1\r\n${field}\r\nProxy-Authorization: Basic ${proxy.basic}\r\n\r\n`,
      ),
    ).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(proxy.handed).toEqual([]);
  });

  test('a head of 16 KiB is the longest', async () => {
    const proxy = await proxyTo();
    expect(await exchange(proxy.port, connectHead(proxy, 'a.test:443', `A: ${'b'.repeat(16_000)}\r\n`))).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    expect(await exchange(proxy.port, connectHead(proxy, 'a.test:443', `A: ${'b'.repeat(17_000)}\r\n`))).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    expect(await exchange(proxy.port, `CONNECT ${'a'.repeat(40_000)}`)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('requests in absolute form', () => {
  const get = ({ basic }: TestProxy, more = ''): string =>
    `GET http://a.test/x?y HTTP/1.1\r\nHost: a.test\r\nproxy-authorization: Basic ${basic}\r\nProxy-Connection: keep-alive\r\n${more}\r\n`;

  test('reach the destination in origin form, once per connection, with their content', async () => {
    const proxy = await proxyTo();
    const seen = await exchange(proxy.port, `${get(proxy, 'Content-Length: 4\r\n')}body`);
    expect(seen).toBe('GET /X?Y HTTP/1.1\r\nHOST: A.TEST\r\nCONNECTION: CLOSE\r\nCONTENT-LENGTH: 4\r\n\r\nBODY');
    expect(proxy.handed).toMatchObject([{ front: 'absolute-form', destination: { host: 'a.test', port: 80 } }]);
  });

  test('never carry the secret further', async () => {
    const proxy = await proxyTo();
    const seen = (await exchange(proxy.port, get(proxy))).toLowerCase();
    for (const word of ['proxy', proxy.basic.toLowerCase(), proxy.secret.toLowerCase()])
      expect(seen).not.toContain(word);
  });

  test.each<[string, string, number]>([
    ['a path', 'GET /x HTTP/1.1', 400],
    ['https', 'GET https://a.test/ HTTP/1.1', 400],
    ['ftp', 'GET ftp://a.test/ HTTP/1.1', 400],
    ['credentials', 'GET http://u:p@a.test/ HTTP/1.1', 400],
    ['an empty host', 'GET http:///x HTTP/1.1', 400],
    ['a fragment', 'GET http://a.test/#x HTTP/1.1', 400],
    ['a lone star', 'OPTIONS * HTTP/1.1', 400],
    ['another Host', 'GET http://a.test/ HTTP/1.1\r\nHost: b.test', 421],
  ])('%s is refused', async (_, line, status) => {
    const proxy = await proxyTo();
    expect(await exchange(proxy.port, `${line}\r\nProxy-Authorization: Basic ${proxy.basic}\r\n\r\n`)).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} `),
    );
    expect(proxy.handed).toEqual([]);
  });

  test('get a refusal in the requested form', async () => {
    const proxy = await proxyTo({ 'a.test': policyRefusal });
    const answer = await exchange(proxy.port, get(proxy, 'Accept: application/json\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      error: { code: 'policy', remedy: policyRefusal.remedy },
    });
  });
});

describe('a client without the secret', () => {
  test.each([
    ['nothing', ''],
    [
      'another secret',
      `Proxy-Authorization: Basic ${Buffer.from(`holdfast:${newProxySecret()}`).toString('base64')}\r\n`,
    ],
    ['Authorization', 'Authorization: Basic aG9sZGZhc3Q6eA==\r\n'],
  ])('gets 407 for %s, and no other information', async (_, field) => {
    const proxy = await proxyTo();
    for (const line of ['CONNECT a.test:443', 'CONNECT nonsense', 'GET http://a.test/', 'GET /']) {
      const answer = await exchange(proxy.port, `${line} HTTP/1.1\r\nHost: a.test\r\n${field}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 407 Proxy Authentication Required\r\n/);
      expect(answer).toMatch(/\r\nproxy-authenticate: Basic realm="holdfast"\r\n/i);
      expect(answer).not.toContain(proxy.secret);
    }
    expect(proxy.handed).toEqual([]);
    expect(proxy.refusals.map(({ code }) => code)).toEqual(Array(4).fill('unauthorised-proxy'));
    expect(JSON.stringify(proxy.refusals)).not.toContain(proxy.secret);
  });

  test('is not admitted over SOCKS5', async () => {
    const proxy = await proxyTo();
    expect([...(await talk(proxy.port, Buffer.from([5, 1, 0])))]).toEqual([5, 255]);
    expect([...(await talk(proxy.port, Buffer.from([5, 2, 0, 1])))]).toEqual([5, 255]);
    expect([
      ...(await talk(proxy.port, Buffer.from([5, 1, 2]), Buffer.from([1, 8, ...Buffer.from('holdfast'), 1, 0x78]))),
    ]).toEqual([5, 2, 1, 1]);
    expect([
      ...(await talk(proxy.port, Buffer.concat([Buffer.from([5, 1, 2, 1, 0, 0]), socksRequest('a.test')]))),
    ]).toEqual([5, 2, 1, 1]);
    expect(proxy.handed).toEqual([]);
    expect(proxy.refusals).toHaveLength(4);
  });
});

describe('SOCKS5', () => {
  test('opens a tunnel by name, with the bytes after the request as its first', async () => {
    const proxy = await proxyTo();
    const answer = await exchange(
      proxy.port,
      Buffer.concat([login(proxy), socksRequest('A.test'), Buffer.from('hello')]),
    );
    expect(Buffer.from(answer, 'latin1')).toEqual(Buffer.concat([succeeded, Buffer.from('HELLO')]));
    expect(proxy.handed).toMatchObject([{ front: 'socks5', destination: { host: 'a.test', port: 443 } }]);
  });

  test('byte by byte', async () => {
    const proxy = await proxyTo();
    const all = Buffer.concat([login(proxy), socksRequest('a.test')]);
    const socket = connect(proxy.port, '127.0.0.1').setNoDelay();
    for (const byte of all) {
      socket.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    socket.end('x');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks)).toEqual(Buffer.concat([succeeded, Buffer.from('X')]));
  });

  test.each<[string, Buffer, number]>([
    ['BIND', socksRequest('a.test', { command: 2 }), 7],
    ['UDP ASSOCIATE', socksRequest('a.test', { command: 3 }), 7],
    ['an unknown command', socksRequest('a.test', { command: 9 }), 7],
    ['an unknown address type', Buffer.from([5, 1, 0, 9, 1, 2, 3, 4, 0, 80]), 8],
    ['port 0', socksRequest('a.test', { port: 0 }), 1],
    ['a name with a NUL', socksRequest('a.test\0.evil'), 1],
    ['a name with a line break', socksRequest('a.test\r\nX'), 1],
    ['an empty name', socksRequest(''), 1],
    ['a name of 255 octets', socksRequest('a.'.repeat(127) + 'a'), 1],
    ['a missing name', socksRequest('gone.test'), 4],
    ['a name that the policy refuses', socksRequest('b.test'), 2],
  ])('%s has its own reply', async (...[, request, code]) => {
    const proxy = await proxyTo((echo) => ({ 'a.test': echo, 'b.test': policyRefusal }));
    expect([...(await talk(proxy.port, login(proxy), request))]).toEqual([5, 2, 1, 0, 5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
  });

  test.each<[string, Buffer]>([
    ['credentials of another version', Buffer.from([5, 1, 2, 2, 1, 0x61, 1, 0x61])],
    ['no methods', Buffer.from([5, 0])],
  ])('%s end in a reset', async (_, bytes) => {
    const proxy = await proxyTo();
    expect((await talk(proxy.port, bytes)).length).toBeLessThanOrEqual(2);
    expect(proxy.refusals).toMatchObject([{ code: 'malformed-request' }]);
  });

  test('SOCKS4 is refused in its own form', async () => {
    const proxy = await proxyTo();
    expect([...(await talk(proxy.port, Buffer.from([4, 1, 1, 187, 127, 0, 0, 1, 0])))]).toEqual([
      0, 91, 0, 0, 0, 0, 0, 0,
    ]);
    expect([
      ...(await talk(proxy.port, Buffer.from([4, 1, 1, 187, 0, 0, 0, 1, 0, ...Buffer.from('a.test'), 0]))),
    ]).toEqual([0, 91, 0, 0, 0, 0, 0, 0]);
    expect(proxy.refusals[0]).toMatchObject({
      message: expect.stringContaining('SOCKS4'),
      remedy: expect.stringContaining('socks5h://'),
    });
  });
});

describe('bytes of neither protocol', () => {
  test.each([
    ['TLS', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]), /without TLS/],
    ['zeros', Buffer.alloc(100), /neither HTTP nor SOCKS5/],
    ['SSH in capitals that go on', Buffer.from('SSH-2.0-x\n'), /bare LF/],
  ])('%s is cut off, with a reason', async (_, bytes, message) => {
    const proxy = await proxyTo();
    await talk(proxy.port, bytes);
    expect(proxy.refusals).toMatchObject([{ code: 'malformed-request', message: expect.stringMatching(message) }]);
    expect(proxy.handed).toEqual([]);
  });
});

describe('slow, half-open and broken clients', () => {
  test.each(['', 'C', 'CONNECT a.test:443 HTTP/1.1\r\nA: b\r\n', '\x05', '\x05\x01\x02', '\x05\x01\x02\x01\x08hold'])(
    '%j followed by silence is cut off',
    async (bytes) => {
      const proxy = await proxyTo({}, { patience: 60 });
      const started = performance.now();
      await talk(proxy.port, bytes);
      // By itself it would be cut off after ten seconds.
      expect(performance.now() - started).toBeLessThan(8000);
      expect(proxy.handed).toEqual([]);
    },
  );

  test('a byte now and then does not extend the time', async () => {
    const proxy = await proxyTo({}, { patience: 80 });
    const socket = connect(proxy.port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    const drip = setInterval(() => socket.writable && socket.write('A'), 10);
    const started = performance.now();
    // Not `once`, which rejects for the reset that a byte on its way may meet.
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(drip);
    expect(performance.now() - started).toBeLessThan(8000);
  });

  test('the deadline ends with the hand-over', async () => {
    const proxy = await proxyTo(undefined, { patience: 50 });
    const clock = stopClock();
    const socket = connect(proxy.port, '127.0.0.1').setNoDelay().setEncoding('latin1');
    socket.write(connectHead(proxy));
    await once(socket, 'data');
    await clock.pass(120);
    socket.write('still here');
    expect(String((await once(socket, 'data'))[0])).toBe('STILL HERE');
    socket.destroy();
  });

  test('a client may leave at any moment', async () => {
    const proxy = await proxyTo();
    const head = connectHead(proxy);
    for (const bytes of ['', 'C', head.slice(0, 30), head, '\x05', '\x05\x01\x02', '\x04', '\x16\x03']) {
      for (const leave of ['destroy', 'resetAndDestroy'] as const) {
        const socket = connect(proxy.port, '127.0.0.1');
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(Buffer.from(bytes, 'latin1'), () => socket[leave]());
        await once(socket, 'close');
      }
    }
    expect(await exchange(proxy.port, `${head}x`)).toMatch(/X$/);
  });

  test('a reset after the hand-over does not end the process', async () => {
    const proxy = await proxyTo({}, { open: async ({ client, reached }) => void (reached(), client.resume()) });
    const socket = connect(proxy.port, '127.0.0.1');
    socket.write(connectHead(proxy));
    await once(socket, 'data');
    socket.resetAndDestroy();
    const { client } = proxy.handed[0] ?? {};
    await new Promise((resolve) => client?.on('close', resolve));
    expect(client?.errored).toMatchObject({ code: 'ECONNRESET' });
    expect(await exchange(proxy.port, 'GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 407 /);
  });

  test('an exception in the pipeline ends its client and nothing else', async () => {
    const broken = async (): Promise<void> => {
      throw new Error('broken');
    };
    const proxy = await proxyTo({}, { open: broken });
    expect(await exchange(proxy.port, connectHead(proxy))).toBe('');
    expect(await exchange(proxy.port, 'GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 407 /);
  });

  test('the number of clients before authentication is limited', async () => {
    const proxy = await proxyTo(undefined, { mostAdmissions: 3, patience: 60_000 });
    const waiting = Array.from({ length: 3 }, () => connect(proxy.port, '127.0.0.1'));
    await Promise.all(waiting.map((socket) => once(socket, 'connect')));
    expect(await exchange(proxy.port, connectHead(proxy))).toBe('');
    expect(proxy.refusals).toMatchObject([{ code: 'overloaded' }]);
    for (const socket of waiting) socket.destroy();
    await expect.poll(() => exchange(proxy.port, `${connectHead(proxy)}x`)).toMatch(/X$/);
  });

  test('an error of the listening socket does not end the proxy', async () => {
    const errors: Error[] = [];
    const nobody = async (): Promise<void> => undefined;
    const server = createProxy({
      secret: newProxySecret(),
      open: nobody,
      intercept: nobody,
      failed: (error) => errors.push(error),
    });
    const port = await listening(server);
    server.emit('error', Object.assign(new Error('too many open files'), { code: 'EMFILE' }));
    expect(errors).toHaveLength(1);
    expect(await exchange(port, 'GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1\.1 407 /);
    server.close();
  });
});

describe('one client gets one answer', () => {
  test('a refusal after the tunnel is open is a reset, never bytes of HTTP in it', async () => {
    const proxy = await proxyTo(
      {},
      {
        open: async (connection) => {
          connection.reached();
          connection.reached();
          connection.refuse(policyRefusal);
          connection.refuse(policyRefusal);
        },
      },
    );
    expect(['', 'HTTP/1.1 200 Connection established\r\n\r\n']).toContain(
      await exchange(proxy.port, connectHead(proxy)),
    );
  });

  test('nothing is sent after a refusal', async () => {
    const proxy = await proxyTo(
      {},
      {
        open: async (connection) => {
          connection.refuse(policyRefusal);
          connection.refuse(policyRefusal);
          connection.reached();
        },
      },
    );
    const answer = await exchange(proxy.port, connectHead(proxy));
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect([...(await talk(proxy.port, login(proxy), socksRequest('b.test')))]).toEqual([
      5, 2, 1, 0, 5, 2, 0, 1, 0, 0, 0, 0, 0, 0,
    ]);
  });
});

test('a thousand clients at once are all served', async () => {
  const proxy = await proxyTo();
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, index) =>
      exchange(
        proxy.port,
        index % 2 === 0
          ? `${connectHead(proxy)}x`
          : Buffer.concat([login(proxy), socksRequest('a.test'), Buffer.from('x')]),
      ),
    ),
  );
  expect(answers.filter((answer) => answer.endsWith('X'))).toHaveLength(1000);
});
