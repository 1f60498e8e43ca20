import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { stopClock } from '../../testing/stopped-clock.ts';
import type { RequestRecord } from '../../types.ts';
import { byteSource } from '../byte-source.ts';
import type { InterceptContext } from '../decide-request.ts';
import { type Client, closeGently, refuseSlow } from './refuse.ts';

async function accepted(): Promise<readonly [client: Socket, accepted: Socket]> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.on('error', () => undefined);
  server.close();
  return [client, socket];
}

test('a slow head gets 408, a record, and a closed connection', async () => {
  const [client, stream] = await accepted();
  const records: RequestRecord[] = [];
  const context = {
    scheme: 'http',
    destination: { host: 'api.test', port: 80 },
    record: (record: RequestRecord) => void records.push(record),
  } as unknown as InterceptContext;
  const slow: Client = {
    stream,
    source: byteSource(stream),
    signal: new AbortController().signal,
    send: () => Promise.reject(new Error('not sent')),
    context,
  };
  client.write('GET / HT');
  refuseSlow(slow);
  expect(await text(client)).toMatch(
    /^HTTP\/1\.1 408 Request Timeout\r\n[^]*connection: close\r\n[^]*not complete after 10 seconds/,
  );
  if (!stream.closed) await once(stream, 'close');
  expect(records).toMatchObject([
    { status: 408, request: { method: '', path: '' }, refusal: { code: 'malformed-request' } },
  ]);
  expect(records[0]?.verdict).toBeUndefined();
});

test('a gently closed connection lets its client finish, within limits', async () => {
  const [polite, first] = await accepted();
  first.write('the last answer');
  const closing = closeGently(first);
  polite.write('x'.repeat(100_000));
  expect(await text(polite)).toBe('the last answer');
  polite.end();
  await closing;

  const [flooding, second] = await accepted();
  const flood = setInterval(() => flooding.write('x'.repeat(500_000)), 1);
  // No timer ends it, but that there is too much.
  const clock = stopClock();
  await closeGently(second);
  clearInterval(flood);
  const [, silent] = await accepted();
  const given = closeGently(silent);
  await clock.pass(2000);
  await given;

  const [, third] = await accepted();
  third.destroy();
  await once(third, 'close');
  await closeGently(third);
});
