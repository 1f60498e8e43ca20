import { getEventListeners, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasSettled, stopClock } from '../testing/stopped-clock.ts';
import { dial, givenUp, attemptOrder, tooSlow, unreachable } from './dial.ts';
import { blackHole, closedPort, codeOf, readAll, serve, socketOf, vettedOf } from './testing/loopback.ts';

const hasIPv6 = Object.values(networkInterfaces()).some((entries) => entries?.some(({ address }) => address === '::1'));

/** Milliseconds, of 40. */
async function medianRound(socket: Socket): Promise<number> {
  const times: number[] = [];
  while (times.length < 40) {
    const start = performance.now();
    socket.write('a');
    socket.write('b');
    await once(socket, 'data');
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[20] ?? Number.NaN;
}

describe('a connection', () => {
  test('carries bytes both ways, and comes paused', async () => {
    const { port } = await serve((socket) => socket.on('data', (chunk) => socket.end(`heard ${chunk.toString()}`)));
    const outcome = await dial(vettedOf(port, '127.0.0.1'));
    expect(outcome).toMatchObject({ kind: 'dialled', address: '127.0.0.1' });
    const socket = socketOf(outcome);
    expect(socket.isPaused()).toBe(true);
    socket.write('hello');
    expect(await readAll(socket)).toBe('heard hello');
  });

  test('loses no bytes that a server sends before anyone reads', async () => {
    const { port } = await serve((socket) => socket.end('SSH-2.0-server\r\n'));
    const socket = socketOf(await dial(vettedOf(port, '127.0.0.1')));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await readAll(socket)).toBe('SSH-2.0-server\r\n');
  });

  test('stays open for writing when the server has ended its half', async () => {
    const heard = Promise.withResolvers<string>();
    const { port } = await serve((socket) => {
      socket.end('bye');
      heard.resolve(readAll(socket));
    });
    const socket = socketOf(await dial(vettedOf(port, '127.0.0.1')));
    expect(await readAll(socket)).toBe('bye');
    socket.end('still here');
    expect(await heard.promise).toBe('still here');
  });

  test('survives a reset without a listener', async () => {
    const { port } = await serve((socket) => setTimeout(() => socket.resetAndDestroy(), 10));
    const socket = socketOf(await dial(vettedOf(port, '127.0.0.1')));
    await new Promise((resolve) => socket.resume().once('close', resolve));
    expect(socket.destroyed).toBe(true);
  });

  test('reads into the buffer of an onread, from the first byte', async () => {
    const payload = 'x'.repeat(1_000_000);
    const { port } = await serve((socket) => socket.end(payload));
    const buffer = Buffer.alloc(256 * 1024);
    let received = 0;
    const onread = { buffer, callback: (length: number) => (received += length) > 0 };
    const socket = socketOf(await dial(vettedOf(port, '127.0.0.1'), { onread }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(received).toBe(0);
    socket.resume();
    await once(socket, 'end');
    expect(received).toBe(payload.length);
    expect(buffer.toString('latin1', 0, 10)).toBe('xxxxxxxxxx');
  });

  // The second of two small writes waits for the acknowledgement of the first, 40 ms, where Nagle's algorithm is on.
  test('sends without delay: two writes take far less than with Nagle’s algorithm', async () => {
    let heard = 0;
    const { port } = await serve((socket) =>
      socket.on('data', (chunk: Buffer) => ((heard += chunk.length) % 2 === 0 ? socket.write('both') : undefined)),
    );
    const dialled = socketOf(await dial(vettedOf(port, '127.0.0.1')));
    const delayed = connect({ port, host: '127.0.0.1', noDelay: false });
    dialled.resume();
    expect((await medianRound(dialled)) * 2).toBeLessThan(await medianRound(delayed));
    delayed.destroy();
  });
});

describe('only vetted addresses are connected to', () => {
  test('whatever the name of the destination', async () => {
    const right = await serve();
    const vetted = { ...vettedOf(right.port, '127.0.0.2'), destination: { host: 'localhost', port: right.port } };
    // 127.0.0.2 is loopback, but this server listens on 127.0.0.1 alone.
    expect(codeOf(await dial(vetted))).toBe('unreachable');
    expect(right.accepted.length).toBe(0);
  });

  test('no name is ever looked up', async () => {
    const isLookingUp = (): boolean => process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap');
    const { port } = await serve();
    const dialling = dial({ ...vettedOf(port, '127.0.0.1'), destination: { host: 'does-not-exist.invalid', port } });
    expect(isLookingUp()).toBe(false);
    socketOf(await dialling);
    const control = connect(port, 'localhost').on('error', () => undefined);
    expect(isLookingUp()).toBe(true);
    control.destroy();
  });

  test('an empty list is a refusal', async () => {
    const outcome = await dial(vettedOf(80));
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: { code: 'unreachable', message: 'service.test port 80 cannot be reached: it has no addresses' },
    });
  });
});

