import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beforeTimer } from '../../../scripts/testing/before-timer.ts';
import { blackHole, closedPort } from '../dial/testing/loopback.ts';
import { verdictOf } from '../ssrf/testing/authorities.ts';
import { fetchUrl } from './fetch-url.ts';
import { messageOf, outcomeOf, rawWeb, textOf, web, world } from './testing/web.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

describe('a fetch', () => {
  test('gives status, type, final URL and text', async () => {
    const port = await web((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('gr\u00fc\u00df dich'),
    );
    const { context } = world({ ports: [port] });
    expect(await fetchUrl(`http://a.test:${port}/x?y=z`, context)).toEqual({
      kind: 'text',
      status: 200,
      finalUrl: `http://a.test:${port}/x?y=z`,
      contentType: 'text/plain; charset=utf-8',
      truncated: false,
      redirects: [],
      text: 'gr\u00fc\u00df dich',
      form: 'source',
      findings: [],
    });
  });

  test('sends only the needed fields', async () => {
    const port = await web((request, response) =>
      response.end(JSON.stringify([request.method, request.url, request.rawHeaders])),
    );
    const { context } = world({ ports: [port] });
    const [method, path, raw] = JSON.parse(
      textOf(await fetchUrl(`http://a.test:${port}/a/../b?c=d#e`, context, { headers: { 'X-Key': 'k' } })),
    ) as [string, string, string[]];
    expect([method, path]).toEqual(['GET', '/b?c=d']);
    expect(raw).toEqual([
      'host',
      `a.test:${port}`,
      'user-agent',
      'holdfast-fetch',
      'accept',
      '*/*',
      'x-key',
      'k',
      'accept-encoding',
      'gzip, deflate, br',
      'connection',
      'close',
    ]);
  });

  test('posts a body', async () => {
    const port = await web((request, response) => {
      void request
        .toArray()
        .then((chunks) =>
          response.end(
            `${request.method} ${request.headers['content-length']} ${Buffer.concat(chunks as Buffer[]).toString()}`,
          ),
        );
    });
    const { context } = world({ ports: [port] });
    expect(textOf(await fetchUrl(`http://a.test:${port}/`, context, { method: 'POST', body: 'hello' }))).toBe(
      'POST 5 hello',
    );
    expect(textOf(await fetchUrl(`http://a.test:${port}/`, context, { method: 'POST' }))).toBe('POST 0 ');
    expect(
      textOf(await fetchUrl(`http://a.test:${port}/`, context, { method: 'PUT', body: Uint8Array.of(120, 121) })),
    ).toBe('PUT 2 xy');
  });

  test.each(['get', 'CONNECT', 'TRACE', 'TRACK', 'GET / HTTP/1.1\r\nX:', '', 'A'.repeat(21)])(
    'the method %j is refused',
    async (method) => {
      const { context, lookups } = world();
      expect(outcomeOf(await fetchUrl('http://a.test/', context, { method }))).toBe('malformed-request');
      expect(lookups).toEqual([]);
    },
  );

  test('an error status of the server is a result', async () => {
    const port = await web((_, response) =>
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"gone"}'),
    );
    const { context } = world({ ports: [port] });
    expect(await fetchUrl(`http://a.test:${port}/`, context)).toMatchObject({
      kind: 'text',
      status: 404,
      text: '{"error":"gone"}',
    });
  });

  test('HEAD, 204 and 304 have no body', async () => {
    const port = await web((request, response) =>
      response
        .writeHead(request.url === '/204' ? 204 : request.url === '/304' ? 304 : 200, { 'content-encoding': 'gzip' })
        .end(),
    );
    const { context } = world({ ports: [port] });
    expect(textOf(await fetchUrl(`http://a.test:${port}/`, context, { method: 'HEAD' }))).toBe('');
    expect(textOf(await fetchUrl(`http://a.test:${port}/204`, context))).toBe('');
    expect(textOf(await fetchUrl(`http://a.test:${port}/304`, context))).toBe('');
  });

  test('over IPv6, and by literal', async () => {
    const port = await web((request, response) => response.end(request.headers.host), '::1');
    const { context, lookups } = world({ ports: [port] });
    expect(textOf(await fetchUrl(`http://[::1]:${port}/`, context))).toBe(`[::1]:${port}`);
    expect(lookups).toEqual([]);
  });

  test('of localhost reaches opened ports', async () => {
    const port = await web((_, response) => response.end('local'));
    expect(textOf(await fetchUrl(`http://localhost:${port}/`, world({ ports: [port] }).context))).toBe('local');
    expect(outcomeOf(await fetchUrl(`http://localhost:${port}/`, world().context))).toBe('special-address');
  });

  test('reveals invisible characters, after the conversion', async () => {
    const port = await web((_, response) => response.setHeader('content-type', 'text/html').end('<p>a\u200bb</p>'));
    const { context } = world({ ports: [port] });
    expect(textOf(await fetchUrl(`http://a.test:${port}/`, context))).toBe('a⟦U+200B⟧b');
  });
});

