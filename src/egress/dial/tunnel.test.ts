import type { Socket } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dial } from './dial.ts';
import { parseProxy, type UpstreamProxy } from './proxy-settings.ts';
import { type MessageFinder, readUntil, socksConnect } from './tunnel.ts';
import { readAll, serve, socketOf, vettedOf } from './testing/loopback.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function proxy(text = 'socks5h://127.0.0.1'): UpstreamProxy {
  const parsed = parseProxy('ALL_PROXY', text);
  if (parsed.kind !== 'proxy') throw new Error('no proxy');
  return parsed;
}

/** A server that answers each message with the next of its answers, and records what it heard. */
async function scripted(
  answers: readonly (readonly number[])[],
): Promise<{ readonly socket: Socket; readonly heard: string[] }> {
  const heard: string[] = [];
  const { port } = await serve((socket) => {
    socket.on('data', (chunk) => {
      const answer = answers[heard.length];
      heard.push(chunk.toString('hex'));
      if (answer === undefined) socket.end();
      else socket.write(Buffer.from(answer));
    });
  });
  return { socket: socketOf(await dial(vettedOf(port, '127.0.0.1'))), heard };
}

const granted = [5, 0, 0, 1, 127, 0, 0, 1, 0, 80];

describe('requests', () => {
  test.each([
    ['93.184.215.14', 443, '050100015db8d70e01bb'],
    ['::1', 65_535, '0501000400000000000000000000000000000001ffff'],
    ['2606:4700::1111', 1, '05010004260647000000000000000000000011110001'],
    ['a.test', 80, '0501000306612e746573740050'],
  ])('for %s port %i', async (host, port, request) => {
    const { socket, heard } = await scripted([[5, 0], granted]);
    expect(await socksConnect(socket, { host, port }, proxy())).toEqual({ kind: 'open', rest: Buffer.alloc(0) });
    expect(heard).toEqual(['050100', request]);
  });

  test('a name of 253 characters fits', async () => {
    const host = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;
    const { socket, heard } = await scripted([[5, 0], granted]);
    expect((await socksConnect(socket, { host, port: 80 }, proxy())).kind).toBe('open');
    expect(heard[1]?.slice(0, 10)).toBe('05010003fd');
  });

  test('a user and password are offered, and sent on demand', async () => {
    const { socket, heard } = await scripted([[5, 2], [1, 0], granted]);
    expect((await socksConnect(socket, { host: '1.1.1.1', port: 80 }, proxy('socks5h://me:pw@127.0.0.1'))).kind).toBe(
      'open',
    );
    expect(heard.slice(0, 2)).toEqual(['05020002', '01026d65027077']);
  });

  test('and not sent without one', async () => {
    const { socket, heard } = await scripted([[5, 0], granted]);
    expect((await socksConnect(socket, { host: '1.1.1.1', port: 80 }, proxy('socks5h://me:pw@127.0.0.1'))).kind).toBe(
      'open',
    );
    expect(heard.join()).not.toContain('6d65');
  });
});

describe('answers', () => {
  test.each([
    ['an IPv4 address', granted],
    ['an IPv6 address', [5, 0, 0, 4, ...Array<number>(16).fill(1), 0, 80]],
    ['a name', [5, 0, 0, 3, 3, 97, 98, 99, 0, 80]],
    ['an empty name', [5, 0, 0, 3, 0, 0, 80]],
  ])('with %s, keeping the bytes after it', async (_, answer) => {
    const { socket } = await scripted([
      [5, 0],
      [...answer, 104, 105],
    ]);
    expect(await socksConnect(socket, { host: '1.1.1.1', port: 80 }, proxy())).toEqual({
      kind: 'open',
      rest: Buffer.from('hi'),
    });
  });

  test('byte by byte', async () => {
    const { port } = await serve((socket) => {
      socket.once('data', () => {
        void (async () => {
          for (const byte of [5, 0, ...granted, 104, 105]) {
            socket.write(Buffer.from([byte]));
            await new Promise((resolve) => setTimeout(resolve, 2));
          }
          socket.end();
        })();
      });
    });
    const socket = socketOf(await dial(vettedOf(port, '127.0.0.1')));
    const answer = await socksConnect(socket, { host: '1.1.1.1', port: 80 }, proxy());
    // The request was answered before it was asked; a proxy may be that eager.
    expect(['open', 'protocol']).toContain(answer.kind);
    if (answer.kind === 'open') socket.unshift(answer.rest);
    if (answer.kind === 'open') expect(await readAll(socket)).toBe('hi');
  });

  test.each([
    ['SOCKS4', [[0, 90]], 'protocol'],
    ['HTTP', [[...Buffer.from('HTTP/1.1 400 Bad\r\n\r\n')]], 'protocol'],
    ['no method', [[5, 255]], 'refused'],
    ['a method that was not offered', [[5, 1]], 'refused'],
    ['a password that was not offered', [[5, 2]], 'refused'],
    ['more than a method', [[5, 0, 1]], 'protocol'],
    [
      'a reply of version 4',
      [
        [5, 0],
        [4, 0, 0, 1, 0, 0, 0, 0, 0, 0],
      ],
      'protocol',
    ],
    [
      'an unknown type of address',
      [
        [5, 0],
        [5, 0, 0, 2, 0, 0, 0, 0, 0, 0],
      ],
      'protocol',
    ],
    [
      'a reserved byte that is set',
      [
        [5, 0],
        [5, 0, 1, 1, 0, 0, 0, 0, 0, 0],
      ],
      'protocol',
    ],
    ['the end in place of a method', [], 'protocol'],
    ['the end in place of a reply', [[5, 0]], 'protocol'],
    [
      'refusal by rule',
      [
        [5, 0],
        [5, 2, 0, 1, 0, 0, 0, 0, 0, 0],
      ],
      'refused',
    ],
  ] as const)('%s', async (_, answers, kind) => {
    const { socket } = await scripted(answers);
    expect((await socksConnect(socket, { host: '1.1.1.1', port: 80 }, proxy())).kind).toBe(kind);
  });

  test('any bytes come to an end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 12 }), fc.uint8Array({ maxLength: 300 }), async (first, second) => {
        const { port } = await serve((socket) =>
          socket.once('data', () => socket.end(Buffer.concat([Buffer.from([5, 0]), first, second]))),
        );
        const socket = socketOf(await dial(vettedOf(port, '127.0.0.1')));
        expect(['open', 'refused', 'protocol']).toContain(
          (await socksConnect(socket, { host: '1.1.1.1', port: 80 }, proxy())).kind,
        );
      }),
      { numRuns: rounds(60) },
    );
  });
});

