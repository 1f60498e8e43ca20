import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Upstream } from '../message.ts';
import { startFront } from '../testing/front.ts';
import { httpsUpstream } from '../testing/servers.ts';
import { createIdleConnections, type Http1Connection, http1Connection } from './idle-connections.ts';

const destination = { host: 'api.test', port: 443 };
const connection = (): Http1Connection =>
  http1Connection(Object.assign(new PassThrough(), { alpn: 'http/1.1' as const }) satisfies Upstream);

describe('idle connections', () => {
  test('are given once, the latest first, and only for their destination', () => {
    const idle = createIdleConnections();
    const [one, two] = [connection(), connection()];
    idle.give(one, destination, 'https');
    idle.give(two, destination, 'https');
    expect(idle.take({ ...destination, port: 444 }, 'https')).toBeUndefined();
    expect(idle.take({ ...destination, host: 'other.test' }, 'https')).toBeUndefined();
    expect(idle.take(destination, 'http')).toBeUndefined();
    expect(idle.take(destination, 'https')).toBe(two);
    expect(idle.take(destination, 'https')).toBe(one);
    expect(idle.take(destination, 'https')).toBeUndefined();
    expect(one.stream.destroyed).toBe(false);
  });

  test('are bounded for a destination and for all', () => {
    const idle = createIdleConnections({ each: 2, all: 3 });
    const given = Array.from({ length: 3 }, connection);
    for (const each of given) idle.give(each, destination, 'https');
    expect(given.map(({ stream }) => stream.destroyed)).toEqual([false, false, true]);
    const others = Array.from({ length: 2 }, connection);
    for (const [index, each] of others.entries()) idle.give(each, { host: `${index}.test`, port: 1 }, 'https');
    expect(others.map(({ stream }) => stream.destroyed)).toEqual([false, true]);
  });

  test('are closed after their time, unless they were taken', async () => {
    const idle = createIdleConnections({ keep: 30 });
    const [kept, taken] = [connection(), connection()];
    idle.give(kept, destination, 'https');
    idle.give(taken, destination, 'https');
    expect(idle.take(destination, 'https')).toBe(taken);
    await once(kept.stream, 'close');
    expect([kept.stream.destroyed, taken.stream.destroyed]).toEqual([true, false]);
    expect(idle.take(destination, 'https')).toBeUndefined();
  });

  test('are not given if they have ended or sent unrequested bytes', async () => {
    const idle = createIdleConnections();
    const [ended, talking, gone] = [connection(), connection(), connection()];
    for (const each of [ended, talking, gone]) idle.give(each, destination, 'https');
    ended.stream.end();
    talking.stream.write('HTTP/1.1 200 OK\r\n\r\n');
    gone.stream.destroy();
    await expect.poll(() => [ended, talking].every(({ stream }) => stream.destroyed)).toBe(true);
    expect(idle.take(destination, 'https')).toBeUndefined();
    expect([ended, talking].map(({ stream }) => stream.destroyed)).toEqual([true, true]);
  });

  test('are closed together', async () => {
    const idle = createIdleConnections();
    const one = connection();
    idle.give(one, destination, 'https');
    idle.close();
    await expect.poll(() => one.stream.destroyed).toBe(true);
    expect(one.stream.destroyed).toBe(true);
  });
});

test('restarted programs share one connection, except for unrepeatable requests', async () => {
  await using upstream = await httpsUpstream((request, response) =>
    request.resume().on('end', () => response.end('ok')),
  );
  const idle = createIdleConnections();
  await using front = await startFront({ upstreamPort: upstream.port, idle });
  const curl = async (...more: readonly string[]): Promise<void> => {
    await promisify(execFile)('curl', [
      '-sk',
      '--max-time',
      '25',
      '--resolve',
      `api.test:${front.port}:127.0.0.1`,
      ...more,
      front.url('/'),
    ]);
  };
  for (let round = 0; round < 3; round += 1) await curl();
  expect(front.opened()).toBe(1);
  await curl('-d', 'x');
  expect(front.opened()).toBe(2);
  idle.close();
});
