import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { settle, stopClock } from '../testing/stopped-clock.ts';
import { decodeResponse } from './message.ts';
import type { LookupRecord } from './find.ts';
import { contextWith } from './testing/context.ts';
import { queryPacket, responsePacket, wireName } from './testing/packets.ts';
import { askOverUdp, connectTo, startService } from './testing/service.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const rcodeOf = (reply: Buffer | undefined): number | undefined =>
  reply === undefined ? undefined : reply.readUInt16BE(2) & 0xf;
const idOf = (reply: Buffer): number => reply.readUInt16BE(0);

/** Another implementation as the client: the c-ares of Node. */
function clientOf(port: number): Resolver {
  const client = new Resolver({ timeout: 1000, tries: 1 });
  client.setServers([`127.0.0.1:${port}`]);
  return client;
}

describe('over UDP', () => {
  test('a real resolver understands every kind of answer', async () => {
    await using running = await startService({ context: contextWith() });
    const client = clientOf(running.port);
    expect(await client.resolve4('example.com', { ttl: true })).toEqual([{ address: '198.18.0.2', ttl: 1 }]);
    expect(await client.resolve4('localhost')).toEqual(['127.0.0.1']);
    expect(await client.resolve6('localhost')).toEqual(['::1']);
    expect(await client.reverse('198.18.0.2')).toEqual(['example.com']);
    await expect(client.resolve6('example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(client.resolveTxt('example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(client.resolveAny('example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(client.resolve4('evil.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(client.resolveTxt('secret.evil.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(client.reverse('8.8.8.8')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('every question is recorded once', async () => {
    const seen: LookupRecord[] = [];
    await using running = await startService({ context: contextWith(), record: (lookup) => seen.push(lookup) });
    await askOverUdp(running.port, queryPacket());
    await askOverUdp(running.port, queryPacket({ name: wireName('evil.test'), type: 16 }));
    await askOverUdp(running.port, queryPacket({ flags: 0x2800 }));
    expect(seen).toMatchObject([
      { name: 'example.com', type: 'A', outcome: 'answered', verdict: { decision: 'allow' } },
      { name: 'evil.test', type: 'TXT', outcome: 'refused', verdict: { decision: 'deny' } },
      { name: '', type: '', outcome: 'malformed' },
    ]);
  });

  test('a response, a scrap and an empty datagram get no answer', async () => {
    await using running = await startService({ context: contextWith() });
    const packets = [responsePacket(), Buffer.alloc(11), Buffer.alloc(0)];
    expect(await Promise.all(packets.map((packet) => askOverUdp(running.port, packet, 150)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(rcodeOf(await askOverUdp(running.port, queryPacket()))).toBe(0);
  });

  test('an exception of the policy, the journal or the vetting fails that look-up only', async () => {
    const broken = contextWith({ authority: { decide: () => expect.fail('broken') } });
    const services = [{ context: broken }, { context: contextWith(), record: () => expect.fail('full') }];
    for (const options of services) {
      await using running = await startService(options);
      expect(rcodeOf(await askOverUdp(running.port, queryPacket()))).toBe(2);
      expect(rcodeOf(await askOverUdp(running.port, queryPacket({ name: wireName('b.test') })))).toBe(2);
    }
  });

  test('too many questions get an immediate answer', async () => {
    let waits = 0;
    const resolver = { resolve: async () => await new Promise<never>(() => void (waits += 1)) };
    await using running = await startService({
      context: contextWith({ mode: { kind: 'real', resolver, vet: (_, found) => found } }),
      mostPending: 3,
    });
    const waiting = Array.from({ length: 3 }, () => askOverUdp(running.port, queryPacket(), 300));
    await expect.poll(() => waits).toBe(3);
    expect(rcodeOf(await askOverUdp(running.port, queryPacket(), 20_000))).toBe(2);
    expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined]);
  });

  test('answered questions make room for others', async () => {
    await using running = await startService({ context: contextWith(), mostPending: 1 });
    for (let turn = 0; turn < 5; turn += 1) expect(rcodeOf(await askOverUdp(running.port, queryPacket()))).toBe(0);
  });

  test('an error of the socket does not end the service', async () => {
    await using running = await startService({ context: contextWith() });
    running.udp.emit('error', new Error('recvmsg ECONNREFUSED'));
    expect(rcodeOf(await askOverUdp(running.port, queryPacket()))).toBe(0);
  });

  test('nothing is answered after the close', async () => {
    await using running = await startService({ context: contextWith() });
    running.service.close();
    expect(await askOverUdp(running.port, queryPacket(), 100)).toBeUndefined();
  });

  test('the socket may be closed during a look-up', async () => {
    let answer = (): void => {};
    const waiting = new Promise<void>((resolve) => (answer = resolve));
    const resolver = {
      resolve: async () => (await waiting, { kind: 'resolved' as const, aliases: [], addresses: ['192.0.2.1'] }),
    };
    const running = await startService({
      context: contextWith({ mode: { kind: 'real', resolver, vet: (_, found) => found } }),
    });
    const asked = askOverUdp(running.port, queryPacket(), 150);
    await new Promise((resolve) => void setTimeout(resolve, 30));
    running.udp.close();
    answer();
    expect(await asked).toBeUndefined();
    running.service.close();
  });
});

describe('over TCP', () => {
  test('several questions on one connection are answered in order', async () => {
    await using running = await startService({ context: contextWith() });
    const client = connectTo(running.port);
    client.send(
      ...Array.from({ length: 50 }, (_, id) =>
        queryPacket({ id, name: wireName(id % 2 === 0 ? 'example.com' : 'evil.test') }),
      ),
    );
    const replies = await client.messages(50);
    expect(replies.map(idOf)).toEqual(Array.from({ length: 50 }, (_, id) => id));
    expect(replies.map(rcodeOf).slice(0, 4)).toEqual([0, 3, 0, 3]);
    client.send(queryPacket({ id: 99 }));
    expect((await client.messages(51)).map(idOf).at(-1)).toBe(99);
    client.socket.destroy();
  });

  test('a question may come byte by byte', async () => {
    await using running = await startService({ context: contextWith() });
    const client = connectTo(running.port);
    client.socket.setNoDelay(true);
    for (const byte of Buffer.concat([Buffer.of(0, queryPacket().length), queryPacket()])) {
      client.socket.write(Buffer.of(byte));
      await new Promise((resolve) => void setImmediate(resolve));
    }
    expect(decodeResponse((await client.messages(1))[0] ?? Buffer.alloc(0))?.records).toMatchObject([
      { address: '198.18.0.2' },
    ]);
    client.socket.destroy();
  });

  test('a client that has closed its side still gets its answers, and then the end', async () => {
    await using running = await startService({ context: contextWith() });
    const client = connectTo(running.port);
    client.send(queryPacket({ id: 1 }), queryPacket({ id: 2 }));
    client.socket.end();
    expect((await client.messages(2)).map(idOf)).toEqual([1, 2]);
    expect(await client.ended).toBe('end');
  });

  test.each([
    ['says nothing', () => {}],
    ['sends half a length', ({ socket }: ReturnType<typeof connectTo>) => void socket.write(Buffer.of(0))],
    ['sends half a question', ({ socket }: ReturnType<typeof connectTo>) => void socket.write(Buffer.of(0, 40, 1, 2))],
    [
      'trickles',
      ({ socket }: ReturnType<typeof connectTo>) => {
        socket.write(Buffer.of(1, 0));
        const timer = setInterval(() => socket.write(Buffer.of(1)), 20);
        socket.once('close', () => clearInterval(timer));
      },
    ],
    ['asks once and stays', ({ send }: ReturnType<typeof connectTo>) => send(queryPacket())],
  ])('a client that %s is cut off', async (_, misbehave) => {
    await using running = await startService({ context: contextWith(), tcp: { patience: 150 } });
    const client = connectTo(running.port);
    const started = performance.now();
    misbehave(client);
    await client.ended;
    expect(performance.now() - started).toBeGreaterThan(100);
    client.socket.destroy();
  });

  test('a client that asks and never reads is no longer read, and cut off', { timeout: 120_000 }, async () => {
    let answered = 0;
    await using running = await startService({
      context: contextWith(),
      record: () => (answered += 1),
      tcp: { patience: 300, questions: Number.POSITIVE_INFINITY },
    });
    const client = connectTo(running.port);
    client.socket.pause();
    const batch = Array.from({ length: 2000 }, () => queryPacket());
    let sent = 0;
    const state = { isOpen: true };
    void client.ended.then(() => (state.isOpen = false));
    while (state.isOpen) {
      if (!client.socket.writableNeedDrain) {
        client.send(...batch);
        sent += batch.length;
      }
      await new Promise((resolve) => void setTimeout(resolve, 2));
    }
    expect(answered).toBeLessThan(sent);
    client.socket.destroy();
  });

  test.each([
    ['announces too long a question', Buffer.of(0x10, 0x01)],
    ['sends an empty message', Buffer.of(0, 0)],
    ['sends a response', Buffer.concat([Buffer.of(0, 29), responsePacket()])],
    ['speaks HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: example.com\r\n\r\n')],
    ['speaks TLS', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
  ])('a client that %s is disconnected at once', async (_, bytes) => {
    await using running = await startService({ context: contextWith() });
    const client = connectTo(running.port);
    client.socket.write(bytes);
    await client.ended;
    expect(await client.messages(1)).toEqual([]);
    client.socket.destroy();
  });

  test('the questions of one connection are limited', async () => {
    await using running = await startService({ context: contextWith(), tcp: { questions: 3 } });
    const client = connectTo(running.port);
    client.send(...Array.from({ length: 5 }, (_, id) => queryPacket({ id })));
    expect((await client.messages(5)).map(idOf)).toEqual([0, 1, 2]);
    expect(await client.ended).toBe('end');
    client.socket.destroy();
  });

  test('the number of connections is limited, until some close', async () => {
    await using running = await startService({ context: contextWith(), tcp: { connections: 2 } });
    const clients = [connectTo(running.port), connectTo(running.port)];
    for (const client of clients) client.send(queryPacket());
    for (const client of clients) expect(await client.messages(1)).toHaveLength(1);
    const third = connectTo(running.port);
    third.send(queryPacket());
    expect(await third.messages(1)).toEqual([]);
    third.socket.destroy();
    clients[0]?.socket.destroy();
    await expect
      .poll(async () => {
        const fourth = connectTo(running.port);
        fourth.send(queryPacket());
        const answers = await fourth.messages(1);
        fourth.socket.destroy();
        return answers.length;
      })
      .toBe(1);
    for (const client of clients) client.socket.destroy();
  });

  test('a reset in the middle does not end the service', async () => {
    await using running = await startService({ context: contextWith() });
    for (let turn = 0; turn < 20; turn += 1) {
      const client = connectTo(running.port);
      await once(client.socket, 'connect');
      client.send(queryPacket(), queryPacket());
      client.socket.resetAndDestroy();
    }
    const client = connectTo(running.port);
    client.send(queryPacket());
    expect(await client.messages(1)).toHaveLength(1);
    client.socket.destroy();
  });

  test('a reset after the last answer does not end the service', async () => {
    await using running = await startService({ context: contextWith(), tcp: { questions: 1 } });
    for (let turn = 0; turn < 10; turn += 1) {
      const client = connectTo(running.port);
      client.send(queryPacket());
      expect(await client.messages(1)).toHaveLength(1);
      client.socket.resetAndDestroy();
      await new Promise((resolve) => void setTimeout(resolve, 5));
    }
    expect(rcodeOf(await askOverUdp(running.port, queryPacket()))).toBe(0);
  });

  test('a client that asks late has the full time for its answer', async () => {
    const asked = Promise.withResolvers<void>();
    const found = Promise.withResolvers<void>();
    const resolver = {
      resolve: async () => (
        asked.resolve(), await found.promise, { kind: 'resolved' as const, aliases: [], addresses: ['192.0.2.1'] }
      ),
    };
    await using running = await startService({
      context: contextWith({ mode: { kind: 'real', resolver, vet: (_, answer) => answer } }),
      tcp: { patience: 400 },
    });
    const clock = stopClock();
    const client = connectTo(running.port);
    await once(client.socket, 'connect');
    await settle();
    await clock.pass(250);
    client.send(queryPacket());
    await asked.promise;
    await clock.pass(250);
    found.resolve();
    expect(await client.messages(1)).toHaveLength(1);
    client.socket.destroy();
  });

  test('closing the service ends its connections', async () => {
    await using running = await startService({ context: contextWith() });
    const client = connectTo(running.port);
    client.send(queryPacket());
    await client.messages(1);
    running.service.close();
    await client.ended;
    client.socket.destroy();
  });
});

test('any input over both leaves it running', async () => {
  await using running = await startService({ context: contextWith() });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const client = connectTo(running.port);
      client.socket.write(bytes);
      client.socket.end();
      const [, reply] = await Promise.all([
        client.ended,
        askOverUdp(running.port, Buffer.concat([Buffer.from([0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]), bytes]), 1000),
      ]);
      client.socket.destroy();
      expect(reply).toBeDefined();
    }),
    { numRuns: rounds(100) },
  );
  expect(rcodeOf(await askOverUdp(running.port, queryPacket()))).toBe(0);
});
