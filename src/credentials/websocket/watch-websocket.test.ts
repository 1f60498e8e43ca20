import { once } from 'node:events';
import { duplexPair } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beforeTimer } from '../../../scripts/testing/before-timer.ts';
import { chunksOf } from '../masking/testing/chunks.ts';
import { opcodes } from './frame-head.ts';
import { framesOf, messagesIn, type Said } from './testing/frames.ts';
import { closed, heardOf, secret, testWatch, watchedPair } from './testing/watched.ts';
import { watchWebSocket } from './watch-websocket.ts';
import { closeFrame, writeFrame } from './framed-tunnel.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const { text, binary, ping, pong, close } = opcodes;
const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(' ', ''), 'hex');
const watch = testWatch();

/** Parts of messages: innocent ones, and pieces of what is looked for. */
function partsOf(sought: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.string({ maxLength: 12, unit: 'grapheme-ascii' }),
    fc.constantFrom(
      sought,
      sought.slice(0, 9),
      sought.slice(9),
      sought.slice(0, -1),
      Buffer.from(sought).toString('base64'),
      Buffer.from(sought).toString('hex'),
    ),
  );
}

function saidOf(sought: string): fc.Arbitrary<readonly Said[]> {
  const messages = fc.record({
    opcode: fc.constantFrom(text, binary),
    text: fc.array(partsOf(sought), { maxLength: 4 }).map((parts) => parts.join('')),
    cuts: fc.array(fc.nat(90), { maxLength: 3 }),
  });
  const controls = fc.record({
    opcode: fc.constantFrom(ping, pong),
    text: fc.string({ maxLength: 20, unit: 'grapheme-ascii' }),
  });
  return fc.array(fc.oneof(messages, messages, controls), { maxLength: 6 });
}

const chunkLengths = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });

describe('the incoming stream', () => {
  test('is the same messages, each as long as it was, without the secret in any spelling, in whatever frames and chunks', async () => {
    await fc.assert(
      fc.asyncProperty(saidOf(secret), chunkLengths, async (said, lengths) => {
        const { client, server } = watchedPair(testWatch());
        const heard = heardOf(client);
        for (const chunk of chunksOf(framesOf(said, 'client'), lengths)) server.write(chunk);
        server.end();
        const messages = messagesIn(await heard, 'server');
        expect(messages.map(({ opcode, text: shown }) => [opcode, shown.length])).toEqual(
          said.map(({ opcode, text: whole }) => [opcode, whole.length]),
        );
        for (const [index, { text: shown }] of messages.entries()) {
          for (const spelling of [
            secret,
            Buffer.from(secret).toString('hex'),
            Buffer.from(secret).toString('base64').slice(0, -4),
          ])
            expect(shown).not.toContain(spelling);
          if (shown !== said[index]?.text) expect(shown).toContain('****');
        }
      }),
      { numRuns: rounds(150) },
    );
  });

  test('is left as it is where nothing masks', async () => {
    const { outgoing, onHit } = watch;
    const { client, server } = watchedPair({ outgoing, onHit });
    const heard = heardOf(client);
    server.end(framesOf([{ opcode: text, text: secret }], 'client'));
    expect(messagesIn(await heard, 'server')).toEqual([{ opcode: text, text: secret }]);
  });
});

