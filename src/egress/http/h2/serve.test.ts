import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Front, startFront } from '../testing/front.ts';
import { http2Upstream, httpsUpstream } from '../testing/servers.ts';
import { standsStill } from '../../testing/stands-still.ts';

const run = promisify(execFile);

function client({ port }: { readonly port: number }): ClientHttp2Session & AsyncDisposable {
  const session = connectHttp2(`https://api.test:${port}`, {
    maxSessionMemory: 100,
    createConnection: () =>
      connectTls({ port, host: '127.0.0.1', servername: 'api.test', rejectUnauthorized: false, ALPNProtocols: ['h2'] }),
  });
  session.on('error', () => undefined);
  return Object.assign(session, {
    async [Symbol.asyncDispose]() {
      if (session.destroyed) return;
      const closed = once(session, 'close');
      session.destroy();
      await closed;
    },
  });
}

interface Answer {
  readonly headers: IncomingHttpHeaders & { readonly ':status'?: number };
  readonly content: string;
  readonly trailers: IncomingHttpHeaders | undefined;
}

async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, content?: string): Promise<Answer> {
  const stream = session.request({ ':authority': 'api.test', ...headers }, { endStream: content === undefined });
  stream.on('error', () => undefined);
  let trailers: IncomingHttpHeaders | undefined;
  stream.on('trailers', (received) => (trailers = received));
  const responded = once(stream, 'response');
  if (content !== undefined) stream.end(content);
  const [received] = (await responded) as [IncomingHttpHeaders];
  return { headers: received, content: await text(stream), trailers };
}

function closed(stream: ClientHttp2Stream): Promise<void> {
  return new Promise((resolve) => void stream.on('close', resolve));
}

const h2 = { alpn: 'h2' } as const;

