import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { serveLimits } from '../../src/serve/limits.ts';
import { encodeWireFrame, type Frame } from '../../src/serve/wire/frame.ts';
import { printed, RawClient, Served } from '../lib/served.ts';

const foreground = { kind: 'exec', session: 'build', mode: 'foreground' } as const;

async function stillServes(served: Served): Promise<void> {
  const call = (await served.connect()).call({ ...foreground, argv: ['echo', 'here'] });
  expect((await printed(call)).stdout).toBe('here\n');
}

describe('a violation of the protocol ends its client with an error, and nothing else', () => {
  const message = (text: string): Frame => ({ type: 'message', channel: 0, payload: Buffer.from(text) });
  test.each([
    { what: 'bytes of another protocol', frames: [], bytes: Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n') },
    { what: 'a length beyond all', frames: [], bytes: Buffer.alloc(64, 0xff) },
    { what: 'another version', frames: [message('{"kind":"hello","version":2}')], bytes: Buffer.alloc(0) },
    { what: 'not JSON', frames: [message('{"kind"')], bytes: Buffer.alloc(0) },
    { what: 'a request before hello', frames: [{ ...message('{"kind":"ps"}'), channel: 1 }], bytes: Buffer.alloc(0) },
    { what: 'a prototype', frames: [message('{"__proto__":{"kind":"hello","version":1}}')], bytes: Buffer.alloc(0) },
  ])('$what', async ({ frames, bytes }) => {
    await using served = await Served.start();
    const raw = new RawClient(served.server.socket);
    for (const frame of frames) raw.send(frame);
    raw.socket.write(bytes);
    await raw.closed;
    expect(raw.said(0).map(({ kind, error }) => error?.code ?? kind)).toEqual(['hello', 'HF_SERVE_PROTOCOL']);
    await stillServes(served);
  });

  test.each([
    { what: 'input for no request', frame: { type: 'stdin', channel: 9, payload: Buffer.from('x') } },
    { what: 'output', frame: { type: 'stdout', channel: 1, payload: Buffer.from('x') } },
    { what: 'unused credit', frame: { type: 'credit', channel: 1, payload: Buffer.from([0, 0, 0, 1]) } },
    { what: 'an invalid word', frame: { type: 'message', channel: 1, payload: Buffer.from('{"kind":"shout"}') } },
    {
      what: 'an invalid signal',
      frame: { type: 'message', channel: 1, payload: Buffer.from('{"kind":"signal","signal":"toString"}') },
    },
  ] as const)('after a request: $what', async ({ frame }) => {
    await using served = await Served.start();
    const raw = new RawClient(served.server.socket).hello().say(1, { ...foreground, argv: ['sleep', '4914'] });
    await expect.poll(() => raw.said(1)).toMatchObject([{ kind: 'note' }]);
    raw.send(frame);
    await raw.closed;
    expect(raw.said(0).map(({ kind, error }) => error?.code ?? kind)).toEqual(['hello', 'HF_SERVE_PROTOCOL']);
    // Its foreground processes ended with it.
    const client = await served.connect();
    await expect.poll(async () => (await client.call({ kind: 'ps' }).result).commands).toEqual([]);
  });

  test('an unreadable request is answered, and its client continues', async () => {
    await using served = await Served.start();
    const raw = new RawClient(served.server.socket).hello();
    const wrong = [
      { kind: 'format' },
      { kind: 'toString' },
      { kind: 'exec' },
      { ...foreground, argv: [] },
      { ...foreground, argv: ['true'], more: 1 },
      { kind: 'exec', session: 'build', mode: 'foreground', argv: ['true'], terminal: { columns: 0, rows: 1 } },
      [],
    ];
    wrong.forEach((request, index) => raw.say(index + 1, request));
    raw.say(100, { kind: 'ps' });
    await expect.poll(() => raw.said(100)).toMatchObject([{ kind: 'result' }]);
    expect(wrong.map((_, index) => raw.said(index + 1)[0]?.error?.code)).toEqual(wrong.map(() => 'HF_USAGE'));
    raw.socket.destroy();
  });

  test('an answer that would exceed a message is an error', async () => {
    await using served = await Served.start();
    const raw = new RawClient(served.server.socket)
      .hello()
      .say(1, { ...foreground, session: '"'.repeat(400_000), argv: ['true'] });
    await expect.poll(() => raw.said(1)).toMatchObject([{ kind: 'error', error: { code: 'HF_SERVE_LIMIT' } }]);
    raw.socket.destroy();
    await stillServes(served);
  });

  test('commands with words that together exceed a message are listed in part', async () => {
    await using served = await Served.start();
    const client = await served.connect();
    for (const letter of ['a', 'b'])
      await client.call({
        kind: 'exec',
        session: 'build',
        mode: 'detached',
        argv: ['sleep', '4914', letter.repeat(100_000), ...Array.from({ length: 40 }, () => letter.repeat(10_000))],
      }).result;
    const { commands, leftOut } = await client.call({ kind: 'ps' }).result;
    expect(commands.map(({ argv }) => argv.join(' ').replaceAll(/a{9,}|b{9,}/gu, 'long'))).toEqual([
      'sleep 4914 long…',
      'sleep 4914 long…',
    ]);
    expect(leftOut).toBe(0);
  });

  test('noise of every kind, from many clients', async () => {
    await using served = await Served.start();
    const types = ['message', 'stdin', 'stdout', 'stderr', 'credit'] as const;
    const clients = Array.from({ length: 40 }, () => new RawClient(served.server.socket).hello());
    for (const raw of clients) {
      for (let count = 0; count < 20; count += 1) {
        const type = types[randomInt(types.length)] ?? 'stdin';
        const frame = encodeWireFrame({
          type,
          channel: randomInt(4),
          payload: randomBytes(type === 'credit' ? 4 : randomInt(40)),
        });
        const at = randomInt(frame.length);
        if (randomInt(2) === 0) frame[at] = randomInt(256);
        raw.socket.write(frame);
      }
      // Some leave without a message.
      setTimeout(randomInt(50)).then(
        () => raw.socket.destroy(),
        () => undefined,
      );
    }
    await Promise.all(clients.map(({ closed }) => closed));
    await stillServes(served);
  });
});

describe('a client’s resources are bounded:', () => {
  test('input that a command does not read stays with the client', async () => {
    await using served = await Served.start();
    const raw = new RawClient(served.server.socket).hello().say(1, { ...foreground, argv: ['sleep', '4914'] });
    await expect.poll(() => raw.said(1)).toMatchObject([{ kind: 'note' }]);
    // A pipe holds 64 KiB, and the window is 256. A client that continues to send violates the protocol.
    for (let sent = 0; sent < 3 * serveLimits.window; sent += serveLimits.piece)
      raw.send({ type: 'stdin', channel: 1, payload: Buffer.alloc(serveLimits.piece) });
    await raw.closed;
    expect(raw.said(0).at(-1)?.error?.code).toBe('HF_SERVE_PROTOCOL');
  });

  test('connections', async () => {
    await using served = await Served.start();
    const clients = Array.from({ length: serveLimits.clients + 20 }, () => new RawClient(served.server.socket).hello());
    await expect.poll(() => clients.filter(({ socket }) => socket.closed).length).toBeGreaterThanOrEqual(20);
    expect(clients.filter((client) => client.said(0)[0]?.kind === 'hello').length).toBeLessThan(serveLimits.clients);
    for (const { socket } of clients) socket.destroy();
    await Promise.all(clients.map(({ closed }) => closed));
    await expect.poll(async () => (await served.connect().catch(() => undefined)) !== undefined).toBe(true);
  });
});
