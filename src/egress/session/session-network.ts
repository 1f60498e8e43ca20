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

/** The network of one session, as far as every command needs it. What serves it is loaded when a box first uses it. */
export interface SessionNetwork {
  door(network: OpenNetwork): NetworkDoor;
  egress(): Promise<SessionEgress>;
  /** What its boxes need to believe the session's authority. */
  trust(): Promise<SessionTrust>;
  /** Resets what is connected, in boxes that go on too. */
  cut(): Promise<void>;
  /** Ends what is kept for later commands. */
  close(): Promise<void>;
}

export type NetworkReach = Parameters<NetworkSink['complete']>[0];

/** The listeners of one box. */
export interface NetworkDoor extends NetworkSink {
  /** Why the box was ended: a port could not be shown. */
  failure(): HoldfastError | undefined;
  /** Undefined until every listener has come. */
  reach(): NetworkReach | undefined;
  /** Opens the one entrance of a box that has no namespace of its own. */
  local(): Promise<LocalEntrance>;
  /** Says which box it is, as soon as that has started. */
  belongsTo(box: Pick<LaunchedBox, 'initPid' | 'forward' | 'end'>): void;
  /** Ends everything that goes through it, and gives what was refused. What happened is in the journal then. */
  close(): Promise<readonly Refusal[]>;
}

export interface SessionNetworkOptions extends SessionEgressOptions {
  readonly authority: OpenNetwork['authority'];
  readonly credentials?: SessionCredentials | undefined;
  /** Authorities that were made ahead. Default: one is made when it is needed. */
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
 * Where the boxes believe no authority of the session, nobody can look into what goes to models. The gateway is loaded
 * when a request is for it.
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
 * Milliseconds: a command that has ended by then has used no network. Loading takes some twenty, in which nobody hears
 * of its end: after 10,
 * `true` on a slow machine was still running, and waited for what it had no use for.
 */
const preloadDelay = 40;

/**
 * Connections that may wait to be accepted, as in the launcher: with Node's 511 a crowd is kept waiting for a second.
 * The kernel takes `net.core.somaxconn` at most.
 */
const backlog = 4096;

/**
 * Listens at once, and loads what serves a connection when the first one comes: a command that needs no network waits
 * for nothing.
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
    // What cannot be served is reset, and `close` says why.
    served().then(take, () => client.resetAndDestroy());
  };
  const complete = (reached: NetworkReach): void => {
    reach = reached;
    // Most commands that have a network use it: what serves it is loaded while they start.
    preload = setTimeout(() => served().catch(() => undefined), preloadDelay).unref();
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
      clearTimeout(preload);
      for (const opened of [...servers, entrance, forwards]) opened?.close();
      for (const client of waiting) client.destroy();
      try {
        return used ? await (await served()).close() : [];
      } finally {
        // Each would keep the namespace of its box as long as the session lives.
        for (const socket of datagrams) closeQuietly(socket);
      }
    },
  };
}

/** Nothing brings datagrams from a box without a namespace. */
function attached(box: BoxEgress, entrance: OpenedEntrance | undefined): BoxEgress {
  if (entrance !== undefined) box.dns();
  return box;
}

function listenOn(handle: object, accept: (client: Socket) => void): Server {
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy());
    accept(client);
  });
  // A listener that breaks takes nothing more in: the box sees a closed port.
  server.on('error', () => server.close());
  return server.listen(handle, backlog).unref();
}

/** Look-ups that wait for the resolver; more are asked again by their clients. */
const mostHeld = 256;

/** The first look-up waits for the resolver. */
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

/** One that broke is closed already. */
function closeQuietly(socket: DatagramSocket): void {
  try {
    socket.close();
  } catch {
    return;
  }
}
