import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startFront } from '../testing/front.ts';
import { rawExchange } from '../testing/raw-client.ts';
import { standsStill } from '../../testing/stands-still.ts';
import { httpUpstream, rawUpstream } from '../testing/servers.ts';

interface Ask extends RequestOptions {
  readonly content?: string | Buffer | readonly string[];
  readonly onRequest?: (request: ReturnType<typeof httpRequest>) => void;
}

async function ask(
  port: number,
  { content, onRequest, ...options }: Ask = {},
): Promise<IncomingMessage & { readonly content: string }> {
  const request = httpRequest({ host: '127.0.0.1', port, headers: {}, ...options, setHost: false });
  request.setHeader('Host', `api.test:${port}`);
  request.on('error', () => undefined);
  onRequest?.(request);
  if (Array.isArray(content)) for (const part of content) request.write(part);
  request.end(Array.isArray(content) ? undefined : (content as string | Buffer | undefined));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return Object.assign(response, { content: await text(response) });
}

const clear = 'http' as const;

/** Long enough for whatever does not wait to come first. */
const turns = (): Promise<void> => sleep(50);

describe('requests', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'])(
    '%s arrives unchanged',
    async (method) => {
      await using upstream = await httpUpstream(async (request, response) =>
        response.end(JSON.stringify([request.method, request.url, request.rawHeaders, await text(request)])),
      );
      await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
      const content = method === 'GET' || method === 'OPTIONS' ? '' : 'a body';
      const { text: answer } = await rawExchange(
        front.port,
        `${method} /a/b?c=%2e%2e&d HTTP/1.1\r\nHoSt: api.test:${front.port}\r\nX-CaSe: One\r\nx-again: 1\r\nX-Again:   2 \r\nContent-Length: ${content.length}\r\n\r\n${content}`,
      );
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toEqual([
        method,
        '/a/b?c=%2e%2e&d',
        [
          'Host',
          `api.test:${front.port}`,
          'X-CaSe',
          'One',
          'x-again',
          '1',
          'X-Again',
          '2',
          'Content-Length',
          String(content.length),
        ],
        content,
      ]);
      expect(front.records).toMatchObject([
        {
          status: 200,
          request: { method, path: '/a/b', host: 'api.test', scheme: 'http' },
          verdict: { decision: 'allow' },
        },
      ]);
    },
  );

  test('chunked content stays chunked, with its trailers', async () => {
    await using upstream = await httpUpstream(async (request, response) => {
      const content = await text(request);
      response.end(
        JSON.stringify([
          content,
          request.headers['transfer-encoding'],
          request.headers['content-length'],
          request.rawTrailers,
        ]),
      );
    });
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const { content } = await ask(front.port, {
      method: 'POST',
      content: ['one ', 'two'],
      onRequest: (request) => request.addTrailers({ 'X-Sum': '7', Authorization: 'smuggled' }),
      headers: { Trailer: 'X-Sum', 'Transfer-Encoding': 'chunked' },
    });
    expect(JSON.parse(content)).toEqual(['one two', 'chunked', null, ['X-Sum', '7']]);
  });

  test('non-ASCII bytes arrive percent-encoded, as the rules saw them', async () => {
    await using upstream = await httpUpstream((request, response) => response.end(request.url));
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const { text: answer } = await rawExchange(
      front.port,
      Buffer.from(`GET /\u00fc?\u00fc HTTP/1.1\r\nHost: api.test\r\n\r\n`, 'utf8'),
    );
    expect(answer).toMatch(/\/%C3%BC\?%C3%BC$/);
    expect(front.records[0]?.request.path).toBe('/%C3%BC');
  });

  test('the absolute form arrives in origin form', async () => {
    await using upstream = await httpUpstream((request, response) => response.end(request.url));
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    for (const [target, expected] of [
      ['/x?y', '/x?y'],
      ['', '/'],
      ['?q', '/?q'],
    ]) {
      const { text: answer } = await rawExchange(
        front.port,
        `GET http://api.test:${front.port}${target} HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.endsWith(`\r\n\r\n${expected}`)).toBe(true);
    }
  });

  test('hop-by-hop fields are not sent on', async () => {
    await using upstream = await httpUpstream((request, response) => {
      response.writeHead(200, [
        'Connection',
        'X-Drop-Me, keep-alive',
        'X-Drop-Me',
        '1',
        'Keep-Alive',
        'timeout=9',
        'X-Keep',
        '2',
        'Content-Length',
        '0',
      ]);
      response.end();
      expect(request.rawHeaders).toEqual(['Host', 'api.test', 'X-Kept', 'a', 'TE', 'trailers', 'Connection', 'TE']);
    });
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const head =
      'GET / HTTP/1.1\r\nHost: api.test\r\nConnection: keep-alive, X-Secret\r\nKeep-Alive: 5\r\nX-Secret: s\r\nProxy-Authorization: Basic c2VjcmV0\r\nProxy-Connection: keep-alive\r\nX-Kept: a\r\nTE: gzip;q=0.5, trailers\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n';
    const { text: answer } = await rawExchange(front.port, head);
    expect(answer).toContain('X-Keep: 2');
    expect(answer).not.toMatch(/keep-alive|drop-me|timeout/i);
  });

  test('wait for 100 from the destination before they send their content', async () => {
    const seen: string[] = [];
    await using upstream = await httpUpstream(
      () => undefined,
      (server) =>
        server.on('checkContinue', async (request, response) => {
          seen.push('head');
          await turns();
          response.writeContinue();
          response.end(await text(request));
        }),
    );
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const request = httpRequest({
      host: '127.0.0.1',
      port: front.port,
      method: 'POST',
      headers: { Host: 'api.test', Expect: '100-continue', 'Content-Length': 4 },
    });
    request.flushHeaders();
    await once(request, 'continue');
    seen.push('continue');
    request.end('body');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(await text(response)).toBe('body');
    expect(seen).toEqual(['head', 'continue']);
  });

  test('that are refused after Expect are answered without their content', async () => {
    await using upstream = await httpUpstream(
      () => undefined,
      (server) =>
        server.on('checkContinue', (_, response) =>
          response.writeHead(417, { 'Content-Length': 2, Connection: 'close' }).end('no'),
        ),
    );
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const { text: answer, isClosed } = await rawExchange(
      front.port,
      'POST / HTTP/1.1\r\nHost: api.test\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n',
      'end',
    );
    expect(answer).toMatch(/^HTTP\/1.1 417 [^]*\r\n\r\nno$/);
    expect(isClosed).toBe(true);
  });

  test('of HTTP/1.0 are answered in HTTP/1.0', async () => {
    await using upstream = await httpUpstream((_, response) => {
      response.write('one ');
      response.end('two');
    });
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const answer = await rawExchange(front.port, 'GET / HTTP/1.0\r\n\r\n', 'end');
    expect(answer.text).toMatch(/Connection: close\r\n\r\none two$/);
    expect(answer.text).not.toMatch(/chunked/i);
    expect(answer.isClosed).toBe(true);
  });

  test('that arrive together are answered in order', async () => {
    await using upstream = await httpUpstream(async (request, response) => {
      if (request.url === '/1') await turns();
      response.end(`${request.url}${await text(request)}`);
    });
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const one = 'POST /1 HTTP/1.1\r\nHost: api.test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
    const answer = await rawExchange(
      front.port,
      `${one}GET /2 HTTP/1.1\r\nHost: api.test\r\n\r\n\r\nGET /3 HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n`,
      'end',
    );
    expect([...answer.text.matchAll(/\r\n\r\n(\/\d(?:abc)?)/g)].map(([, path]) => path)).toEqual(['/1abc', '/2', '/3']);
    expect(front.opened()).toBe(1);
  });

  test('of a client that has closed its half are answered', async () => {
    await using upstream = await httpUpstream(async (_, response) => {
      await turns();
      response.end('still here');
    });
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const socket = connect({ port: front.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end('GET / HTTP/1.1\r\nHost: api.test\r\n\r\n');
    expect(await text(socket)).toContain('still here');
  });
});

describe('answers', () => {
  test.each([
    ['HEAD', 200, ['Content-Length', '5']],
    ['GET', 304, ['ETag', '"x"', 'Content-Length', '5']],
    ['GET', 204, ['X-A', 'b']],
    ['POST', 303, ['Location', '/next', 'Content-Length', '0']],
  ] as const)('%s with %d has no content and keeps its fields', async (method, status, headers) => {
    await using upstream = await rawUpstream((socket) => {
      const lines = Array.from(
        { length: headers.length / 2 },
        (_, index) => `${headers[index * 2]}: ${headers[index * 2 + 1]}\r\n`,
      ).join('');
      socket.on('data', () => socket.write(`HTTP/1.1 ${status} Whatever It Says\r\n${lines}\r\n`));
    });
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const answer = await rawExchange(
      front.port,
      `${method} / HTTP/1.1\r\nHost: api.test\r\n\r\n${method} / HTTP/1.1\r\nHost: api.test\r\n\r\n`,
      new RegExp(`(?:HTTP/1.1 ${status} Whatever It Says\r\n[^]*\r\n\r\n){2}$`),
    );
    expect(answer.text.split(`HTTP/1.1 ${status} Whatever It Says\r\n`)).toHaveLength(3);
    for (let index = 0; index < headers.length; index += 2)
      expect(answer.text).toContain(`\r\n${headers[index]}: ${headers[index + 1]}\r\n`);
    expect(front.opened()).toBe(1);
  });

  test('before the final one are passed on', async () => {
    await using upstream = await rawUpstream((socket) =>
      socket.on('data', () =>
        socket.write(
          'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
        ),
      ),
    );
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const answer = await rawExchange(front.port, 'GET / HTTP/1.1\r\nHost: api.test\r\n\r\n');
    expect(answer.text).toBe(
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    );
  });

  test('keep the case, the order and the number of their fields', async () => {
    const head =
      'Server: x\r\nSET-cookie: a=1\r\nset-COOKIE: b=2\r\nX-Byte: \u00e9\r\ncontent-length: 2\r\nLast: 1\r\n';
    await using upstream = await rawUpstream((socket) =>
      socket.on('data', () => socket.write(Buffer.from(`HTTP/1.1 200 Fine\r\n${head}\r\nok`, 'latin1'))),
    );
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    expect((await rawExchange(front.port, 'GET / HTTP/1.1\r\nHost: api.test\r\n\r\n')).text).toBe(
      `HTTP/1.1 200 Fine\r\n${head}\r\nok`,
    );
  });

  test('with trailers keep them', async () => {
    await using upstream = await httpUpstream((_, response) => {
      response.writeHead(200, { Trailer: 'X-Sum' });
      response.write('abc');
      response.addTrailers({ 'X-Sum': '3' });
      response.end();
    });
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const response = await ask(front.port);
    expect([response.content, response.rawTrailers]).toEqual(['abc', ['X-Sum', '3']]);
  });

  test('that end with the connection leave the client’s connection open', async () => {
    await using upstream = await rawUpstream((socket) =>
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it')),
    );
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < 3; round += 1) expect((await ask(front.port, { agent })).content).toBe('all of it');
    expect(front.open()).toBe(1);
    agent.destroy();
  });

  test('that break off reach the client incomplete', async () => {
    for (const start of [
      'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n',
    ]) {
      await using upstream = await rawUpstream((socket) => socket.on('data', () => socket.end(start)));
      await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
      await expect(ask(front.port)).rejects.toThrow(/aborted|hang up|ECONNRESET/);
      const old = await rawExchange(front.port, 'GET / HTTP/1.0\r\nHost: api.test\r\n\r\n', 'end');
      expect(old.text).toContain('half');
    }
  });

  test('of 20 MB both ways arrive intact, no faster than they are read', async () => {
    await using upstream = await httpUpstream((request, response) => request.pipe(response));
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const content = randomBytes(20 * 1024 * 1024);
    const request = httpRequest({
      host: '127.0.0.1',
      port: front.port,
      method: 'POST',
      headers: { Host: 'api.test', 'Content-Length': content.length },
    });
    request.end(content);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const hash = createHash('sha256');
    let count = 0;
    for await (const chunk of response) {
      hash.update(chunk as Buffer);
      count += 1;
      if (count % 100 === 0) await turns();
    }
    expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
  });

  test('without a reader stop the destination from sending', async () => {
    let sent = 0;
    await using upstream = await httpUpstream((request, response) => {
      if (request.url === '/small') return void response.end();
      const more = (): void => {
        do sent += 64 * 1024;
        while (response.write(Buffer.alloc(64 * 1024)) && sent < 1 << 28);
        if (sent < 1 << 28) response.once('drain', more);
      };
      more();
    });
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const socket = connect(front.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: api.test\r\n\r\n');
    await standsStill(
      () => sent,
      async () =>
        void (await rawExchange(
          front.port,
          'HEAD /small HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n',
          'end',
        )),
    );
    expect(sent).toBeGreaterThan(0);
    // What is in kernel buffers and ours: megabytes, not what a destination could send meanwhile.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    socket.destroy();
  });
});

describe('connections', () => {
  test('to the destination are kept for the next request', async () => {
    await using upstream = await httpUpstream((_, response) => response.end('ok'));
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < 20; round += 1)
      expect(
        (
          await ask(front.port, {
            agent,
            method: round % 2 === 0 ? 'GET' : 'POST',
            content: round % 2 === 0 ? '' : 'x',
          })
        ).statusCode,
      ).toBe(200);
    expect(front.opened()).toBe(1);
    agent.destroy();
  });

  test('that the destination closes after an answer are opened again', async () => {
    await using upstream = await httpUpstream((_, response) =>
      response.writeHead(200, { Connection: 'close' }).end('ok'),
    );
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; round < 3; round += 1)
      expect((await ask(front.port, { agent, method: 'POST', content: 'x' })).content).toBe('ok');
    expect(front.opened()).toBe(3);
    expect(front.open()).toBe(1);
    agent.destroy();
  });

  test('that die under a request are replaced only if it can be repeated', async () => {
    let count = 0;
    await using upstream = await rawUpstream((socket) => {
      let own = 0;
      socket.on('data', () => {
        own += 1;
        count += 1;
        if (own === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        else socket.destroy();
      });
    });
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const get = 'GET / HTTP/1.1\r\nHost: api.test\r\n\r\n';
    expect((await rawExchange(front.port, get + get, 2)).text.match(/HTTP\/1.1 200/g)).toHaveLength(2);
    expect(count).toBe(3);
    const post = 'POST / HTTP/1.1\r\nHost: api.test\r\nContent-Length: 1\r\n\r\nx';
    expect((await rawExchange(front.port, get + post, 2)).text).toMatch(
      /200 OK[^]*502 Bad Gateway[^]*without an answer/,
    );
    expect(count).toBe(5);
  });

  test('are closed on both sides when the client goes', async () => {
    const closed = Promise.withResolvers<void>();
    await using upstream = await httpUpstream((_, response) => {
      response.write('data: 1\n\n');
      response.on('close', () => closed.resolve());
    });
    await using front = await startFront({ scheme: clear, upstreamPort: upstream.port });
    const socket = connect(front.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: api.test\r\n\r\n');
    await once(socket, 'data');
    socket.resetAndDestroy();
    await closed.promise;
    await expect.poll(front.open).toBe(0);
  });
});
