import { createServer, type Server, type Socket } from 'node:net';
import { HoldfastError, isHoldfastError } from '../../../errors/index.ts';
import { whyNoPort } from '../../../errors/why-no-port.ts';
import { forwardConnection, type ForwardedEnd, pathOf } from '../../../kube/index.ts';
import type { ClusterConnection } from '../connection.ts';
import type { ForwardedPort } from './shown-port.ts';

/** Ports of this machine's loopback that lead into a pod. */
export interface PodListeners {
  /** Sets the pod. Connections have waited for it. */
  lead(pod: string): void;
  /** Ends the listeners and all connections. */
  close(): void;
}

/** Parallel connections of one port. Each is one to the API server, which has its own limits. */
const mostConnections = 256;

/**
 * Listens on 127.0.0.1 only. Each connection is a separate WebSocket, so the end of one does not affect the others.
 * Throws `HF_USAGE` for an unusable port.
 */
export async function listenForPod(
  connection: ClusterConnection,
  ports: readonly ForwardedPort[],
  onNotice: (line: string) => void,
): Promise<PodListeners> {
  const way = new WayIntoPod(connection, onNotice);
  try {
    for (const port of ports) await way.listen(port);
  } catch (error) {
    way.close();
    throw error;
  }
  return way;
}

class WayIntoPod implements PodListeners {
  readonly #connection: ClusterConnection;
  readonly #onNotice: (line: string) => void;
  readonly #pod = Promise.withResolvers<string>();
  readonly #ending = new AbortController();
  readonly #servers: Server[] = [];
  readonly #clients = new Set<Socket>();
  /** The last line about each port: a browser with many attempts gets one. */
  readonly #said = new Map<number, string>();

  constructor(connection: ClusterConnection, onNotice: (line: string) => void) {
    const { target } = connection;
    const signal = AbortSignal.any([target.signal, this.#ending.signal]);
    this.#connection = { ...connection, target: { ...target, signal } };
    this.#onNotice = onNotice;
    this.#pod.promise.catch(() => undefined);
  }

  listen(port: ForwardedPort): Promise<void> {
    const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) =>
      this.#accept(client, port),
    );
    server.maxConnections = mostConnections;
    this.#servers.push(server);
    return new Promise((resolve, reject) => {
      server.once('error', (cause: NodeJS.ErrnoException) => reject(unusable(port, cause)));
      server.listen(port.host, '127.0.0.1', () => {
        server.on('error', () => server.close());
        resolve();
      });
    });
  }

  lead(pod: string): void {
    this.#pod.resolve(pod);
  }

  close(): void {
    this.#pod.reject(new Error('the listener was closed'));
    this.#ending.abort();
    for (const server of this.#servers) server.close();
    for (const client of this.#clients) client.destroy();
  }

  #accept(client: Socket, port: ForwardedPort): void {
    this.#clients.add(client);
    client.once('close', () => this.#clients.delete(client));
    client.on('error', () => client.destroy());
    this.#carry(client, port).then(
      (end) => this.#say(port, lineOf(end, port)),
      (error: unknown) => {
        client.resetAndDestroy();
        this.#say(port, isHoldfastError(error) ? `${error.message}; to fix it: ${error.remedy}` : String(error));
      },
    );
  }

  async #carry(client: Socket, port: ForwardedPort): Promise<ForwardedEnd> {
    const name = await this.#pod.promise;
    const { target, namespace } = this.#connection;
    const call = {
      method: 'GET',
      path: pathOf({ kind: 'Pod', namespace, name, subresource: 'portforward' }),
      query: [['ports', String(port.pod)]],
      doing: `forward port ${port.box} of the pod ${JSON.stringify(name)}`,
    } as const;
    return forwardConnection({ client, port: port.pod }, call, target);
  }

  #say({ host }: ForwardedPort, line: string | undefined): void {
    if (this.#ending.signal.aborted) return;
    if (line !== undefined && this.#said.get(host) !== line) this.#onNotice(line);
    if (line === undefined) this.#said.delete(host);
    else this.#said.set(host, line);
  }
}

function unusable({ host, box }: ForwardedPort, cause: NodeJS.ErrnoException): HoldfastError {
  return new HoldfastError(
    'HF_USAGE',
    `port ${host} of this machine cannot be used for port ${box} of the box: ${whyNoPort(cause)}`,
    { remedy: `show it on another one, as in --forward ${host < 65_535 ? host + 1 : host - 1}:${box}`, cause },
  );
}

function lineOf(end: ForwardedEnd, { box }: ForwardedPort): string | undefined {
  switch (end.kind) {
    case 'left':
      return undefined;
    case 'closed':
      return end.pod === 'answered' ? undefined : `nothing answers on port ${box} of the box`;
    case 'failed':
      return /refused/iu.test(end.message)
        ? `nothing listens on port ${box} of the box`
        : `port ${box} of the box could not be reached: ${end.message}`;
    case 'lied':
      return `a connection to port ${box} was ended: the API server sent ${end.what}`;
    case 'lost':
      return `a connection to port ${box} of the box was lost: ${end.reason}`;
  }
}
