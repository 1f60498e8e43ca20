import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect } from 'node:tls';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  flags,
  frame,
  framesOf,
  frameTypes,
  literal,
  preface,
  processed,
  rawHttp2,
  request,
  typesIn,
} from '../testing/frames.ts';
import { type Front, startFront } from '../testing/front.ts';
import { http2Upstream, rawUpstream } from '../testing/servers.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

interface World extends AsyncDisposable {
  readonly front: Front;
  /** Paths that reached the destination. */
  readonly reached: string[];
}

async function start(): Promise<World> {
  const reached: string[] = [];
  const upstream = await http2Upstream((stream, headers) => {
    reached.push(String(headers[':path']));
    stream.respond({ ':status': 200 }, { endStream: true });
  });
  const front = await startFront({ alpn: 'h2', upstreamPort: upstream.port });
  return {
    front,
    reached,
    async [Symbol.asyncDispose]() {
      await front[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

const whole = flags.endStream | flags.endHeaders;
const get = (stream: number, ...more: readonly Buffer[]): Buffer =>
  frame(frameTypes.headers, { flags: whole, stream, payload: request('api.test', ...more) });

/** The front still serves anyone who comes next. */
async function isAlive(front: Front): Promise<boolean> {
  const socket = await rawHttp2(front.port);
  socket.write(get(1));
  return !(await framesOf(socket, frameTypes.headers)).isClosed;
}

test('the frames of these tests are valid: a plain request is answered', async () => {
  await using world = await start();
  const socket = await rawHttp2(world.front.port);
  socket.write(get(1));
  const { types, isClosed } = await framesOf(socket, frameTypes.headers);
  expect(types).toContain(frameTypes.headers);
  expect(isClosed).toBe(false);
  expect(world.reached).toEqual(['/']);
});

describe('a flood ends its connection, and no other', () => {
  const floods: readonly (readonly [what: string, bytes: () => readonly Buffer[]])[] = [
    [
      'of continuations',
      () => [
        frame(frameTypes.headers, { flags: flags.endStream, stream: 1, payload: request('api.test') }),
        ...Array.from({ length: 2000 }, (_, index) =>
          frame(frameTypes.continuation, { stream: 1, payload: literal(`x-${index}`, 'y'.repeat(100)) }),
        ),
      ],
    ],
    [
      'of empty continuations',
      () => [
        frame(frameTypes.headers, { flags: flags.endStream, stream: 1, payload: request('api.test') }),
        ...Array.from({ length: 5000 }, () => frame(frameTypes.continuation, { stream: 1 })),
      ],
    ],
    [
      'of settings',
      () => Array.from({ length: 20_000 }, () => frame(frameTypes.settings, { payload: Buffer.of(0, 3, 0, 0, 0, 1) })),
    ],
    [
      'of many settings in one',
      () => [frame(frameTypes.settings, { payload: Buffer.alloc(6 * 2000, Buffer.of(0, 3, 0, 0, 0, 1)) })],
    ],
    [
      'of rapid resets',
      () =>
        Array.from({ length: 4000 }, (_, index) =>
          Buffer.concat([
            get(index * 2 + 1),
            frame(frameTypes.reset, { stream: index * 2 + 1, payload: Buffer.of(0, 0, 0, 8) }),
          ]),
        ),
    ],
    [
      'of frames on a stream that never existed',
      () => Array.from({ length: 1000 }, () => frame(frameTypes.data, { stream: 99, payload: Buffer.alloc(1) })),
    ],
    [
      'of half a megabyte of fields',
      () => [
        frame(frameTypes.headers, {
          stream: 1,
          flags: flags.endStream,
          payload: request(
            'api.test',
            ...Array.from({ length: 100 }, (_, index) => literal(`x-${index}`, 'y'.repeat(100))),
          ),
        }),
        ...Array.from({ length: 40 }, () =>
          frame(frameTypes.continuation, { stream: 1, payload: literal('x', 'z'.repeat(15_000)) }),
        ),
      ],
    ],
  ];

  test.each(floods)('%s', async (_, bytes) => {
    await using world = await start();
    const socket = await rawHttp2(world.front.port);
    const ended = framesOf(socket);
    for (const part of bytes()) if (!socket.destroyed) socket.write(part);
    await ended;
    expect(world.reached.length).toBeLessThan(1200);
    expect(await isAlive(world.front)).toBe(true);
    await expect.poll(world.front.open).toBe(0);
  });
});

describe('malformed frames never reach the destination', () => {
  const attacks: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['a frame larger than agreed', frame(frameTypes.data, { stream: 1, length: 0xff_ffff })],
    ['headers on stream 0', frame(frameTypes.headers, { flags: whole, payload: request('api.test') })],
    ['headers on an even stream', get(2)],
    [
      'a continuation without headers',
      frame(frameTypes.continuation, { flags: flags.endHeaders, stream: 1, payload: request('api.test') }),
    ],
    [
      'a compressed index out of range',
      frame(frameTypes.headers, { flags: whole, stream: 1, payload: Buffer.of(0xff, 0xff, 0xff, 0x7f) }),
    ],
    [
      'a push',
      frame(frameTypes.push, {
        flags: flags.endHeaders,
        stream: 1,
        payload: Buffer.concat([Buffer.of(0, 0, 0, 2), request('api.test')]),
      }),
    ],
    ['a window that overflows', frame(frameTypes.window, { payload: Buffer.of(0x7f, 0xff, 0xff, 0xff) })],
    ['a window of zero', frame(frameTypes.window, { payload: Buffer.of(0, 0, 0, 0) })],
    ['HTTP/1.1 after the preface', Buffer.from('GET / HTTP/1.1\r\nHost: api.test\r\n\r\n')],
    ['a name in upper case', get(1, literal('X-Upper', 'y'))],
    ['Transfer-Encoding', get(1, literal('transfer-encoding', 'chunked'))],
    ['Connection', get(1, literal('connection', 'close'))],
    ['another TE', get(1, literal('te', 'gzip'))],
    ['two paths', get(1, literal(':path', '/other'))],
    [
      'a pseudo-field after a field',
      frame(frameTypes.headers, {
        flags: whole,
        stream: 1,
        payload: Buffer.concat([literal('x', 'y'), request('api.test')]),
      }),
    ],
    ['an unknown pseudo-field', get(1, literal(':forwarded', 'x'))],
    [
      'no path',
      frame(frameTypes.headers, {
        flags: whole,
        stream: 1,
        payload: Buffer.concat([
          literal(':method', 'GET'),
          literal(':scheme', 'https'),
          literal(':authority', 'api.test'),
        ]),
      }),
    ],
    [
      'an empty path',
      frame(frameTypes.headers, {
        flags: whole,
        stream: 1,
        payload: Buffer.concat([
          literal(':method', 'GET'),
          literal(':scheme', 'https'),
          literal(':authority', 'api.test'),
          literal(':path', ''),
        ]),
      }),
    ],
    [
      'a path with a blank',
      frame(frameTypes.headers, {
        flags: whole,
        stream: 1,
        payload: Buffer.concat([
          literal(':method', 'GET'),
          literal(':scheme', 'https'),
          literal(':authority', 'api.test'),
          literal(':path', '/a HTTP/1.1\r\nx: y'),
        ]),
      }),
    ],
    ['another authority', frame(frameTypes.headers, { flags: whole, stream: 1, payload: request('other.test') })],
    [
      'an authority with credentials',
      frame(frameTypes.headers, { flags: whole, stream: 1, payload: request('api.test@other.test') }),
    ],
    [
      'no authority',
      frame(frameTypes.headers, {
        flags: whole,
        stream: 1,
        payload: Buffer.concat([literal(':method', 'GET'), literal(':scheme', 'https'), literal(':path', '/')]),
      }),
    ],
    ['a host that differs', get(1, literal('host', 'other.test'))],
    [
      'CONNECT',
      frame(frameTypes.headers, {
        flags: flags.endHeaders,
        stream: 1,
        payload: Buffer.concat([literal(':method', 'CONNECT'), literal(':authority', 'other.test:22')]),
      }),
    ],
    [
      'another protocol to connect',
      frame(frameTypes.headers, {
        flags: flags.endHeaders,
        stream: 1,
        payload: Buffer.concat([
          literal(':method', 'CONNECT'),
          literal(':protocol', 'connect-udp'),
          literal(':scheme', 'https'),
          literal(':path', '/'),
          literal(':authority', 'api.test'),
        ]),
      }),
    ],
    [
      'content shorter than its length',
      Buffer.concat([
        frame(frameTypes.headers, {
          flags: flags.endHeaders,
          stream: 1,
          payload: Buffer.concat([
            literal(':method', 'POST'),
            literal(':scheme', 'https'),
            literal(':path', '/short'),
            literal(':authority', 'other.test'),
            literal('content-length', '9'),
          ]),
        }),
        frame(frameTypes.data, { flags: flags.endStream, stream: 1, payload: Buffer.from('x') }),
      ]),
    ],
  ];

  test.each(attacks)('%s', async (_, bytes) => {
    await using world = await start();
    const socket = await rawHttp2(world.front.port);
    // After the settings of both sides: what breaks then is this frame.
    await processed(socket);
    socket.write(bytes);
    await processed(socket);
    socket.destroy();
    await expect.poll(world.front.open).toBe(0);
    expect(await isAlive(world.front)).toBe(true);
    expect(world.reached).toEqual(['/']);
  });
});

describe('a malformed field is dropped, and hides no other', () => {
  test.each([
    ['a name with a colon', get(1, literal('a:b', 'y'))],
    ['a line break in a value', get(1, literal('x', 'a\r\nhost: evil.test'))],
    ['a NUL in a value', get(1, literal('x', 'a\0b'))],
    ['a line break in a name', get(1, literal('x\r\ny', 'a'))],
  ] satisfies readonly (readonly [string, Buffer])[])('%s', async (_, bytes) => {
    const seen: string[][] = [];
    await using upstream = await http2Upstream((stream, headers) => {
      seen.push(Object.keys(headers).filter((name) => !name.startsWith(':')));
      stream.respond({ ':status': 200 }, { endStream: true });
    });
    await using front = await startFront({ alpn: 'h2', upstreamPort: upstream.port });
    const socket = await rawHttp2(front.port);
    socket.write(bytes);
    await framesOf(socket, frameTypes.headers, frameTypes.reset);
    expect(seen.flat()).toEqual([]);
  });
});

test('content of the wrong length reaches the destination as a reset, not as an end', async () => {
  const opened = Promise.withResolvers<void>();
  const seen = Promise.withResolvers<boolean>();
  await using upstream = await http2Upstream((stream) => {
    opened.resolve();
    let isWhole = false;
    stream.on('end', () => (isWhole = !stream.aborted)).resume();
    stream.on('close', () => seen.resolve(isWhole && stream.rstCode === 0));
  });
  await using front = await startFront({ alpn: 'h2', upstreamPort: upstream.port });
  const socket = await rawHttp2(front.port);
  const head = Buffer.concat([
    literal(':method', 'POST'),
    literal(':scheme', 'https'),
    literal(':path', '/'),
    literal(':authority', 'api.test'),
    literal('content-length', '9'),
  ]);
  socket.write(frame(frameTypes.headers, { flags: flags.endHeaders, stream: 1, payload: head }));
  await opened.promise;
  socket.write(frame(frameTypes.data, { flags: flags.endStream, stream: 1, payload: Buffer.from('x') }));
  expect(await seen.promise).toBe(false);
  socket.destroy();
});

describe('a destination with invalid answers harms only its own streams', () => {
  const answers: readonly (readonly [what: string, bytes: Buffer])[] = [
    [
      '101 before the answer',
      Buffer.concat([
        frame(frameTypes.headers, { flags: flags.endHeaders, stream: 1, payload: literal(':status', '101') }),
        frame(frameTypes.headers, { flags: whole, stream: 1, payload: literal(':status', '200') }),
      ]),
    ],
    ['an invalid status', frame(frameTypes.headers, { flags: whole, stream: 1, payload: literal(':status', '999') })],
    ['a status of letters', frame(frameTypes.headers, { flags: whole, stream: 1, payload: literal(':status', 'abc') })],
    ['no status', frame(frameTypes.headers, { flags: whole, stream: 1, payload: literal('x', 'y') })],
    ['only a 103', frame(frameTypes.headers, { flags: whole, stream: 1, payload: literal(':status', '103') })],
    [
      'a field of a connection',
      frame(frameTypes.headers, {
        flags: whole,
        stream: 1,
        payload: Buffer.concat([literal(':status', '200'), literal('connection', 'close')]),
      }),
    ],
    [
      'two content types',
      frame(frameTypes.headers, {
        flags: whole,
        stream: 1,
        payload: Buffer.concat([
          literal(':status', '200'),
          literal('content-type', 'a/b'),
          literal('content-type', 'c/d'),
        ]),
      }),
    ],
    [
      'a pseudo-field in its trailers',
      Buffer.concat([
        frame(frameTypes.headers, { flags: flags.endHeaders, stream: 1, payload: literal(':status', '200') }),
        frame(frameTypes.headers, { flags: whole, stream: 1, payload: literal(':status', '200') }),
      ]),
    ],
    [
      'more content than its length',
      Buffer.concat([
        frame(frameTypes.headers, {
          flags: flags.endHeaders,
          stream: 1,
          payload: Buffer.concat([literal(':status', '200'), literal('content-length', '1')]),
        }),
        frame(frameTypes.data, { flags: flags.endStream, stream: 1, payload: Buffer.from('xyz') }),
      ]),
    ],
    ['a goaway', frame(frameTypes.goaway, { payload: Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]) })],
    ['no HTTP/2', Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')],
  ];

  test.each(answers)('%s', async (_, bytes) => {
    await using upstream = await rawUpstream((socket) => {
      socket.write(frame(frameTypes.settings));
      let seen = Buffer.alloc(0);
      let hasAnswered = false;
      socket.on('data', (chunk: Buffer) => {
        seen = Buffer.concat([seen, chunk]);
        if (!hasAnswered && typesIn(seen.subarray(24)).includes(frameTypes.headers)) {
          hasAnswered = true;
          socket.write(bytes);
        }
      });
    });
    await using front = await startFront({ scheme: 'http', alpn: 'h2', upstreamPort: upstream.port });
    const socket = connectTcp(front.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      Buffer.concat([
        preface,
        frame(frameTypes.headers, {
          flags: whole,
          stream: 1,
          payload: Buffer.concat([
            literal(':method', 'GET'),
            literal(':scheme', 'http'),
            literal(':path', '/'),
            literal(':authority', 'api.test'),
          ]),
        }),
      ]),
    );
    expect(await framesOf(socket, frameTypes.headers, frameTypes.reset)).toMatchObject({ isClosed: false });
    await expect.poll(() => front.records.length).toBe(1);
  });
});

test('any frames leave the front running', async () => {
  await using world = await start();
  const anyFrame = fc.record({
    type: fc.integer({ min: 0, max: 12 }),
    flags: fc.integer({ min: 0, max: 255 }),
    stream: fc.integer({ min: 0, max: 5 }),
    payload: fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(request('api.test'))),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyFrame, { maxLength: 8 }), async (frames) => {
      const socket = await rawHttp2(world.front.port);
      for (const { type, flags: set, stream, payload } of frames)
        socket.write(frame(type, { flags: set, stream, payload: Buffer.from(payload) }));
      await processed(socket);
      socket.destroy();
    }),
    { numRuns: rounds(40) },
  );
  expect(await isAlive(world.front)).toBe(true);
});

test('bytes instead of a preface leave the front running', async () => {
  await using world = await start();
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
    preface.subarray(0, 10),
    Buffer.alloc(5000, 0xff),
  ]) {
    const socket = connect({
      port: world.front.port,
      host: '127.0.0.1',
      servername: 'api.test',
      rejectUnauthorized: false,
      ALPNProtocols: ['h2'],
    });
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    socket.end(bytes);
    await framesOf(socket);
  }
  expect(await isAlive(world.front)).toBe(true);
  await expect.poll(world.front.open).toBe(0);
});
