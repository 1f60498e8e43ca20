import type { RemoteInfo, Socket as DatagramSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import type { LaunchedBox, NetworkSink } from '../../backends/backend.ts';
import type { SessionCredentials } from '../../credentials/session/session-credentials.ts';
import type { HoldfastError } from '../../errors/index.ts';
import type { Refusal } from '../../place/refusals/refusal.ts';
import { noTrust, type SessionTrust } from '../../place/session-trust.ts';
import type { OpenNetwork } from '../../plan/types.ts';
import type { DialledAddress } from '../transparent/transparent.ts';
import { type Forwards, openForwards } from './forwards.ts';
import type { LocalEntrance, OpenedEntrance } from './local-entrance.ts';
import type { SessionAuthority } from './session-authority.ts';
import type { BoxEgress, EgressParts, SessionEgress, SessionEgressOptions } from './session-egress.ts';

/** The part of a session's network that every command needs. Its server is loaded when a box first uses it. */
export interface SessionNetwork {
  door(network: OpenNetwork): NetworkDoor;
  egress(): Promise<SessionEgress>;
  /** Returns everything that a box needs to trust the session's authority. */
  trust(): Promise<SessionTrust>;
  /** Resets all connections, also those of boxes that keep running. */
  cut(): Promise<void>;
  /** Closes idle connections that were kept for later commands. */
  close(): Promise<void>;
}

export type NetworkReach = Parameters<NetworkSink['complete']>[0];

/** The listeners of one box. */
export interface NetworkDoor extends NetworkSink {
  /** Returns the reason that the box was ended: a port could not be opened. */
  failure(): HoldfastError | undefined;
  /** Undefined until all listeners have arrived. */
  reach(): NetworkReach | undefined;
  /** Opens the single entrance of a box without its own network namespace. */
  local(): Promise<LocalEntrance>;
  /** Tells the door its box, as soon as the box has started. */
  belongsTo(box: Pick<LaunchedBox, 'initPid' | 'forward' | 'end'>): void;
  /** Ends all its connections, and returns the refusals. By then, all events are in the journal. */
  close(): Promise<readonly Refusal[]>;
}

export interface SessionNetworkOptions extends SessionEgressOptions {
  readonly authority: OpenNetwork['authority'];
  readonly credentials?: SessionCredentials | undefined;
  /** Authorities that were created in advance. Default: one is created on demand. */
  readonly spares?:
    | { authority(environment: SessionEgressOptions['environment']): SessionAuthority | undefined }
    | undefined;
}

export function sessionNetwork(options: SessionNetworkOptions): SessionNetwork {
  let loaded: Promise<SessionEgress> | undefined;
  let made: Promise<SessionAuthority> | undefined;
  const authority = async (): Promise<SessionAuthority | undefined> =>
    options.authority === 'none' ? undefined : (made ??= makeAuthority(options));
  const egress = (): Promise<SessionEgress> => (loaded ??= loadEgress(options, authority));
  const trust = async (): Promise<SessionTrust> => (await authority())?.trust ?? noTrust;
  const close = async (): Promise<void> => (await loaded)?.close();
  const cut = async (): Promise<void> => (await loaded)?.cut();
  return { egress, trust, cut, close, door: (network) => openDoor(egress, network) };
}

async function makeAuthority({ environment, spares }: SessionNetworkOptions): Promise<SessionAuthority> {
  return spares?.authority(environment) ?? (await import('./session-authority.ts')).createSessionAuthority(environment);
}

async function loadEgress(
  options: SessionNetworkOptions,
  authority: () => Promise<SessionAuthority | undefined>,
): Promise<SessionEgress> {
  const { createSessionEgress } = await import('./session-egress.ts');
  const [credentials, gateway] = [await credentialPart(options), await gatewayPart(options)];
  return createSessionEgress(options, await authority(), { ...credentials, ...gateway });
}

async function credentialPart({ credentials }: SessionNetworkOptions): Promise<Pick<EgressParts, 'credentials'>> {
  if (credentials === undefined) return {};
  const { credentialEgress } = await import('../../credentials/session/credential-egress.ts');
  return { credentials: (parts) => credentialEgress(credentials, parts) };
}

/**
 * Inspects traffic to models. This is impossible if the boxes trust no authority of the session. The gateway is loaded
 * at the first request for it.
 */
async function gatewayPart({
  id,
  place,
  credentials,
  authority,
}: SessionNetworkOptions): Promise<Pick<EgressParts, 'gateway'>> {
  if (authority === 'none') return {};
  const { lazyGateway } = await import('./lazy-gateway.ts');
  const secrets = (): readonly string[] => credentials?.parts.secrets.known().map(({ text }) => text) ?? [];
  return {
    gateway: (parts) =>
      lazyGateway(
        async () =>
          (await import('../../llm/session/session-gateway.ts')).sessionGateway({ id, place, secrets, ...parts }),
        parts,
      ),
  };
}

/**
 * Milliseconds. A command that has ended by then has not used the network. Loading takes about 20 ms, during which the
 * end of a command goes unnoticed. With a delay of 10, `true` still ran on a slow machine, and had to wait for code
 * that it did not need.
 */
const preloadDelay = 40;

/** Milliseconds. Agents take longer to start, and most other commands with a credential have ended by then. */
const prepareDelay = 80;

/**
 * Connections that may wait for acceptance, as in the launcher. With Node's default of 511, a burst of connections
 * waits for a second. The kernel's limit is `net.core.somaxconn`.
 */
const backlog = 4096;

/**
 * Listens at once, but loads the server only at the first connection. A command that needs no network does not wait.
 */
function openDoor(egress: () => Promise<SessionEgress>, network: OpenNetwork): NetworkDoor {
  const servers: Server[] = [];
  const datagrams: DatagramSocket[] = [];
  const waiting = new Set<Socket>();
  let box: Promise<BoxEgress> | undefined;
  let used = false;
  let forwards: Forwards | undefined;
  let reach: NetworkReach | undefined;
  let init = (): number => 0;
  let preload: NodeJS.Timeout | undefined;
  let closed = false;
  let entrance: OpenedEntrance | undefined;
  const served = (): Promise<BoxEgress> =>
    (box ??= egress().then((session) =>
      attached(
        session.attach(network, () => init()),
        entrance,
      ),
    ));
  const accept = (client: Socket, dialled?: DialledAddress): void => {
    waiting.add(client);
    used = true;
    const take = (ready: BoxEgress): void => {
      waiting.delete(client);
      ready.accept(client, dialled);
    };
    // A connection that cannot be served is reset. `close` returns the reason.
    served().then(take, () => client.resetAndDestroy());
  };
  // A part that fails here is created again for the first request, which reports the reason.
  const prepare = (): void =>
    void egress()
      .then((session) => session.prepare())
      .catch(() => undefined);
  const complete = (reached: NetworkReach): void => {
    reach = reached;
    // Most commands with a network use it, so the server loads while they start.
    preload = setTimeout(() => {
      served()
        .then(() => {
          if (!closed) preload = setTimeout(prepare, prepareDelay).unref();
        })
        .catch(() => undefined);
    }, preloadDelay).unref();
  };
  return {
    async local() {
      entrance = await (await import('./local-entrance.ts')).openLocalEntrance(backlog, accept);
      complete('every-port');
      return entrance.entrance;
    },
    tcp: (handle) => void servers.push(listenOn(handle, accept)),
    dns(socket) {
      socket.unref();
      datagrams.push(socket);
      holdMessages(socket, () => {
        used = true;
        return served();
      });
    },
    belongsTo(box) {
      init = box.initPid;
      forwards = openForwards(network.forward, box);
    },
    forwarded: (id, handle) => forwards?.forwarded(id, handle),
    failure: () => forwards?.failure,
    reach: () => reach,
    complete,
    async close() {
      closed = true;
      clearTimeout(preload);
      for (const opened of [...servers, entrance, forwards]) opened?.close();
      for (const client of waiting) client.destroy();
      try {
        return used ? await (await served()).close() : [];
      } finally {
        // Each socket would keep the box's network namespace for as long as the session runs.
        for (const socket of datagrams) closeQuietly(socket);
      }
    },
  };
}

/** Datagrams from a box without a network namespace never arrive, so its resolver gets no socket. */
function attached(box: BoxEgress, entrance: OpenedEntrance | undefined): BoxEgress {
  if (entrance !== undefined) box.dns();
  return box;
}

function listenOn(handle: object, accept: (client: Socket) => void): Server {
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy());
    accept(client);
  });
  // A broken listener accepts nothing more, and the box finds the port closed.
  server.on('error', () => server.close());
  return server.listen(handle, backlog).unref();
}

/** Most look-ups that wait for the resolver. Clients repeat the ones that are dropped. */
const mostHeld = 256;

/** Keeps the first look-ups until the resolver is loaded. */
function holdMessages(socket: DatagramSocket, served: () => Promise<BoxEgress>): void {
  const held: [Buffer, RemoteInfo][] = [];
  const hold = (message: Buffer, from: RemoteInfo): void => {
    if (held.length >= mostHeld) return;
    held.push([message, from]);
    if (held.length > 1) return;
    const take = (ready: BoxEgress): void => {
      socket.off('message', hold);
      ready.dns(socket);
      for (const [bytes, sender] of held) socket.emit('message', bytes, sender);
    };
    served().then(take, () => socket.close());
  };
  socket.on('message', hold).on('error', () => socket.close());
}

/** Closes a socket. A broken socket is closed already. */
function closeQuietly(socket: DatagramSocket): void {
  try {
    socket.close();
  } catch {
    return;
  }
}
