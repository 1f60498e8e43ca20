import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { ClusterScene } from './cluster-scene.ts';

/** Port of the pod. `FakeForwards` leads it to a server of the test. */
export const podPort = 9000;
export const sleeping = ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 0.05; done'];

/** A server in the place of a box's server, and a scene with a run that shows its port. */
export async function shown(serve: (socket: Socket) => void, more: object = {}) {
  const scene = await ClusterScene.open();
  const server = await listening(serve);
  scene.api.forwards.targets.set(podPort, portOf(server));
  const { workspace: cwd, libraryEnvironment: environment } = scene.project;
  const session = { cwd, environment, grants: { forward: [`${podPort}:8080`] } };
  await scene.start(sleeping, { mode: 'detached', session, ...more });
  const lines: string[] = [];
  const cluster = await scene.cluster();
  const port = await freePort();
  const forward = await cluster.forward('agent', { ports: [`${port}:8080`], onNotice: (line) => lines.push(line) });
  return {
    scene,
    cluster,
    port,
    lines,
    forward,
    [Symbol.dispose]() {
      forward.close();
      server.close();
      scene[Symbol.dispose]();
    },
  };
}

export async function listening(serve: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

export async function freePort(): Promise<number> {
  const server = await listening(() => undefined);
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Sends bytes, half-closes on request, and returns the bytes until the end, or `reset`. */
export async function talk(
  port: number,
  bytes: Uint8Array | string,
  end: 'end' | 'stay' = 'stay',
): Promise<Buffer | 'reset'> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (end === 'end') socket.end(bytes);
  else socket.write(bytes);
  const over = await new Promise<'end' | 'reset'>((resolve) => {
    socket.once('end', () => resolve('end'));
    socket.once('error', () => resolve('reset'));
  });
  socket.destroy();
  return over === 'reset' ? 'reset' : Buffer.concat(chunks);
}

export const echoOnce = (socket: Socket): void =>
  void socket.once('data', (bytes: Buffer) => socket.end(Buffer.concat([Buffer.from('got '), bytes])));
