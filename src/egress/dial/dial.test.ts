import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { dial } from './dial.ts';
import { blackHole, closedPort, codeOf, readAll, serve, socketOf, vettedOf } from './testing/loopback.ts';

const hasIPv6 = Object.values(networkInterfaces()).some((entries) => entries?.some(({ address }) => address === '::1'));

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

  test('loses nothing that a server says before anybody reads', async () => {
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

  test('a reset before anybody listens ends no process', async () => {
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

  test('has no delay: the median of 100 round trips of two writes is far from 40 ms', async () => {
    const { port } = await serve((socket) => socket.on('data', (chunk) => socket.write(chunk)));
    const socket = socketOf(await dial(vettedOf(port, '127.0.0.1')));
    socket.resume();
    const times: number[] = [];
    for (let round = 0; round < 100; round += 1) {
      const start = performance.now();
      let heard = 0;
      const back = new Promise<void>((resolve) => {
        const hear = (chunk: Buffer): void => {
          heard += chunk.length;
          if (heard < 2) return;
          socket.off('data', hear);
          resolve();
        };
        socket.on('data', hear);
      });
      socket.write('a');
      socket.write('b');
      await back;
      times.push(performance.now() - start);
    }
    expect(times.sort((a, b) => a - b)[50]).toBeLessThan(10);
  });
});

describe('only vetted addresses are connected to', () => {
  test('whatever the name of the destination is', async () => {
    const right = await serve();
    const vetted = { ...vettedOf(right.port, '127.0.0.2'), destination: { host: 'localhost', port: right.port } };
    // 127.0.0.2 is loopback, but this server listens on 127.0.0.1 alone.
    expect(codeOf(await dial(vetted))).toBe('unreachable');
    expect(right.accepted.length).toBe(0);
  });

  test('no name is ever looked up', async () => {
    const start = performance.now();
    const { port } = await serve();
    socketOf(await dial({ ...vettedOf(port, '127.0.0.1'), destination: { host: 'does-not-exist.invalid', port } }));
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test('none at all is a refusal', async () => {
    const outcome = await dial(vettedOf(80));
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'unreachable', message: 'service.test port 80 cannot be reached: it has no addresses' } });
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

  test('an address that refuses costs no head start', async () => {
    const { port } = await serve();
    const start = performance.now();
    const outcome = await dial(vettedOf(port, '::1', '127.0.0.2', '127.0.0.3', '127.0.0.1'));
    socketOf(outcome);
    expect(outcome).toMatchObject({ address: '127.0.0.1' });
    expect(performance.now() - start).toBeLessThan(600);
  });

  test('an address of a family that the host does not have is passed over at once', async () => {
    const { port } = await serve();
    const start = performance.now();
    // A connection to a multicast address fails at once, as any does on a host without that family.
    const outcome = await dial(vettedOf(port, 'ff02::1', '127.0.0.1'));
    socketOf(outcome);
    expect(outcome).toMatchObject({ address: '127.0.0.1' });
    expect(performance.now() - start).toBeLessThan(240);
  });

  test('an address that does not answer is overtaken after its head start, and let go', async () => {
    const port = await blackHole('127.0.0.2');
    const { accepted } = await serve(undefined, { port });
    const start = performance.now();
    const outcome = await dial(vettedOf(port, '127.0.0.2', '127.0.0.1'));
    socketOf(outcome);
    expect(outcome).toMatchObject({ address: '127.0.0.1' });
    expect(performance.now() - start).toBeGreaterThan(230);
    expect(performance.now() - start).toBeLessThan(1000);
    expect(accepted.length).toBe(1);
  });

  test('the ones that lose are closed', async () => {
    const port = await blackHole('127.0.0.2');
    const { accepted } = await serve(undefined, { port });
    const before = process.getActiveResourcesInfo().filter((name) => name.startsWith('TCPSocket') || name.startsWith('TCPConnect')).length;
    const socket = socketOf(await dial(vettedOf(port, '127.0.0.2', '127.0.0.1'), { headStart: 10 }));
    socket.destroy();
    for (const other of accepted) other.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const after = process.getActiveResourcesInfo().filter((name) => name.startsWith('TCPSocket') || name.startsWith('TCPConnect')).length;
    expect(after).toBeLessThanOrEqual(before);
  });
});

describe('refusals', () => {
  test('nothing listens: at once, with every address and its reason', async () => {
    const port = await closedPort();
    const start = performance.now();
    const outcome = await dial(vettedOf(port, '127.0.0.1', '127.0.0.2'));
    expect(performance.now() - start).toBeLessThan(600);
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: { code: 'unreachable', message: `service.test port ${port} cannot be reached: 127.0.0.1: nothing listens there (ECONNREFUSED); 127.0.0.2: nothing listens there (ECONNREFUSED)` },
    });
  });

  test('no answer: after the deadline, for all addresses together', async () => {
    const port = await blackHole();
    const start = performance.now();
    const outcome = await dial(vettedOf(port, '127.0.0.1', '127.0.0.1'), { timeout: 300, headStart: 50 });
    expect(performance.now() - start).toBeGreaterThan(290);
    expect(performance.now() - start).toBeLessThan(2000);
    expect(outcome).toMatchObject({ refusal: { code: 'upstream-timeout', message: `service.test port ${port} did not answer within 300 ms` } });
  });

  test('the client has gone', async () => {
    const port = await blackHole();
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const start = performance.now();
    expect(codeOf(await dial(vettedOf(port, '127.0.0.1'), { signal: controller.signal }))).toBe('unreachable');
    expect(performance.now() - start).toBeLessThan(3000);
    expect(codeOf(await dial(vettedOf(port, '127.0.0.1'), { signal: AbortSignal.abort() }))).toBe('unreachable');
  });

  test('a broadcast address is forbidden by the kernel, and said so', async () => {
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
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThan(10);
});
