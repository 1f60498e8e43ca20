import type { Server } from 'node:net';
import { proxySettings } from './dial/proxy-settings.ts';
import { createDialler } from './dial/upstream-proxy.ts';
import { type AddressMode, createNameTable } from './dns/name-table.ts';
import { fetchUrl } from './fetch/fetch-url.ts';
import { createHtmlConverter } from './fetch/html/convert-html.ts';
import type { FetchContext, FetchOptions, FetchResult } from './fetch/types.ts';
import { createIdleConnections } from './http/h1/idle-connections.ts';
import type { Interceptor } from './http/interceptor.ts';
import type { ClientOrigin, Dialler, PipelineContext, ServedConnection } from './pipeline/context.ts';
import { serveConnection, serveRequests } from './pipeline/serve-connection.ts';
import type { ProxiedConnection } from './proxy/refusals.ts';
import { createProxy } from './proxy/create-proxy.ts';
import { createResolver } from './resolve/resolver.ts';
import { createOwnAddresses } from './ssrf/network.ts';
import { refuse } from './ssrf/refuse.ts';
import { type CertificateAuthority, createAuthority } from './tls/authority.ts';
import { leafContexts } from './tls/leaf.ts';
import { createUpstreamTrust } from './tls/upstream-trust.ts';
import { serveTransparent, type TransparentBox, type TransparentOptions } from './transparent/transparent.ts';
import type {
  Authority,
  ConnectionRecord,
  Destination,
  EgressRefusal,
  RequestRecord,
  Resolver,
  Routes,
  StatementRecord,
} from './types.ts';

export interface EgressOptions {
  readonly authority: Authority;
  /** PEM of the trusted root certificates. Called once, when Holdfast first verifies a server. */
  roots(): readonly string[];
  /** The host's environment, which may name a proxy. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly interceptors?: readonly Interceptor[];
  /** Searches the client's bytes on watched connections without HTTP. Default: none. */
  readonly watch?: PipelineContext['watch'];
  /** Called for each connection before it is served. The returned broker speaks with both sides. Default: none. */
  readonly broker?: PipelineContext['broker'];
  /** Base URLs of boxes. Default: none. */
  readonly routes?: Routes;
  /** Whether boxes trust `certificates`. Only then can a client read a refusal inside TLS. */
  readonly trusted: 'trusted' | 'untrusted';
  readonly certificates?: CertificateAuthority;
  readonly resolver?: Resolver;
  readonly dial?: Dialler;
}

export interface BoxRecorders {
  record(connection: ConnectionRecord, client: ClientOrigin): void;
  recordRequest(request: RequestRecord, client: ClientOrigin): void;
  recordStatement(statement: StatementRecord, client: ClientOrigin): void;
  recordLookup: TransparentOptions['recordLookup'];
  refused(refusal: EgressRefusal, destination: Destination, client: ClientOrigin): void;
}

export interface BoxEgressOptions extends BoxRecorders {
  /** Address of the resolver in the box. */
  readonly resolver: string;
  readonly dns: 'fake' | 'real';
  /** Returns true if no process of the box holds its end of a connection any more. Default: unknown. */
  hasLeft?(client: ClientOrigin): boolean;
}

/** The egress of all boxes of one session. */
export interface Egress {
  attach(box: BoxEgressOptions): TransparentBox;
  /** Creates the certificate for a host, and reads the roots for verifying servers, ahead of the first connection. */
  prepare(host: string): void;
  /** Closes idle connections that were kept for later clients. */
  close(): void;
  /** Returns the fetch tool. */
  fetcher(recorders: BoxRecorders): Fetcher;
  /** Returns a proxy that does not listen yet, for clients that know `secret`. */
  proxy(recorders: BoxRecorders, secret: string): Server;
}

export function createEgress(options: EgressOptions): Egress {
  const { authority } = options;
  const resolver = options.resolver ?? createResolver();
  const own = createOwnAddresses();
  const routes: Routes = options.routes ?? new Map();
  const names = createNameTable();
  const contextFor = lazily(() => leafContexts(options.certificates ?? createAuthority()));
  const trust = lazily(() => createUpstreamTrust({ roots: options.roots() }));
  const proxies = proxySettings(options.environment);
  const dial: Dialler = options.dial ?? createDialler({ proxies, trust });
  const idle = createIdleConnections();
  const shared = {
    authority,
    resolver,
    own,
    isProxied: (destination: Destination) => proxies.choose(destination).kind === 'proxy',
    dial,
    interceptors: options.interceptors ?? [],
    watch: options.watch ?? unwatched,
    broker: options.broker ?? (() => undefined),
    routes,
    idle,
    contextFor: (host: string) => contextFor()(host),
    explainTls: options.trusted === 'trusted' ? 'answer' : 'alert',
    trust,
  } as const;
  const pipeline = ({ record, recordRequest, recordStatement, refused }: BoxRecorders): PipelineContext => ({
    ...shared,
    record,
    recordRequest,
    recordStatement,
    refused,
  });
  // A look-up grants nothing. The connection is vetted later, together with its port.
  const mode = (dns: BoxEgressOptions['dns']): AddressMode =>
    dns === 'fake' ? { kind: 'fake' } : { kind: 'real', resolver, vet: (_name, resolution) => resolution };
  return {
    close: () => idle.close(),
    prepare(host) {
      contextFor()(host);
      trust().context();
    },
    fetcher: (recorders) => createFetcher({ ...pipeline(recorders), dial }),
    proxy: (recorders, secret) =>
      createProxy({
        secret,
        open: (proxied) => serveConnection(servedBy(proxied), pipeline(recorders)),
        intercept: (proxied) => serveRequests(servedBy(proxied), pipeline(recorders)),
      }),
    attach: (box) =>
      serveTransparent({
        pipeline: { ...pipeline(box), ...(box.hasLeft === undefined ? {} : { hasLeft: box.hasLeft }) },
        names,
        resolver: box.resolver,
        recordLookup: box.recordLookup,
        lookups: { authority, names, mode: mode(box.dns), refusedNames: 'explain', routes },
      }),
  };
}

const unwatched: PipelineContext['watch'] = () => ({ push: (bytes) => bytes, end: () => Buffer.alloc(0) });

function servedBy({ front, client, destination, reached, refuse }: ProxiedConnection): ServedConnection {
  return {
    client,
    destination,
    origin: { front, address: client.remoteAddress ?? '', port: client.remotePort ?? 0 },
    reached,
    refuse,
  };
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

export type Fetcher = (url: string, options?: FetchOptions) => Promise<FetchResult>;

/** Each fetch may hold 10 MiB, and its conversion process 256 MiB. */
const mostAtOnce = 4;
const mostWaiting = 64;

/**
 * Creates the fetch tool of one session: `fetchUrl`, four at a time. Further fetches wait. With 64 waiting, a new one
 * is refused as `overloaded`.
 */
export function createFetcher(
  context: Omit<FetchContext, 'convertHtml'> & Partial<Pick<FetchContext, 'convertHtml'>>,
): Fetcher {
  const whole: FetchContext = { convertHtml: createHtmlConverter(), ...context };
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (url, options = {}) => {
    if (waiting.length >= mostWaiting)
      return refuse('overloaded', `${mostWaiting} fetches are waiting already`, {
        remedy: 'wait until some of them have ended',
      });
    if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await fetchUrl(url, whole, options);
    } finally {
      // The next waiting fetch takes over this slot.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
