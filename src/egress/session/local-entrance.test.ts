import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { DialledAddress } from '../transparent/transparent.ts';
import { openLocalEntrance, type Announcement, type LocalEntrance } from './local-entrance.ts';

const [own, another] = ['127.77.1.2', '127.77.1.3'] as const;
const dialled: DialledAddress = { address: '192.0.2.1', port: 443 };

async function opened(): Promise<{ readonly entrance: LocalEntrance; readonly accepted: DialledAddress[] }> {
  const accepted: DialledAddress[] = [];
  const { entrance, close } = await openLocalEntrance(16, (client, address) => {
    accepted.push(address);
    client.end('in');
  });
  onTestFinished(close);
  return { entrance, accepted };
}

/** A port that nobody has at the address. */
async function freePort(address: string): Promise<number> {
  const server = createServer().listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface From {
  readonly localAddress: string;
  readonly localPort: number;
}

async function said({ port }: LocalEntrance, from: From): Promise<string> {
  const client: Socket = createConnection({ host: '127.0.0.1', port, ...from });
  let text = '';
  client.on('data', (bytes) => (text += String(bytes))).on('error', () => (text += 'reset'));
  await new Promise((resolve) => client.once('close', resolve));
  return text;
}

test('an announced client is admitted once, and no client from the same port of another address', async () => {
  const { entrance, accepted } = await opened();
  const localPort = await freePort(own);
  entrance.announcements.postMessage({ source: `${own}:${localPort}`, ...dialled } satisfies Announcement, []);
  expect(await said(entrance, { localAddress: another, localPort })).toBe('reset');
  expect(accepted).toEqual([]);
  expect(await said(entrance, { localAddress: own, localPort })).toBe('in');
  expect(accepted).toEqual([dialled]);
  expect(await said(entrance, { localAddress: own, localPort })).toBe('reset');
  const next = await freePort(own);
  expect(await said(entrance, { localAddress: own, localPort: next })).toBe('reset');
});
