import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { allProcesses, commandLineOf } from '../../scripts/testing/processes.ts';
import { backends } from '../lib/holdfast.ts';
import { tcpServer } from './lib/servers.ts';
import { outcomeOf, users, World } from './lib/world.ts';

const name = 'service.example';
const other = `('${name}', `;
/** Connects, reports that, and waits. */
const client = (port: number): readonly string[] => [
  'python3',
  '-c',
  `import socket; s = socket.create_connection(${other}${port})); print(s.recv(9), flush=True); print(s.recv(9), flush=True)`,
];

/** The box and its supervisor: their command lines contain the port. */
function processesOf(port: number): readonly number[] {
  return allProcesses().filter((pid) => commandLineOf(pid).includes(`${other}${port})`));
}

async function untilGone(port: number): Promise<void> {
  for (let tries = 0; processesOf(port).length > 0; tries++) {
    if (tries > 2500) throw new Error('the box is still there');
    await sleep(20);
  }
}

interface Running {
  readonly child: ChildProcess;
  readonly world: World;
  readonly port: number;
  /** The server's input at the end. The server never ends by itself: an ended box has to end this too. */
  readonly ended: Promise<string>;
}

/** A box with an open connection. */
async function running(backend: string, user: (typeof users)[number], argv = client): Promise<Running> {
  const ended = Promise.withResolvers<string>();
  const { port } = await tcpServer((socket) => {
    socket.write('hello');
    socket
      .on('end', () => ended.resolve('end'))
      .on('close', () => ended.resolve('close'))
      .resume();
  });
  const world = new World({ user, names: [name], policy: `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]` });
  const child = world.start(['run', '--backend', backend, '--', ...argv(port)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  expect(processesOf(port).length).toBeGreaterThan(1);
  return { child, world, port, ended: ended.promise };
}

describe.each(backends)('with %s', (backend) => {
  test.each(users)('kill -9 of the supervisor ends box, connection and network; as %s', async (user) => {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
    const { child, port, ended } = await running(backend, user);
    child.kill('SIGKILL');
    expect(await ended).toMatch(/end|close/u);
    await untilGone(port);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).toBe(mounts);
  });

  test('SIGTERM ends it in order, and the journal has the connection', async () => {
    const { child, port, ended, world } = await running(backend, users[0]);
    const outcome = outcomeOf(child);
    child.kill('SIGTERM');
    expect(await ended).toMatch(/end|close/u);
    expect(await outcome).toMatchObject({ status: 143 });
    expect(processesOf(port)).toEqual([]);
    expect(world.journal().filter(({ type }) => type === 'connection')).toMatchObject([
      { host: name, received: 5, decision: 'allow' },
    ]);
  });

  // A server that kept its half of a connection open once kept the supervisor, which waited for it.
  test('the end of a command also ends its connections in the background', async () => {
    const inBackground = (port: number): readonly string[] => [
      'sh',
      '-c',
      'setsid "$@" & sleep 0.5; echo done',
      'sh',
      ...client(port),
    ];
    const { child, port, ended } = await running(backend, users[0], inBackground);
    const outcome = await outcomeOf(child);
    expect(outcome).toMatchObject({ status: 0 });
    expect(await ended).toMatch(/end|close/u);
    expect(processesOf(port)).toEqual([]);
  });
});

test('a stopped supervisor makes the box wait, and opens no other way', async () => {
  const { child, ended } = await running('native', users[0]);
  child.kill('SIGSTOP');
  const state = await Promise.race([ended, sleep(300).then(() => 'open')]);
  child.kill('SIGKILL');
  expect([state, await ended]).toEqual(['open', 'end']);
});

test.each([
  ['resets', 'Connection reset by peer\n'],
  ['ends', "b''\n"],
])('a connection that the server %s has the same end in the box', async (how, seen) => {
  const { port } = await tcpServer(
    (socket) => void setTimeout(() => (how === 'resets' ? socket.resetAndDestroy() : socket.end()), 20),
  );
  const world = new World({ names: [name], policy: `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]` });
  const program = `import socket\ns = socket.create_connection(('${name}', ${port}))\ntry: print(s.recv(9))\nexcept OSError as error: print(error.strerror)`;
  expect(await world.run(['python3', '-c', program])).toMatchObject({ stdout: seen });
});