describe('several addresses', () => {
  test.skipIf(!hasIPv6)('IPv6 goes first', async () => {
    const six = await serve(undefined, { host: '::1' });
    const four = await serve(undefined, { port: six.port });
    const outcome = await dial(vettedOf(six.port, '127.0.0.1', '::1'));
    socketOf(outcome);
    expect(outcome).toMatchObject({ address: '::1' });
    expect(four.accepted.length).toBe(0);
  });

  test('an address that refuses gets no head start', async () => {
    const { port } = await serve();
    stopClock();
    const outcome = await dial(vettedOf(port, '::1', '127.0.0.2', '127.0.0.3', '127.0.0.1'));
    socketOf(outcome);
    expect(outcome).toMatchObject({ address: '127.0.0.1' });
  });

  test('an address of a family that the host lacks is skipped at once', async () => {
    const { port } = await serve();
    stopClock();
    // A connection to a multicast address fails at once, as any does on a host without that family.
    const outcome = await dial(vettedOf(port, 'ff02::1', '127.0.0.1'));
    socketOf(outcome);
    expect(outcome).toMatchObject({ address: '127.0.0.1' });
  });

  test('a silent address is overtaken after its head start, and released', async () => {
    const port = await blackHole('127.0.0.2');
    const { accepted } = await serve(undefined, { port });
    const clock = stopClock();
    const dialling = dial(vettedOf(port, '127.0.0.2', '127.0.0.1'));
    await clock.pass(249);
    expect([await hasSettled(dialling), accepted.length]).toEqual([false, 0]);
    await clock.pass(1);
    const outcome = await dialling;
    socketOf(outcome);
    expect(outcome).toMatchObject({ address: '127.0.0.1' });
    expect(accepted.length).toBe(1);
  });

  test('losing connections are closed', async () => {
    const port = await blackHole('127.0.0.2');
    const { accepted } = await serve(undefined, { port });
    const before = process
      .getActiveResourcesInfo()
      .filter((name) => name.startsWith('TCPSocket') || name.startsWith('TCPConnect')).length;
    const socket = socketOf(await dial(vettedOf(port, '127.0.0.2', '127.0.0.1'), { headStart: 10 }));
    socket.destroy();
    for (const other of accepted) other.destroy();
    await expect
      .poll(
        () =>
          process
            .getActiveResourcesInfo()
            .filter((name) => name.startsWith('TCPSocket') || name.startsWith('TCPConnect')).length,
      )
      .toBeLessThanOrEqual(before);
  });
});

describe('refusals', () => {
  test('without a listener: at once, with every address and its reason', async () => {
    const port = await closedPort();
    stopClock();
    const outcome = await dial(vettedOf(port, '127.0.0.1', '127.0.0.2'));
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'unreachable',
        message: `service.test port ${port} cannot be reached: 127.0.0.1: nothing listens on this port (ECONNREFUSED); 127.0.0.2: nothing listens on this port (ECONNREFUSED)`,
      },
    });
  });

  test('no answer: after one deadline for all addresses', async () => {
    const port = await blackHole();
    const clock = stopClock();
    const dialling = dial(vettedOf(port, '127.0.0.1', '127.0.0.1'), { timeout: 300, headStart: 50 });
    await clock.pass(299);
    expect(await hasSettled(dialling)).toBe(false);
    await clock.pass(1);
    expect(await dialling).toMatchObject({
      refusal: { code: 'upstream-timeout', message: `service.test port ${port} did not answer within 300 ms` },
    });
  });

  test('the client is gone', async () => {
    const port = await blackHole();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(codeOf(await dial(vettedOf(port, '127.0.0.1'), { signal: controller.signal }))).toBe('unreachable');
    expect(codeOf(await dial(vettedOf(port, '127.0.0.1'), { signal: AbortSignal.abort() }))).toBe('unreachable');
  });

  test('the listener on a client’s signal is removed after the dial', async () => {
    const { port } = await serve();
    const { signal } = new AbortController();
    socketOf(await dial(vettedOf(port, '127.0.0.1'), { signal }));
    expect(codeOf(await dial(vettedOf(await closedPort(), '127.0.0.1'), { signal }))).toBe('unreachable');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  // Attack on what may be dialled: a client that goes, and an attempt that connects all the same.
  test('a caller that is gone gets no connection', async () => {
    const { port, accepted } = await serve();
    const controller = new AbortController();
    const dialling = dial(vettedOf(port, '127.0.0.2', '127.0.0.3', '127.0.0.1'), { signal: controller.signal });
    controller.abort();
    expect(codeOf(await dialling)).toBe('unreachable');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(accepted.length).toBe(0);
  });

  test('a broadcast address is reported as forbidden by the kernel', async () => {
    const outcome = await dial(vettedOf(80, '255.255.255.255'));
    expect(codeOf(outcome)).toBe('unreachable');
    expect(outcome.kind === 'refused' ? outcome.refusal.message : '').toMatch(/\((?:EACCES|ENETUNREACH)\)/);
  });
});

