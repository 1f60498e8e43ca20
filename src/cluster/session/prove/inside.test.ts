import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { listenAsProbe, reachProbe, tryContainer } from './inside.ts';

async function listening(nonce: string): Promise<number> {
  const server = await listenAsProbe(nonce, 0);
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('a probe pod is reached at its port, and recognised by its word', async () => {
  const port = await listening('0123456789abcdef');
  expect(await reachProbe('127.0.0.1', '0123456789abcdef', port)).toBe('reached');
  // Attack on the proof: another program answers for every address, as a mesh does.
  expect(await reachProbe('127.0.0.1', 'another', port)).toBe('stopped EOTHER');
});

test('a port without a listener gives the reason', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  expect(await reachProbe('127.0.0.1', 'x', port)).toBe('stopped ECONNREFUSED');
});

test('a program that never ends its answer is not a probe pod', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('x'.repeat(1 << 20));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(await reachProbe('127.0.0.1', 'x', (server.address() as AddressInfo).port)).toBe('stopped ENOISE');
});

test('each attempt of the container runs once, and says how it was stopped', () => {
  const tried = tryContainer();
  expect(tried.map(({ attempt }) => attempt)).toEqual(['raw-socket', 'token', 'root-file-system', 'root']);
  for (const { result, how } of tried) expect(how === '').toBe(result === 'escaped');
  // Control: root of a machine succeeds with the attempts that a container must stop.
  if (process.getuid?.() !== 0) return;
  expect(Object.fromEntries(tried.map(({ attempt, result }) => [attempt, result]))).toMatchObject({
    'raw-socket': 'escaped',
    'root-file-system': 'escaped',
    root: 'escaped',
  });
});
