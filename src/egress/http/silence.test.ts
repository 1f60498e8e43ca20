import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endAfterSilence, SilenceError } from './silence.ts';

async function pair(): Promise<{ readonly here: Socket; readonly there: Socket; close(): void }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const here = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [there] = (await once(server, 'connection')) as [Socket];
  for (const socket of [here, there]) socket.on('error', () => undefined);
  return {
    here,
    there,
    close: () => [here, there, server].forEach((each) => ('destroy' in each ? each.destroy() : each.close())),
  };
}

test('a connection ends after its time of silence, and not before', async () => {
  const { here, there, close } = await pair();
  endAfterSilence(there, 1000);
  there.resume();
  for (let round = 0; round < 12; round += 1) {
    await sleep(100);
    here.write('x');
  }
  expect(there.destroyed).toBe(false);
  await new Promise((resolve) => void there.on('close', resolve));
  expect(there.errored).toBeInstanceOf(SilenceError);
  close();
});

test('the latest setting of the time counts', async () => {
  const { there, close } = await pair();
  const shorter = await pair();
  endAfterSilence(shorter.there.resume(), 100);
  for (let round = 0; round < 50; round += 1) endAfterSilence(there, 20);
  endAfterSilence(there, 60_000);
  expect(there.listenerCount('timeout')).toBe(1);
  await once(shorter.there, 'close').catch(() => undefined);
  expect(there.destroyed).toBe(false);
  for (const each of [close, shorter.close]) each();
});

test('a stream without a timer is unaffected', () => {
  expect(() => endAfterSilence(new PassThrough(), 1)).not.toThrow();
});