describe('content', () => {
  const page = '<html><body><h1>Title</h1><p>text</p></body></html>';

  test.each([
    ['gzip', gzipSync(page)],
    ['br', brotliCompressSync(page)],
    ['deflate', deflateRawSync(page)],
  ])('%s is decoded, HTML becomes text', async (coding, body) => {
    const port = await web((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': coding }).end(body),
    );
    const { context } = world({ ports: [port] });
    expect(await fetchUrl(`http://a.test:${port}/`, context)).toMatchObject({
      kind: 'text',
      form: 'html',
      text: '# Title\n\ntext',
    });
    expect(await fetchUrl(`http://a.test:${port}/`, context, { html: 'source' })).toMatchObject({
      form: 'source',
      text: page,
    });
  });

  test('HTML without a type is recognised by its start', async () => {
    const port = await web((_, response) => response.end(`\n<!DOCTYPE html>${page}`));
    expect(await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context)).toMatchObject({
      form: 'html',
      text: '# Title\n\ntext',
    });
  });

  test.each([
    ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0])],
    ['text/plain', Buffer.from('PK\u0003\u0004\0')],
    ['', Buffer.from([1, 2, 0, 3])],
    ['application/pdf', Buffer.from('%PDF-1.7')],
  ])('%j that is not text is refused, or bytes', async (type, body) => {
    const port = await web((_, response) =>
      response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(body),
    );
    const { context } = world({ ports: [port] });
    const refused = await fetchUrl(`http://a.test:${port}/`, context);
    expect(outcomeOf(refused)).toBe('upstream-protocol');
    expect(messageOf(refused)).toContain('is not text');
    expect(await fetchUrl(`http://a.test:${port}/`, context, { binary: 'bytes' })).toMatchObject({
      kind: 'bytes',
      status: 200,
      bytes: body,
    });
  });

  test('too long a text is cut off', async () => {
    const port = await web((_, response) => response.end('x'.repeat(10_000)));
    const result = await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context, { maxBytes: 100 });
    expect(result).toMatchObject({ kind: 'text', truncated: true, text: 'x'.repeat(100) });
  });
});

describe('redirects', () => {
  test('are followed, and reported', async () => {
    const port = await web((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('arrived');
      else response.writeHead(302, { location: `/${left - 1}` }).end('x'.repeat(1000));
    });
    const { context, lookups } = world({ ports: [port] });
    const url = (left: number): string => `http://a.test:${port}/${left}`;
    expect(await fetchUrl(url(3), context)).toMatchObject({
      text: 'arrived',
      finalUrl: url(0),
      redirects: [url(3), url(2), url(1)],
    });
    expect(lookups.length).toBe(4);
    expect(textOf(await fetchUrl(url(5), context))).toBe('arrived');
    expect(messageOf(await fetchUrl(url(6), context))).toContain('redirects more than 5 times');
    expect(messageOf(await fetchUrl(url(1), context, { maxRedirects: 0 }))).toContain('redirects more than 0 times');
  });

  test('across origins drop credentials, and keep no content of their own', async () => {
    const other = await web((request, response) => response.end(JSON.stringify(request.headers)));
    const port = await web((request, response) => {
      if (request.url === '/same') response.end(JSON.stringify(request.headers));
      else
        response
          .writeHead(307, {
            location: request.url === '/stay' ? '/same' : `http://b.test:${other}/`,
            'set-cookie': 'a=b',
          })
          .end();
    });
    const { context } = world({ ports: [port, other] });
    const headers = {
      authorization: 'Bearer secret',
      cookie: 'session=secret',
      'x-api-key': 'secret',
      accept: 'text/plain',
    };
    expect(textOf(await fetchUrl(`http://a.test:${port}/leave`, context, { headers }))).not.toMatch(/secret|a=b/);
    expect(textOf(await fetchUrl(`http://a.test:${port}/stay`, context, { headers })).match(/secret/g)?.length).toBe(3);
  });

  test('without an automatic target keep their content', async () => {
    const port = await web((_, response) => response.writeHead(300, { location: '/one' }).end('choose one'));
    expect(await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context)).toMatchObject({
      status: 300,
      text: 'choose one',
      redirects: [],
    });
  });

  test('with UTF-8 in the path are understood', async () => {
    const port = await web((request, response) =>
      request.url === '/'
        ? response.writeHead(301, [['location', Buffer.from('/gr\u00fc\u00df').toString('latin1')]] as never).end()
        : response.end(request.url),
    );
    expect(textOf(await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context))).toBe('/gr%C3%BC%C3%9F');
  });
});