test('500 dials at once leave nothing behind', async () => {
  const { port, accepted } = await serve();
  const outcomes = await Promise.all(Array.from({ length: 500 }, () => dial(vettedOf(port, '127.0.0.1'))));
  expect(new Set(outcomes.map(codeOf))).toEqual(new Set(['dialled']));
  for (const outcome of outcomes) socketOf(outcome).destroy();
  for (const socket of accepted) socket.destroy();
  await expect
    .poll(() => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length)
    .toBeLessThan(10);
});

test.each([
  [[], []],
  [['1.1.1.1'], ['1.1.1.1']],
  [['::1'], ['::1']],
  [
    ['1.1.1.1', '::1'],
    ['::1', '1.1.1.1'],
  ],
  [
    ['1.1.1.1', '2.2.2.2', '::1'],
    ['::1', '1.1.1.1', '2.2.2.2'],
  ],
  [
    ['::1', '::2', '1.1.1.1'],
    ['::1', '1.1.1.1', '::2'],
  ],
  [
    ['::1', '::2'],
    ['::1', '::2'],
  ],
])('%j is tried as %j', (addresses, order) => {
  expect(attemptOrder(addresses)).toEqual(order);
});

test('no address is lost or added', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.oneof(fc.ipV4(), fc.ipV6())), (addresses) => {
      expect([...attemptOrder(addresses)].sort()).toEqual([...addresses].sort());
    }),
  );
});

const destination = { host: 'a.test', port: 443 };

describe('unreachable', () => {
  test.each([
    ['ECONNREFUSED', 'unreachable', 'nothing listens on this port'],
    ['ECONNRESET', 'unreachable', 'it reset the connection'],
    ['EHOSTUNREACH', 'unreachable', 'no route leads to it'],
    ['ENETUNREACH', 'unreachable', 'the host has no network of that kind'],
    ['EADDRNOTAVAIL', 'unreachable', 'the host has no address of that kind'],
    ['EACCES', 'unreachable', 'a firewall of the host forbids it'],
    ['EMFILE', 'unreachable', 'the host has no file descriptors left'],
    ['ETIMEDOUT', 'upstream-timeout', 'it did not answer'],
    ['ESOMETHING', 'unreachable', 'it failed'],
  ])('%s', (code, refusal, text) => {
    const { refusal: refused } = unreachable(destination, [{ address: '1.1.1.1', code }]);
    expect(refused.code).toBe(refusal);
    expect(refused.message).toBe(`a.test port 443 cannot be reached: 1.1.1.1: ${text} (${code})`);
    expect(refused.remedy.length).toBeGreaterThan(10);
  });

  test('an address is named once', () => {
    expect(
      unreachable({ host: '1.1.1.1', port: 1 }, [{ address: '1.1.1.1', code: 'ECONNREFUSED' }]).refusal.message,
    ).toBe('1.1.1.1 port 1 cannot be reached: nothing listens on this port (ECONNREFUSED)');
  });

  test('one refusal among many silent addresses counts as unreachable', () => {
    expect(
      unreachable(destination, [
        { address: '1.1.1.1', code: 'ETIMEDOUT' },
        { address: '1.1.1.2', code: 'ECONNREFUSED' },
      ]).refusal.code,
    ).toBe('unreachable');
  });

  test('a message is one line of bounded length, for any failures', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ address: fc.ipV6(), code: fc.string({ unit: 'binary', maxLength: 20 }) }), {
          maxLength: 20,
        }),
        (failures) => {
          const { message } = unreachable(destination, failures).refusal;
          expect(message.length).toBeLessThan(500);
          expect(message).not.toMatch(/\p{Cc}/u);
        },
      ),
    );
  });
});

test('the other refusals describe the failure', () => {
  expect(tooSlow(destination, 300).refusal).toMatchObject({
    code: 'upstream-timeout',
    message: 'a.test port 443 did not answer within 300 ms',
  });
  expect(givenUp(destination).refusal).toMatchObject({
    code: 'unreachable',
    message: 'the connection to a.test port 443 was given up before it was established',
  });
});