describe('the outgoing stream', () => {
  test('holds no phantom in any spelling, and is the same messages where none was in them', async () => {
    const { phantom } = watch;
    await fc.assert(
      fc.asyncProperty(saidOf(phantom), chunkLengths, async (said, lengths) => {
        const own = testWatch();
        const { client, server } = watchedPair(own);
        const heard = heardOf(server);
        client.resume();
        for (const chunk of chunksOf(framesOf(said, 'server'), lengths)) client.write(chunk);
        client.end();
        const messages = messagesIn(await heard, 'client');
        const wire = messages.map(({ text: sent }) => sent).join('\n');
        for (const spelling of [
          phantom,
          Buffer.from(phantom).toString('hex'),
          Buffer.from(phantom).toString('base64').slice(0, -4),
        ])
          expect(wire).not.toContain(spelling);
        if (own.hits.length === 0)
          expect(messages).toEqual(said.map(({ opcode, text: sent }) => ({ opcode, text: sent })));
        else
          expect([
            own.hits.length,
            messages.filter(({ opcode }) => opcode === close).map(({ text: why }) => why.slice(0, 2)),
          ]).toEqual([1, ['\x03\xf0']]);
      }),
      { numRuns: rounds(150) },
    );
  });

  test('reaches the watch before anything is written, once', async () => {
    const order: string[] = [];
    const own = testWatch();
    const { client, server } = watchedPair({ ...own, onHit: () => void order.push('hit') });
    server.on('data', () => order.push('data'));
    client.write(
      framesOf(
        [
          { opcode: text, text: own.phantom },
          { opcode: text, text: own.phantom },
        ],
        'server',
      ),
    );
    client.write(framesOf([{ opcode: text, text: own.phantom }], 'server'));
    await once(server, 'end');
    expect(order).toEqual(['hit', 'data']);
  });
});

describe('frames that break the protocol', () => {
  const violations: readonly (readonly [string, Buffer])[] = [
    ['a reserved bit', hex('c1 80 00000000')],
    ['a reserved kind', hex('83 80 00000000')],
    ['2^63 octets', hex('82 ff 8000000000000000 00000000')],
    ['a control frame in pieces', hex('09 80 00000000')],
    ['a continuation of nothing', hex('80 80 00000000')],
    ['no mask', hex('81 01 41')],
  ];
  test.each(violations)('by the client end it with 1002 on both sides: %s', async (_, bytes) => {
    const own = testWatch();
    const { client, server } = watchedPair(own);
    const heard = Promise.all([heardOf(client), heardOf(server)]);
    client.write(
      Buffer.concat([
        framesOf([{ opcode: text, text: 'before' }], 'server'),
        bytes,
        framesOf([{ opcode: text, text: 'after' }], 'server'),
      ]),
    );
    const [atClient, atServer] = await heard;
    expect(messagesIn(atClient, 'server')).toMatchObject([
      { opcode: close, text: expect.stringContaining('\x03\xea') as string },
    ]);
    expect(messagesIn(atServer, 'client')).toMatchObject([
      { opcode: text, text: 'before' },
      { opcode: close, text: expect.stringContaining('\x03\xea') as string },
    ]);
    expect(own.hits).toEqual([]);
  });

  test.each([
    ['a mask', hex('81 81 00000000 41')],
    ['a reserved bit', hex('c1 01 41')],
    ['2^63 octets', hex('82 7f 8000000000000000')],
    ['an answer of HTTP', Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
  ])('by the server end it on both sides: %s', async (_, bytes) => {
    const { client, server } = watchedPair(testWatch());
    const heard = Promise.all([heardOf(client), heardOf(server)]);
    server.write(Buffer.concat([framesOf([{ opcode: text, text: 'before' }], 'client'), bytes]));
    const [atClient, atServer] = await heard;
    expect(messagesIn(atClient, 'server').map(({ opcode }) => opcode)).toEqual([text, close]);
    expect(messagesIn(atServer, 'client').map(({ opcode }) => opcode)).toEqual([close]);
  });

  test('any bytes end it or wait for more, and nothing throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ maxLength: 200 }),
        async (fromClient, fromServer) => {
          const { client, server } = watchedPair(testWatch());
          const heard = Promise.all([heardOf(client), heardOf(server)]);
          client.end(Buffer.from(fromClient));
          server.end(Buffer.from(fromServer));
          const [atClient, atServer] = await heard;
          messagesIn(atClient, 'server');
          messagesIn(atServer, 'client');
        },
      ),
      { numRuns: rounds(300) },
    );
  });
});

