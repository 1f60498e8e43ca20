import { once } from 'node:events';
import type { Socket } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';
import { assert, array, asyncProperty, constantFrom, nat } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pair } from '../pipeline/testing/pipeline.ts';
import { watchFor } from '../testing/watches.ts';
import type { StreamWatch } from '../types.ts';
import type { Inspection } from './splice.ts';
import { gateOf, spliceWatched } from './splice-watched.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const word = 'phantom_EXAMPLE';

interface Relay {
  readonly client: Socket;
  readonly server: Socket;
  readonly outcome: Promise<'ended' | 'stopped'>;
}

/** client → watch → server, over loopback. */
async function relay(watch: StreamWatch = watchFor(word), said?: Buffer): Promise<Relay> {
  const [inside, outside] = [await pair(), await pair()];
  const outcome = spliceWatched(inside.accepted, outside.client, { watch, ...(said === undefined ? {} : { said }) });
  outcome.catch(() => undefined);
  return { client: inside.client, server: outside.accepted, outcome };
}

async function all(stream: Duplex): Promise<Buffer> {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  await new Promise((resolve) => stream.once('end', resolve).once('close', resolve));
  return Buffer.concat(chunks);
}

function closed(stream: Duplex): Promise<unknown> {
  return stream.closed ? Promise.resolve() : new Promise((resolve) => stream.once('close', resolve));
}

describe('bytes that pass the watch', () => {
  test('go both ways, and each end is an end', async () => {
    const { client, server, outcome } = await relay();
    client.end('question');
    expect(String(await all(server))).toBe('question');
    server.end('answer');
    expect(String(await all(client))).toBe('answer');
    expect(await outcome).toBe('ended');
  });

  test('a side that has finished sending still receives', async () => {
    const { client, server } = await relay();
    server.end('all that there is');
    expect(String(await all(client))).toBe('all that there is');
    client.end('late');
    expect(String(await all(server))).toBe('late');
  });

  test('withheld bytes go on at the end', async () => {
    const { client, server } = await relay();
    client.end(`to a ${word.slice(0, 7)}`);
    expect(String(await all(server))).toBe(`to a ${word.slice(0, 7)}`);
    server.end();
  });

  // A chunk that happens to end like a word begins: the server waits for it, and the client for the server.
  test('withheld bytes go on in a pause, and are not forgotten', async () => {
    const { client, server, outcome } = await relay();
    server.on('data', (bytes: Buffer) => server.write(`got ${bytes.toString()}`)).resume();
    client.write(`to a ${word.slice(0, 7)}`);
    const heard: string[] = [];
    client.on('data', (bytes: Buffer) => heard.push(bytes.toString()));
    await expect.poll(() => heard.join('')).toContain(`got ${word.slice(0, 7)}`);
    client.write(word.slice(7));
    expect(await outcome).toBe('stopped');
    expect(heard.join('')).not.toContain(word.slice(7));
  });

  test('a pause releases nothing that has not been inspected', async () => {
    const [inside, outside] = [await pair(), await pair()];
    const got: Buffer[] = [];
    outside.accepted.on('data', (bytes: Buffer) => got.push(bytes)).resume();
    void spliceWatched(inside.accepted, outside.client, {
      watch: watchFor(word),
      inspect: (bytes) => (bytes.length < 8 ? { kind: 'more' } : { kind: 'pass' }),
    });
    inside.client.write('four');
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(got).toEqual([]);
    inside.client.end('more');
    await expect.poll(() => String(Buffer.concat(got))).toBe('fourmore');
    outside.accepted.end();
  });

  test('earlier bytes go first, even if the client has ended', async () => {
    const { client, server } = await relay(watchFor(word), Buffer.from('first '));
    client.end('second');
    expect(String(await all(server))).toBe('first second');
    server.end();
    const [inside, outside] = [await pair(), await pair()];
    inside.client.end();
    inside.accepted.resume();
    await once(inside.accepted, 'end');
    void spliceWatched(inside.accepted, outside.client, { watch: watchFor(word), said: Buffer.from('last words') });
    expect(String(await all(outside.accepted))).toBe('last words');
  });

  test('a slow reader slows the sender, and gets every byte', async () => {
    const { client, server } = await relay();
    const bytes = Buffer.alloc(24 * 1024 * 1024, 'holdfast');
    client.end(bytes);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(client.writableLength).toBeGreaterThan(0);
    expect((await all(server)).equals(bytes)).toBe(true);
    server.end();
  });

  test('a reset of either side resets the other', async () => {
    for (const [by, to] of [
      ['client', 'server'],
      ['server', 'client'],
    ] as const) {
      const ends = await relay();
      const heard = once(ends[to], 'error').catch((error: unknown) => [error]);
      ends.client.resume();
      ends.server.resume();
      ends[by].resetAndDestroy();
      expect(((await heard) as [NodeJS.ErrnoException])[0].code).toBe('ECONNRESET');
      expect(await ends.outcome).toBe('ended');
    }
  });
});

