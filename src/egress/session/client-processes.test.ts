import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { clientProcesses } from './client-processes.ts';

interface Child {
  readonly pid: number;
  readonly accepted: readonly Socket[];
}

/** A child of this process that has opened connections, as a program of a box is one of its first process. */
async function childWith(connections: number): Promise<Child> {
  const accepted: Socket[] = [];
  const server = createServer((socket) => void accepted.push(socket.on('error', () => undefined))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const child = spawn(
    process.execPath,
    ['-e', `for (let i = 0; i < ${connections}; i++) require('node:net').connect(${port}, '127.0.0.1')`],
    { stdio: 'ignore' },
  );
  onTestFinished(() => {
    child.kill('SIGKILL');
    server.close();
    for (const socket of accepted) socket.destroy();
  });
  await expect.poll(() => accepted.length).toBe(connections);
  return { pid: child.pid ?? 0, accepted };
}

function endOf(socket: Socket | undefined) {
  return { address: socket?.remoteAddress ?? '', port: socket?.remotePort ?? 0 };
}

describe('the process behind a connection', () => {
  test('is found while its connection is open, and returned once, even after its end', async () => {
    const { pid, accepted } = await childWith(1);
    const processes = clientProcesses(() => process.pid);
    const [socket = new Socket()] = accepted;
    const end = endOf(socket);
    processes.notice(socket);
    process.kill(pid, 'SIGKILL');
    await once(socket.resume(), 'close');
    expect(processes.take(end)).toEqual({ pid, program: expect.any(String) });
    expect(processes.take(end)).toBeUndefined();
  });

  test('is unknown for a connection that was not noticed', async () => {
    const { accepted } = await childWith(1);
    expect(clientProcesses(() => process.pid).take(endOf(accepted[0]))).toBeUndefined();
  });

  test('is not searched for without a known box', async () => {
    const { accepted } = await childWith(1);
    let init = 0;
    const processes = clientProcesses(() => init);
    processes.notice(accepted[0] ?? new Socket());
    expect(processes.take(endOf(accepted[0]))).toBeUndefined();
    init = process.pid;
    processes.notice(accepted[0] ?? new Socket());
    expect(processes.take(endOf(accepted[0]))).toBeDefined();
  });

  test('is unknown for a closed connection, without an error', () => {
    const processes = clientProcesses(() => process.pid);
    processes.notice(new Socket());
    expect(processes.take({ address: '', port: 0 })).toBeUndefined();
  });

  test('has left when no process holds its end any more, and not before', async () => {
    const { pid, accepted } = await childWith(1);
    const processes = clientProcesses(() => process.pid);
    const end = endOf(accepted[0]);
    expect(processes.hasLeft(end)).toBe(false);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => processes.hasLeft(end)).toBe(true);
    expect(clientProcesses(() => 0).hasLeft(end)).toBe(false);
  });

  test('is unknown outside the box', async () => {
    const { pid, accepted } = await childWith(1);
    const processes = clientProcesses(() => pid);
    processes.notice(accepted[0] ?? new Socket());
    expect(processes.take(endOf(accepted[0]))).toBeUndefined();
  });
});

// A search reads procfs: a box that opens connections without end must not keep the supervisor busy with it.
test('searches take a small share of the time', async () => {
  const { accepted } = await childWith(40);
  const processes = clientProcesses(() => process.pid);
  // A clock by which a search takes 0.1 ms, as does each connection without one: 8,000 of them have 2.4 ms for
  // searches, and 1 was saved.
  let clock = performance.now();
  const stepping = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 0.1));
  onTestFinished(() => void stepping.mockRestore());
  let searches = 0;
  for (let round = 0; round < 200; round += 1) {
    for (const socket of accepted) {
      processes.notice(socket);
      if (processes.take(endOf(socket)) !== undefined) searches += 1;
      expect(searches).toBeLessThan(45);
    }
  }
  expect(searches).toBeGreaterThan(25);
});