describe('the tunnel', () => {
  test('ends when both sides have ended, and drops half a message', async () => {
    const { client, server, tunnel } = watchedPair(testWatch());
    const heard = Promise.all([heardOf(client), heardOf(server)]);
    client.end(framesOf([{ opcode: text, text: 'whole' }], 'server').subarray(0, -1));
    server.end(
      framesOf(
        [
          { opcode: text, text: 'whole' },
          { opcode: text, text: 'half' },
        ],
        'client',
      ).subarray(0, -1),
    );
    expect((await heard).map((bytes) => bytes.length)).toEqual([7, 0]);
    await closed(client);
    expect(tunnel.destroyed).toBe(true);
  });

  test('breaks when either side does', async () => {
    for (const side of ['client', 'tunnel'] as const) {
      const pair = watchedPair(testWatch());
      const other = side === 'client' ? pair.tunnel : pair.client;
      pair[side].destroy(new Error('broken'));
      await closed(other);
      expect(other.destroyed).toBe(true);
    }
  });

  test('makes who writes wait for who reads, both ways', async () => {
    const own = testWatch();
    for (const way of ['in', 'out'] as const) {
      const { client, server, tunnel } = watchedPair(own);
      const [writer, reader, to] =
        way === 'in' ? ([server, client, 'client'] as const) : ([client, server, 'server'] as const);
      const frame = writeFrame({ opcode: binary, isFinal: true, payload: Buffer.alloc(60_000, 'b') }, to);
      let written = 0;
      while (written < 200 && writer.write(frame)) {
        written += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(written).toBeLessThan(20);
      expect(client.readableLength + tunnel.readableLength + tunnel.writableLength).toBeLessThan(1 << 20);
      writer.end();
      expect(messagesIn(await heardOf(reader), way === 'in' ? 'server' : 'client')).toHaveLength(written + 1);
    }
  });

  test('is gone soon after a find even where neither side goes', async () => {
    const own = testWatch();
    const { client, server } = watchedPair(own);
    server.resume();
    client.write(framesOf([{ opcode: text, text: own.phantom }], 'server'));
    // Two seconds by itself.
    await beforeTimer(4000, () => closed(client));
    expect(client.errored?.message).toMatch(/did not close/u);
  });

  test('takes the clock of the one below it', () => {
    const asked: number[] = [];
    const [below] = duplexPair();
    Object.assign(below, { setTimeout: (milliseconds: number) => asked.push(milliseconds) });
    const watched = watchWebSocket(below, watch);
    if ('setTimeout' in watched && typeof watched.setTimeout === 'function') watched.setTimeout(5);
    expect(asked).toEqual([5]);
    watched.destroy();
  });

  test('carries nothing that a side says after its close frame', async () => {
    const { client, server } = watchedPair(testWatch());
    const heard = heardOf(server);
    client.end(
      Buffer.concat([
        closeFrame({ status: 1000, reason: '' }, 'server'),
        framesOf([{ opcode: text, text: 'afterwards' }], 'server'),
      ]),
    );
    expect(messagesIn(await heard, 'client')).toEqual([{ opcode: close, text: '\x03\xe8' }]);
  });

  test('may end in a find or a violation of one side after the other has ended', async () => {
    const own = testWatch();
    for (const last of ['client', 'server'] as const) {
      const { client, server } = watchedPair(own);
      const [first, second] = last === 'client' ? [server, client] : [client, server];
      const heard = Promise.all([heardOf(client), heardOf(server)]);
      first.end();
      await new Promise((resolve) => setImmediate(resolve));
      second.write(last === 'client' ? framesOf([{ opcode: text, text: own.phantom }], 'server') : hex('ff ff'));
      await heard;
      second.end();
      await closed(client);
      expect(client.errored).toBeNull();
    }
    expect(own.hits).toHaveLength(1);
  });
});