describe('the policy', () => {
  test('is asked with method, scheme, host, port and path, before any look-up', async () => {
    const asked: unknown[] = [];
    const { context, lookups, requests, connections, refusals } = world({
      authority: { decide: (request) => (asked.push(request), verdictOf('deny')) },
    });
    const result = await fetchUrl('https://a.test:8443/x/y?secret#z', context, { method: 'POST' });
    expect(result).toMatchObject({
      kind: 'refused',
      refusal: { code: 'policy', message: 'the test says deny', remedy: 'change the test' },
    });
    expect(asked).toEqual([
      { kind: 'http', method: 'POST', scheme: 'https', host: 'a.test', port: 8443, path: '/x/y' },
    ]);
    expect(lookups).toEqual([]);
    expect(requests).toMatchObject([{ status: 0, verdict: { decision: 'deny' }, refusal: { code: 'policy' } }]);
    expect(connections).toMatchObject([{ front: 'fetch', bytesSent: 0, refusal: { code: 'policy' } }]);
    expect(refusals).toMatchObject([{ code: 'policy' }]);
  });

  test.each(['ask', 'stage', 'redirect'] as const)('that says %s lets nothing pass', async (decision) => {
    expect(
      outcomeOf(await fetchUrl('http://a.test/', world({ authority: { decide: () => verdictOf(decision) } }).context)),
    ).toBe('policy');
  });

  test('may allow one path and refuse another, at each hop', async () => {
    const port = await web((_, response) => response.writeHead(302, { location: '/secret' }).end());
    const { context } = world({
      ports: [port],
      authority: { decide: (request) => verdictOf('path' in request && request.path === '/secret' ? 'deny' : 'allow') },
    });
    expect(outcomeOf(await fetchUrl(`http://a.test:${port}/public`, context))).toBe('policy');
  });

  test('that denies the host refuses the connection, despite rules about requests', async () => {
    const { context, lookups } = world({
      authority: {
        decide: (request) =>
          request.kind === 'connect' ? verdictOf('deny', { code: 'deny-set' }) : verdictOf('allow'),
      },
    });
    expect(outcomeOf(await fetchUrl('http://a.test/', context))).toBe('policy');
    expect(lookups).toEqual([]);
  });
});

describe('the journal', () => {
  test('has every hop with address, bytes and status', async () => {
    const port = await web((request, response) =>
      request.url === '/' ? response.writeHead(302, { location: '/b' }).end() : response.end('hello'),
    );
    const { context, connections, requests, refusals } = world({ ports: [port] });
    textOf(await fetchUrl(`http://a.test:${port}/`, context));
    expect(requests.map(({ status, request }) => [status, request.path])).toEqual([
      [302, '/'],
      [200, '/b'],
    ]);
    expect(connections).toMatchObject([
      { front: 'fetch', address: '127.0.0.1', destination: { host: 'a.test', port } },
      { address: '127.0.0.1' },
    ]);
    for (const { bytesSent, bytesReceived } of connections)
      expect(Math.min(bytesSent, bytesReceived)).toBeGreaterThan(50);
    expect(refusals).toEqual([]);
  });
});

