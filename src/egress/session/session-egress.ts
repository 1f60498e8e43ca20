import type { Socket as DatagramSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import type { AskingApprovals } from '../../approvals/types.ts';
import type { CredentialEgress, CredentialEgressOptions } from '../../credentials/session/credential-egress.ts';
import { HoldfastError } from '../../errors/index.ts';
import { whyNoPort } from '../../errors/why-no-port.ts';
import type { SessionGatewayOptions } from '../../llm/session/session-gateway.ts';
import type { Place } from '../../place/place.ts';
import type { PolicyText } from '../../place/policy-texts.ts';
import type { Refusal } from '../../place/refusals/refusal.ts';
import { noteText } from '../../place/text-events.ts';
import type { OpenNetwork } from '../../plan/types.ts';
import type { Policy } from '../../policy/policy.ts';
import { type Egress, type Fetcher, createEgress } from '../egress.ts';
import type { FetchOptions, FetchResult } from '../fetch/types.ts';
import type { Interceptor } from '../http/interceptor.ts';
import { proxyEnvironment } from '../proxy/create-proxy.ts';
import { newProxySecret } from '../proxy/refusals.ts';
import { hostRoots } from '../tls/host-trust.ts';
import type { TransparentBox, DialledAddress } from '../transparent/transparent.ts';
import type { Authority } from '../types.ts';
import { approverOf, credentialApproverOf } from './approvers.ts';
import { clientProcesses } from './client-processes.ts';
import type { LazyGateway } from './lazy-gateway.ts';
import { expectedServers, isLookedIntoAnywhere, livePolicy } from './live-policy.ts';
import { createNetworkJournal, type NetworkJournal } from './network-journal.ts';
import type { SessionAuthority } from './session-authority.ts';

/** Serves the network of a session. It has its own bundle, which only a session that uses its network loads. */
export interface SessionEgress {
  attach(network: OpenNetwork, init: () => number): BoxEgress;
  /** Prepares everything that the first request with a credential needs, while its program still starts. */
  prepare(): Promise<void>;
  /** Resets every connection of its boxes and proxies, and ends fetches. */
  cut(): void;
  /** Closes idle connections that were kept for later commands. */
  close(): void;
  /** Fetches a URL by the session's policy. Its events are in the journal when it resolves. */
  fetch(url: string, options?: FetchOptions): Promise<FetchResult>;
  /** Starts a proxy on a loopback port of the host. Port 0 takes a free one. */
  proxy(port: number): Promise<SessionProxy>;
}

export interface SessionProxy {
  readonly port: number;
  /** Variables for programs that use the proxy. They contain the secret. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The network of one box. */
export interface BoxEgress {
  /** Default of `dialled`: the local address of the accepted socket. */
  accept(client: Socket, dialled?: DialledAddress): void;
  /** Serves the box's resolver. Default: over TCP alone. */
  dns(socket?: DatagramSocket): void;
  /** Ends its connections, writes its events, and returns the refusals. */
  close(): Promise<readonly Refusal[]>;
}

/** Returns the credentials' hooks into the egress, once they are needed. */
export type CredentialEgressOf = (options: CredentialEgressOptions) => CredentialEgress;

/** Returns the gateway for requests to language models, once it is needed. */
export type GatewayOf = (options: Pick<SessionGatewayOptions, 'policy' | 'authority'>) => LazyGateway;

export interface EgressParts {
  readonly credentials?: CredentialEgressOf;
  readonly gateway?: GatewayOf;
}

export interface SessionEgressOptions {
  readonly id: string;
  readonly place: Place;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Layers of policy that are added during the session. Default: none. */
  readonly ceilings?: readonly PolicyText[];
  /** Queue for approvals. Default: none, so nobody is asked. */
  readonly approvals?: AskingApprovals;
}

/** `authority`: the trusted authority of the session's boxes. Undefined if TLS is never terminated. */
export function createSessionEgress(
  options: SessionEgressOptions,
  authority: SessionAuthority | undefined,
  { credentials, gateway }: EgressParts = {},
): SessionEgress {
  const { place, environment } = options;
  const policy = livePolicy(place, credentials === undefined ? 'none' : 'some', options.ceilings);
  const open = openWork();
  const roots = (): readonly string[] => [
    ...hostRoots(environment),
    ...policy.authorities().map((file) => readFileSync(file, 'utf8')),
  ];
  const fetcher = (): Fetcher => {
    const journal = createNetworkJournal(options);
    const fetch = egress.fetcher(journal.recorders);
    return async (url, how) => {
      const result = await fetch(url, how);
      models?.flush();
      journal.close();
      return result;
    };
  };
  const approve = approverOf(options.approvals);
  const forCredentials = credentialApproverOf(options.approvals);
  const whole: Authority = approve === undefined ? policy.authority : { ...policy.authority, approve };
  const credentialed = credentials?.({
    policy: policy.policy,
    fetcher,
    ...(forCredentials === undefined ? {} : { approve: forCredentials }),
  });
  const models = gateway?.({ policy: policy.policy, authority: whole });
  const interceptors = [models?.interceptor ?? lateRules(policy.policy), ...(credentialed?.interceptors ?? [])];
  const egress: Egress = createEgress({
    authority: whole,
    roots,
    environment,
    ...credentialed,
    interceptors,
    ...(authority === undefined
      ? { trusted: 'untrusted' }
      : { trusted: 'trusted', certificates: authority.certificates }),
  });
  return {
    close() {
      egress.close();
      models?.flush();
    },
    cut: open.cut,
    async prepare() {
      if (credentials === undefined) return;
      for (const server of expectedServers(policy.policy())) {
        await new Promise(setImmediate);
        egress.prepare(server.host);
        await models?.prepare(server);
      }
    },
    async fetch(url, how = {}) {
      const result = await fetcher()(url, { ...how, signal: open.until(how.signal) });
      if (result.kind === 'text')
        noteText(options, { boundary: 'page', where: withoutQuery(result.finalUrl), findings: result.findings });
      return result;
    },
    proxy: (port) =>
      startProxy(egress, createNetworkJournal(options), {
        wanted: port,
        onClient: open.hold,
        onClosed: () => models?.flush(),
      }),
    attach(network, init) {
      const processes = clientProcesses(init);
      const journal = createNetworkJournal({ ...options, processOf: processes.take, onLost: () => void box.close() });
      const box: TransparentBox = egress.attach({
        resolver: network.resolver,
        dns: network.dns,
        hasLeft: processes.hasLeft,
        ...journal.recorders,
      });
      return {
        accept(client, dialled) {
          if (journal.state === 'lost') return void client.resetAndDestroy();
          open.hold(client);
          box.accept(client, dialled);
          processes.notice(client);
        },
        dns: box.dns,
        async close() {
          await box.close();
          models?.flush();
          return journal.close();
        },
      };
    },
  };
}

interface OpenWork {
  hold(client: Socket): void;
  /** Aborts with the caller's signal, or when all connections are cut. */
  until(callers: AbortSignal | undefined): AbortSignal;
  cut(): void;
}

function openWork(): OpenWork {
  const connected = new Set<Socket>();
  let cutting = new AbortController();
  return {
    hold: (client) => void connected.add(client.once('close', () => connected.delete(client))),
    until: (callers) => (callers === undefined ? cutting.signal : AbortSignal.any([callers, cutting.signal])),
    cut() {
      for (const client of connected) client.resetAndDestroy();
      cutting.abort();
      cutting = new AbortController();
    },
  };
}

/** Removes the query, because it may be confidential. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

const loopback = '127.0.0.1';

interface ProxyPlace {
  /** A port, or 0 for a free one. */
  readonly wanted: number;
  onClient(client: Socket): void;
  onClosed(): void;
}

async function startProxy(
  egress: Egress,
  journal: NetworkJournal,
  { wanted, onClient, onClosed }: ProxyPlace,
): Promise<SessionProxy> {
  const secret = newProxySecret();
  const server = egress.proxy(journal.recorders, secret);
  const clients = new Set<Socket>();
  server.on('connection', (client) => {
    onClient(client);
    clients.add(client.once('close', () => clients.delete(client)));
    if (journal.state === 'lost') client.resetAndDestroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(wanted, loopback, resolve);
  }).catch((cause: unknown) => {
    throw new HoldfastError('HF_CHANNEL_FAILED', `the proxy cannot listen on port ${wanted}: ${whyNoPort(cause)}`, {
      remedy: 'choose another port, or leave --port out to use a free one',
      cause,
    });
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    environment: proxyEnvironment({ host: loopback, port, secret }),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const client of clients) client.destroy();
      await closed;
      onClosed();
      journal.close();
    },
  };
}

/**
 * Refuses requests under rules that came too late. If the policy named no models when the session began, no gateway
 * inspects requests. Attack, or accident: a budget or a data rule that is added later would have no effect, and nobody
 * would notice.
 */
export function lateRules(policy: () => Policy | undefined): Interceptor {
  return (send, intercepted) => (request) => {
    const current = policy();
    return current === undefined || isLookedIntoAnywhere(current, intercepted)
      ? Promise.resolve(refused)
      : send(request);
  };
}

const refused = {
  kind: 'refused',
  refusal: {
    code: 'data-loss',
    message:
      'The request does not leave: this session began before the policy had rules about data for this host, so it cannot inspect requests.',
    remedy: 'Start another session, which can inspect requests.',
  },
} as const;
