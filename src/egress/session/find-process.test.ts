import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import process from 'node:process';
import { expect, test } from 'vitest';
import { findProcess } from './find-process.ts';

/** A child that connects to `port` of loopback and stays. */
function client(host: string, port: number): { readonly pid: number; end(): void } {
  const child = spawn(process.execPath, ['-e', `require('node:net').connect(${port}, '${host}')`], { stdio: 'ignore' });
  return { pid: child.pid ?? 0, end: () => child.kill() };
}

test.each(['127.0.0.1', '::1'])('finds the child process with a connection to %s', async (host) => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const started = client(host, (server.address() as AddressInfo).port);
  const [accepted] = (await once(server, 'connection')) as [Socket];
  expect(findProcess(process.pid, { address: accepted.remoteAddress ?? '', port: accepted.remotePort ?? 0 })).toEqual({
    pid: started.pid,
    program: expect.stringMatching(/node|MainThread/u),
  });
  started.end();
  accepted.on('error', () => undefined).destroy();
  server.close();
});

test('finds nothing without a process', () => {
  expect(findProcess(process.pid, { address: '127.0.0.1', port: 1 })).toBeUndefined();
  expect(findProcess(2 ** 22 + 1, { address: '127.0.0.1', port: 1 })).toBeUndefined();
});
