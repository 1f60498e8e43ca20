import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';

/** A throw-away workspace, and targets on the host around it that an escape would reach. */
export interface Arena {
  readonly workspace: string;
  /** Directory for the user's policy. It has none, because the attempts test the default policy. */
  readonly configuration: string;
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const canary = 'canary';

/** Creates files, sockets and a process on the host. `close` removes them all. */
export async function makeArena(): Promise<Arena> {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-doctor-'));
  const [workspace, outside] = [join(root, 'workspace'), join(root, 'outside')];
  const shared = join('/dev/shm', basename(root));
  writeFiles({ workspace, outside, shared });
  const abstract = basename(root);
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  // One of an interface that the box does not have, or loopback if the host has no other.
  const address = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
  const [internet, local, named, datagrams] = await Promise.all([
    listen(0),
    listen(join(outside, 'socket')),
    listen(`\0${abstract}`),
    listenForDatagrams(),
  ]);
  const servers = [internet, local, named];
  const victim = spawn('sleep', ['600'], { stdio: 'ignore' });
  const port = String((internet.address() as AddressInfo).port);
  const variables = {
    ADDRESS: address,
    UDP_PORT: String(datagrams.address().port),
    OUTSIDE: outside,
    SOCKET: join(outside, 'socket'),
    ABSTRACT: abstract,
    PORT: port,
    VICTIM: String(victim.pid),
    SHARED: shared,
    NODE: process.execPath,
  };
  return {
    workspace,
    configuration: join(root, 'configuration'),
    variables,
    close: () => closeArena(root, shared, { servers, datagrams, victim }),
  };
}

interface Places {
  readonly workspace: string;
  readonly outside: string;
  readonly shared: string;
}

function writeFiles({ workspace, outside, shared }: Places): void {
  mkdirSync(join(workspace, '.git/hooks'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(workspace, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(workspace, '.env'), `KEY=${canary}\n`);
  writeFileSync(join(outside, 'secret'), `${canary}\n`);
  writeFileSync(shared, `${canary}\n`);
}

function listen(where: number | string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => socket.destroy()).end(`${canary}\n`)).once(
      'error',
      reject,
    );
    if (typeof where === 'number') server.listen(where, () => resolve(server));
    else server.listen(where, () => resolve(server));
  });
}

/** Echoes every datagram. */
function listenForDatagrams(): Promise<DatagramSocket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4').once('error', reject);
    socket.on('message', (message, from) => socket.send(message, from.port, from.address));
    socket.bind(0, () => resolve(socket));
  });
}

interface Running {
  readonly servers: readonly Server[];
  readonly datagrams: DatagramSocket;
  readonly victim: ChildProcess;
}

async function closeArena(root: string, shared: string, running: Running): Promise<void> {
  running.datagrams.close();
  running.victim.kill('SIGKILL');
  await Promise.all(running.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  rmSync(root, { recursive: true, force: true });
  rmSync(shared, { force: true });
}