describe('a watch that stops', () => {
  test('resets both sides, before any byte of that chunk has passed', async () => {
    const { client, server, outcome } = await relay();
    const heard = all(server);
    client.write('before ');
    await once(server, 'data');
    client.write(`and ${word} after`);
    expect(await outcome).toBe('stopped');
    await Promise.all([closed(client.resume()), closed(server)]);
    expect(String(await heard)).toBe('before ');
  });

  test('may stop at the end', async () => {
    const { client, server, outcome } = await relay({ push: (bytes) => bytes, end: () => 'stop' });
    client.end('x');
    server.resume();
    expect(await outcome).toBe('stopped');
  });

  test('also ends connections that are not sockets', async () => {
    const [client, inside] = duplexPair();
    const [outside, server] = duplexPair();
    const outcome = spliceWatched(inside, outside, { watch: watchFor(word) });
    client.write(word);
    expect(await outcome).toBe('stopped');
    expect([inside.destroyed, outside.destroyed, server.readableLength]).toEqual([true, true, 0]);
  });

  test('finds a word in any pieces, and changes nothing else', async () => {
    const parts = array(constantFrom('phan', 'tom_', 'EXAMPLE', 'p', 'tom_EXAMPL', 'E', ' '), { maxLength: 12 });
    await assert(
      asyncProperty(parts, nat(3), async (chunks, gap) => {
        const [client, inside] = duplexPair();
        const [outside, server] = duplexPair();
        const outcome = spliceWatched(inside, outside, { watch: watchFor(word) });
        const heard = all(server);
        for (const [index, chunk] of chunks.entries()) {
          client.write(chunk);
          if (index % (gap + 1) === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        client.end();
        server.end();
        client.resume();
        const text = chunks.join('');
        expect(await outcome).toBe(text.includes(word) ? 'stopped' : 'ended');
        if (text.includes(word)) expect(String(await Promise.race([heard, Promise.resolve('')]))).not.toContain(word);
        else expect(String(await heard)).toBe(text);
      }),
      { numRuns: rounds(60) },
    );
  });
});

test('a watch that throws ends both sides, and rejects for the caller', async () => {
  const { client, server, outcome } = await relay({
    push: () => {
      throw new Error('ours');
    },
    end: () => Buffer.alloc(0),
  });
  client.write('x');
  await expect(outcome).rejects.toThrow('ours');
  await Promise.all([closed(client.resume()), closed(server.resume())]);
});

const nothing = Buffer.alloc(0);

/** Wants to see a line; `NO` is refused. */
function inspect(bytes: Buffer): Inspection {
  if (!bytes.includes('\n')) return { kind: 'more' };
  return bytes.includes('NO') ? { kind: 'refuse', lastWords: nothing } : { kind: 'pass' };
}

describe('with an inspection', () => {
  const made = () => gateOf(watchFor(word), inspect);

  test('no byte passes before it, and then all of them', () => {
    const gate = made();
    expect(gate.push(Buffer.from('hal'))).toEqual(nothing);
    expect(gate.push(Buffer.from('f\nand more'))).toEqual(Buffer.from('half\nand more'));
    expect(gate.push(Buffer.from('more'))).toEqual(Buffer.from('more'));
  });

  test('a refused hello stops', () => {
    expect(made().push(Buffer.from('NO\n'))).toBe('stop');
  });

  test('withheld bytes are watched too', () => {
    const gate = made();
    expect(gate.push(Buffer.from(word.slice(0, 6)))).toEqual(nothing);
    expect(gate.push(Buffer.from(`${word.slice(6)}\n`))).toBe('stop');
  });

  // Attack: half a hello, a pause, and the other half with another name in it.
  test('a pause releases no uninspected bytes', () => {
    const gate = made();
    gate.push(Buffer.from('half'));
    expect(gate.pause()).toEqual(nothing);
    expect(gate.push(Buffer.from(' NO\n'))).toBe('stop');
  });

  test('the end gives all withheld bytes', () => {
    const half = made();
    half.push(Buffer.from(`half ${word.slice(0, 5)}`));
    expect(half.end()).toEqual(Buffer.from(`half ${word.slice(0, 5)}`));
    expect(made().end()).toEqual(nothing);
  });
});

describe('without an inspection', () => {
  test('a pause releases the watch’s withheld bytes, and the watch remembers them', () => {
    const gate = gateOf(watchFor(word));
    expect(gate.push(Buffer.from('a phan'))).toEqual(Buffer.from('a '));
    expect(gate.pause()).toEqual(Buffer.from('phan'));
    expect(gate.push(Buffer.from('tom_'))).toEqual(nothing);
    expect(gate.push(Buffer.from('EXAMPLE'))).toBe('stop');
  });

  test.each([
    ['withheld bytes', { push: (): 'stop' => 'stop', end: () => nothing }],
    ['the end', { push: (bytes: Buffer) => bytes, end: (): 'stop' => 'stop' }],
  ])('the end may stop, because of %s', (_, watch) => {
    const gate = gateOf(watch, inspect);
    gate.push(Buffer.from('held'));
    expect(gate.end()).toBe('stop');
  });
});