describe('bad servers', () => {
  test('no listener', async () => {
    const port = await closedPort();
    expect(outcomeOf(await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context))).toBe('unreachable');
  });

  test('no answer', async () => {
    const port = await blackHole();
    // By itself a dial is given up after ten seconds.
    const result = await beforeTimer(3000, () =>
      fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context, { timeout: 300 }),
    );
    expect(result === 'late' ? result : outcomeOf(result)).toBe('upstream-timeout');
  });

  test.each([
    ['nothing at all', () => undefined],
    [
      'a head that comes byte by byte',
      (socket: { write(text: string): void }) => {
        let at = 0;
        setInterval(() => socket.write('HTTP/1.1 200 OK\r\nX-Slow: '[at++] ?? 'x'), 20).unref();
      },
    ],
    [
      'endless 100s',
      (socket: { write(text: string): void }) =>
        void setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 10).unref(),
    ],
    [
      'a body that stops',
      (socket: { write(text: string): void }) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
    ],
    [
      'a chunked body that stops',
      (socket: { write(text: string): void }) =>
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'),
    ],
    [
      'a gzip body that stops',
      (socket: { write(text: string | Buffer): void }) =>
        socket.write(
          Buffer.concat([
            Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999\r\n\r\n'),
            gzipSync('x'.repeat(1000)).subarray(0, 12),
          ]),
        ),
    ],
  ] as const)('%s: the time is up', async (_, reply) => {
    const port = await rawWeb((socket) => {
      reply(socket);
    });
    const result = await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context, { timeout: 500 });
    expect(outcomeOf(result)).toBe('upstream-timeout');
    expect(messageOf(result)).toContain('was not fetched within 500 ms');
  });

  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9\r\n\r\n'],
    ['no answer', ''],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!'],
    ['length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n'],
    ['a body cut off', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
    ['a header with a NUL', 'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['a giant head', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['invalid gzip', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello'],
    ['an unknown coding', 'HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 5\r\n\r\nhello'],
  ])('%s: a refusal at once', async (_, reply) => {
    const port = await rawWeb((socket) => socket.end(reply));
    // Not at once would be when the time is up, and that is another refusal.
    expect(
      outcomeOf(await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context, { timeout: 25_000 })),
    ).toBe('upstream-protocol');
  });

  test('any bytes give a result or a refusal', async () => {
    const piece = fc.constantFrom(
      'HTTP/1.1 ',
      '200',
      ' OK',
      '302 ',
      '\r\n',
      '\n',
      'Content-Length: ',
      '5',
      'Transfer-Encoding: chunked',
      'Location: ',
      'http://[::1]/',
      '/x',
      'Content-Encoding: gzip',
      ': ',
      'hello',
      '\0',
      '\u00ff',
      '0\r\n\r\n',
      'Content-Type: text/html',
      '<p>',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const port = await rawWeb((socket) => socket.end(Buffer.from(`HTTP/1.1 ${pieces.join('')}`, 'latin1')));
        const result = await fetchUrl(
          `http://a.test:${port}/`,
          world({ ports: [port], convertHtml: async (text) => ({ text, form: 'html' }) }).context,
          { timeout: 1000, maxRedirects: 1 },
        );
        expect([
          'text',
          'bytes',
          'upstream-protocol',
          'upstream-timeout',
          'malformed-host',
          'special-address',
        ]).toContain(outcomeOf(result));
      }),
      { numRuns: rounds(150) },
    );
  });

  test('a reset in the middle is a refusal', async () => {
    const port = await rawWeb((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
      setTimeout(() => socket.resetAndDestroy(), 20);
    });
    expect(outcomeOf(await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context))).toBe(
      'upstream-protocol',
    );
  });

  test('an endless body is cut, and the connection closed', async () => {
    let closed = false;
    const port = await web((_, response) => {
      const more = (): void =>
        void (response.writableEnded || response.write('x'.repeat(100_000), () => setImmediate(more)));
      response.on('close', () => (closed = true));
      more();
    });
    const result = await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context, { maxBytes: 1_000_000 });
    expect(result).toMatchObject({ kind: 'text', truncated: true });
    expect(textOf(result).length).toBe(1_000_000);
    await expect.poll(() => closed).toBe(true);
  });

  test('a compression bomb is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000, 'x'));
    const port = await web((_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(bomb),
    );
    const before = process.memoryUsage().rss;
    const result = await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context);
    expect(result).toMatchObject({ truncated: true });
    expect(textOf(result).length).toBe(5 * 1024 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(80_000_000);
  });

  test('a caller that leaves ends the fetch', async () => {
    const port = await rawWeb(() => undefined);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(
      messageOf(
        await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context, { signal: controller.signal }),
      ),
    ).toContain('was given up');
    expect(
      messageOf(
        await fetchUrl(`http://a.test:${port}/`, world({ ports: [port] }).context, { signal: AbortSignal.abort() }),
      ),
    ).toContain('was given up');
  });
});