describe('streams', () => {
  test('arrive unchanged, with content and trailers both ways', async () => {
    await using upstream = await http2Upstream(async (stream, headers) => {
      let sum: unknown;
      stream.on('trailers', (trailers) => (sum = trailers['x-sum']));
      const content = await text(stream);
      stream.respond(
        {
          ':status': 201,
          'set-cookie': ['a=1', 'b=2'],
          'x-path': headers[':path'],
          'x-cookie': headers['cookie'],
          'x-host': headers[':authority'],
        },
        { waitForTrailers: true },
      );
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-echo': String(sum) }));
      stream.end(content);
    });
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    await using session = client(front);
    const stream = session.request(
      {
        ':method': 'POST',
        ':path': '/a?b=%2e',
        ':authority': `api.test:${front.port}`,
        cookie: 'x=1; y=2',
        te: 'trailers',
      },
      { waitForTrailers: true },
    );
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '7', authorization: 'smuggled' }));
    let trailers: IncomingHttpHeaders = {};
    stream.on('trailers', (received) => (trailers = received));
    stream.end('the content');
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    expect(headers).toMatchObject({
      ':status': 201,
      'set-cookie': ['a=1', 'b=2'],
      'x-path': '/a?b=%2e',
      'x-cookie': 'x=1; y=2',
      'x-host': `api.test:${front.port}`,
    });
    expect(await text(stream)).toBe('the content');
    expect(trailers['x-echo']).toBe('7');
    expect(front.records).toMatchObject([{ status: 201, request: { method: 'POST', path: '/a', scheme: 'https' } }]);
  });

  test('run in parallel over one connection to the destination', async () => {
    // No stream is answered before all of them are there: one after the other they would never be.
    const all = Promise.withResolvers<void>();
    let there = 0;
    await using upstream = await http2Upstream(async (stream, headers) => {
      there += 1;
      if (there === 100) all.resolve();
      await all.promise;
      stream.respond({ ':status': 200 });
      stream.end(headers[':path']);
    });
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    await using session = client(front);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => ask(session, { ':path': `/${index}` })),
    );
    expect(answers.map(({ content }) => content)).toEqual(Array.from({ length: 100 }, (_, index) => `/${index}`));
    expect(front.opened()).toBe(1);
  });

  test.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('%s with %d has no content', async (method, status) => {
    await using upstream = await http2Upstream((stream) =>
      stream.respond({ ':status': status, etag: '"x"' }, { endStream: true }),
    );
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    await using session = client(front);
    expect(await ask(session, { ':method': method, ':path': '/' })).toMatchObject({
      headers: { ':status': status, etag: '"x"' },
      content: '',
    });
  });

  test('pass on interim answers', async () => {
    await using upstream = await http2Upstream((stream) => {
      stream.additionalHeaders({ ':status': 103, link: '</a.css>; rel=preload' });
      stream.respond({ ':status': 200 });
      stream.end();
    });
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    await using session = client(front);
    const stream = session.request({ ':path': '/', ':authority': 'api.test' });
    const [early] = (await once(stream, 'headers')) as [IncomingHttpHeaders];
    expect(early).toMatchObject({ ':status': 103, link: '</a.css>; rel=preload' });
    await once(stream, 'response');
  });

  test('carry 20 MB both ways intact', async () => {
    await using upstream = await http2Upstream((stream) => {
      stream.respond({ ':status': 200 });
      stream.pipe(stream);
    });
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    await using session = client(front);
    const content = 'abcdefghij'.repeat(2 * 1024 * 1024);
    expect((await ask(session, { ':method': 'POST', ':path': '/' }, content)).content === content).toBe(true);
  });

  test('without a reader stop the destination from sending', async () => {
    let sent = 0;
    await using upstream = await http2Upstream((stream, { ':path': path }) => {
      stream.respond({ ':status': 200 });
      if (path === '/small') return void stream.end();
      const more = (): void => {
        do sent += 64 * 1024;
        while (!stream.destroyed && stream.write(Buffer.alloc(64 * 1024)) && sent < 1 << 28);
        if (sent < 1 << 28) stream.once('drain', more);
      };
      more();
    });
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    await using session = client(front);
    const stream = session.request({ ':path': '/', ':authority': 'api.test' });
    stream.on('error', () => undefined);
    stream.pause();
    await once(stream, 'response');
    await standsStill(
      () => sent,
      async () => void (await ask(session, { ':path': '/small' })),
    );
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('resets', () => {
  test.each([constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_CANCEL, constants.NGHTTP2_ENHANCE_YOUR_CALM])(
    'by the destination before an answer reach the client: %d',
    async (code) => {
      await using upstream = await http2Upstream((stream) => stream.close(code));
      await using front = await startFront({ ...h2, upstreamPort: upstream.port });
      await using session = client(front);
      const stream = session.request({ ':path': '/', ':authority': 'api.test' });
      stream.on('error', () => undefined);
      await closed(stream);
      expect(stream.rstCode).toBe(code);
    },
  );

  test('by the destination in the middle of an answer reach the client', async () => {
    const breakIt = Promise.withResolvers<void>();
    await using upstream = await http2Upstream((stream) => {
      stream.respond({ ':status': 200 });
      stream.write('half');
      breakIt.promise.then(
        () => stream.destroy(new Error('x')),
        () => undefined,
      );
    });
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    await using session = client(front);
    const stream = session.request({ ':path': '/', ':authority': 'api.test' });
    stream.on('error', () => undefined).once('data', () => breakIt.resolve());
    await closed(stream);
    expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
  });

  test('by the client in the middle of its content do not end the content', async () => {
    const arrived = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<readonly [unknown, boolean]>();
    await using upstream = await http2Upstream((stream) => {
      let isWhole = false;
      stream.on('end', () => (isWhole = !stream.aborted)).on('data', () => arrived.resolve());
      stream.on('close', () => seen.resolve([stream.rstCode, isWhole]));
    });
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    await using session = client(front);
    const stream = session.request({ ':method': 'POST', ':path': '/', ':authority': 'api.test' });
    stream.on('error', () => undefined);
    stream.write('half');
    await arrived.promise;
    stream.destroy(new Error('x'));
    expect(await seen.promise).toEqual([constants.NGHTTP2_INTERNAL_ERROR, false]);
  });

  test('by the client reach the destination', async () => {
    const reset = Promise.withResolvers<number | undefined>();
    await using upstream = await http2Upstream((stream) => {
      stream.respond({ ':status': 200 });
      stream.write('data');
      stream.on('close', () => reset.resolve(stream.rstCode));
    });
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    await using session = client(front);
    const stream = session.request({ ':path': '/', ':authority': 'api.test' });
    await once(stream, 'data');
    stream.close(constants.NGHTTP2_CANCEL);
    expect(await reset.promise).toBe(constants.NGHTTP2_CANCEL);
  });

  test('a destination that goes away is dialled again', async () => {
    let gone = 0;
    await using upstream = await http2Upstream((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok');
      stream.session?.on('close', () => (gone += 1)).close();
    });
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    await using session = client(front);
    for (let round = 0; round < 3; round += 1) {
      expect((await ask(session, { ':path': '/' })).content).toBe('ok');
      await expect.poll(() => gone).toBe(round + 1);
    }
    expect(front.opened()).toBe(3);
  });

  test('a client that leaves takes its streams with it', async () => {
    const closed = Promise.withResolvers<void>();
    await using upstream = await http2Upstream((stream) => {
      stream.respond({ ':status': 200 });
      stream.write('data');
      stream.on('close', () => closed.resolve());
    });
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    const session = client(front);
    const stream = session.request({ ':path': '/', ':authority': 'api.test' });
    stream.on('error', () => undefined);
    await once(stream, 'data');
    session.destroy();
    await closed.promise;
    await expect.poll(front.open).toBe(0);
  });
});

describe('refusals', () => {
  const refusedWith = async (headers: OutgoingHttpHeaders, front: Front): Promise<Answer> => {
    await using session = client(front);
    return await ask(session, headers);
  };

  test.each([
    ['another authority', { ':path': '/', ':authority': 'other.test' }, 421],
    ['another port', { ':path': '/', ':authority': 'api.test:1' }, 421],
    ['a host that differs', { ':path': '/', ':authority': 'api.test', host: 'other.test' }, 421],
    ['a dot segment', { ':path': '/a/%2e%2e/b' }, 400],
    ['a fragment', { ':path': '/a#b' }, 400],
    ['another scheme', { ':path': '/', ':scheme': 'http' }, 400],
    ['TRACE', { ':path': '/', ':method': 'TRACE' }, 405],
    ['a rule', { ':path': '/denied' }, 403],
  ])('%s', async (_, headers, status) => {
    let reached = 0;
    await using upstream = await http2Upstream(() => (reached += 1));
    await using front = await startFront({
      ...h2,
      upstreamPort: upstream.port,
      decide: ({ path }) => (path === '/denied' ? 'deny' : 'allow'),
    });
    const answer = await refusedWith(headers, front);
    expect(answer.headers[':status']).toBe(status);
    expect(answer.content).toMatch(/^Holdfast refused this request: .+\n[^]*Remedy: /);
    expect(front.records).toMatchObject([
      { status, request: { method: headers[':method' as keyof typeof headers] ?? 'GET' } },
    ]);
    expect(reached).toBe(0);
  });

  test('leave the connection and its other streams alone', async () => {
    await using upstream = await http2Upstream((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok');
    });
    await using front = await startFront({
      ...h2,
      upstreamPort: upstream.port,
      decide: ({ path }) => (path === '/denied' ? 'deny' : 'allow'),
    });
    await using session = client(front);
    const answers = await Promise.all(
      ['/', '/denied', '/', '/denied', '/'].map((path) =>
        ask(session, { ':path': path, ':method': 'POST' }, 'content'.repeat(10_000)),
      ),
    );
    expect(answers.map(({ headers }) => headers[':status'])).toEqual([200, 403, 200, 403, 200]);
  });

  test('of a destination that can no longer be opened', async () => {
    await using upstream = await httpsUpstream((_, response) => response.end('ok'));
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    expect(await refusedWith({ ':path': '/' }, front)).toMatchObject({
      headers: { ':status': 502, 'holdfast-refusal': 'unreachable' },
    });
  });
});

describe('floods', () => {
  test('of fields are answered with an end of the stream', async () => {
    await using upstream = await http2Upstream((stream) => stream.respond({ ':status': 200 }, { endStream: true }));
    await using front = await startFront({ ...h2, upstreamPort: upstream.port });
    await using session = client(front);
    const stream = session.request({
      ':path': '/',
      ':authority': 'api.test',
      ...Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`x-${index}`, 'y'])),
    });
    stream.on('error', () => undefined);
    await closed(stream);
    expect(stream.rstCode).not.toBe(constants.NGHTTP2_NO_ERROR);
    expect((await ask(session, { ':path': '/' })).headers[':status']).toBe(200);
  });
});

test('curl speaks it', async () => {
  await using upstream = await http2Upstream((stream, headers) => {
    stream.respond({ ':status': 200, 'content-type': 'text/plain' });
    stream.end(`${headers[':method']} ${headers[':path']}`);
  });
  await using front = await startFront({ ...h2, upstreamPort: upstream.port });
  const { stdout } = await run('curl', [
    '--http2',
    '-sk',
    '--max-time',
    '25',
    '--resolve',
    `api.test:${front.port}:127.0.0.1`,
    '-w',
    ' %{http_version} ',
    front.url('/a'),
    front.url('/b'),
  ]);
  expect(stdout).toBe('GET /a 2 GET /b 2 ');
});