const line: MessageFinder<string> = (bytes) => {
  if (bytes[0] === 0) return 'malformed';
  const end = bytes.indexOf('\n');
  return end === -1 ? undefined : { result: bytes.toString('latin1', 0, end), end: end + 1 };
};

/** A paused socket to a server that says the pieces, one in each turn, and ends if it is told to. */
async function hearing(pieces: readonly (string | Uint8Array)[], then: 'end' | 'stay' | 'reset' = 'end') {
  const { port } = await serve((socket) => {
    void (async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (then === 'end') socket.end();
      if (then === 'reset') setTimeout(() => socket.resetAndDestroy(), 10);
    })();
  });
  return socketOf(await dial(vettedOf(port, '127.0.0.1')));
}

describe('a message', () => {
  test.each([
    [['hello\n'], 'hello', ''],
    [['hello\nrest'], 'hello', 'rest'],
    [['he', 'llo', '\n'], 'hello', ''],
    [['hello', '\nre', 'st'], 'hello', 're'],
    [['\n'], '', ''],
  ])('in pieces %j', async (pieces, result, rest) => {
    const read = await readUntil(await hearing(pieces, 'stay'), 100, line);
    expect(read).toMatchObject({ kind: 'done', result });
    expect(read.kind === 'done' ? read.rest.toString() : '').toMatch(new RegExp(`^${rest}`));
  });

  test('later bytes stay in the socket, which is paused', async () => {
    const socket = await hearing(['one\n', 'two\n', 'three']);
    const first = await readUntil(socket, 100, line);
    expect(socket.isPaused()).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 30));
    if (first.kind === 'done') socket.unshift(first.rest);
    expect(await readUntil(socket, 100, line)).toMatchObject({ kind: 'done', result: 'two' });
  });

  test('no cut loses bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[a-z]{0,6}$/), { minLength: 1, maxLength: 6 }),
        fc.stringMatching(/^[a-z]{1,12}$/),
        async (pieces, rest) => {
          const socket = await hearing([...pieces, '\n', rest]);
          const read = await readUntil(socket, 100, line);
          expect(read).toMatchObject({ kind: 'done', result: pieces.join('') });
          const early = read.kind === 'done' ? read.rest : Buffer.alloc(0);
          if (early.length > 0) socket.unshift(early);
          expect(await readAll(socket)).toBe(rest);
        },
      ),
      { numRuns: rounds(40) },
    );
  });
});

describe('no message, because', () => {
  test('the other side ends', async () => {
    expect(await readUntil(await hearing(['half']), 100, line)).toEqual({ kind: 'ended' });
    expect(await readUntil(await hearing([]), 100, line)).toEqual({ kind: 'ended' });
  });

  test('the other side resets', async () => {
    expect(await readUntil(await hearing(['half'], 'reset'), 100, line)).toEqual({ kind: 'ended' });
  });

  test('the socket is gone already', async () => {
    const socket = await hearing([], 'stay');
    socket.destroy();
    expect(await readUntil(socket, 100, line)).toEqual({ kind: 'ended' });
  });

  test('the message is too long', async () => {
    expect(await readUntil(await hearing(['x'.repeat(101)], 'stay'), 100, line)).toEqual({ kind: 'too long' });
    expect(await readUntil(await hearing(Array(200).fill('x'), 'stay'), 100, line)).toEqual({ kind: 'too long' });
  });

  test('the message is malformed, at the first byte', async () => {
    expect(await readUntil(await hearing(['\0'], 'stay'), 100, line)).toEqual({ kind: 'malformed' });
  });
});
