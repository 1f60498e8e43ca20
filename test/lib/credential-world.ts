import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { credentialInterceptor } from '../../src/credentials/inject/interceptor.ts';
import {
  testContext,
  type TestContext,
  type TestContextOptions,
} from '../../src/credentials/inject/testing/context.ts';
import { dial } from '../../src/egress/dial/dial.ts';
import { createEgress } from '../../src/egress/egress.ts';
import { proxyEnvironment } from '../../src/egress/proxy/create-proxy.ts';
import { newProxySecret } from '../../src/egress/proxy/refusals.ts';
import { createAuthority } from '../../src/egress/tls/authority.ts';
import type { EgressRefusal, RequestRecord } from '../../src/egress/types.ts';
import { scratchFile } from '../../src/egress/tls/testing/loopback.ts';
import { type Outcome, run } from '../../src/egress/tls/testing/programs.ts';
import { identity } from '../../src/egress/tls/testing/servers.ts';
import type { Verdict } from '../../src/policy/verdict.ts';

/** One request as a server received it. */
export interface Arrived {
  readonly host: string;
  readonly version: string;
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

export type Request = IncomingMessage | Http2ServerRequest;
export type Response = ServerResponse | Http2ServerResponse;

/** Answers requests. A request without an answer gets a 404. */
export type Site = (arrived: Arrived, response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

export interface WorldOptions extends TestContextOptions {
  /** By host name. Each is a TLS server at port 443 that speaks HTTP/2 and HTTP/1.1. */
  readonly sites: Readonly<Record<string, Site>>;
  /** `nobody`: for control runs, the same way without the interceptor. Default: `guarded`. */
  readonly watcher?: 'guarded' | 'nobody';
  /** Further parts of a server, such as WebSockets. */
  readonly prepare?: (host: string, server: Http2SecureServer) => void;
}

/** Sites on loopback, and a way to them that holds the credentials. */
export interface World {
  readonly context: TestContext;
  /** Every received request, in order. */
  readonly arrived: readonly Arrived[];
  readonly requests: readonly RequestRecord[];
  readonly refusals: readonly EgressRefusal[];
  /** Variables that lead a box's program that way, with its trusted authorities. */
  readonly environment: Readonly<Record<string, string>>;
  run(command: readonly string[], environment?: Readonly<Record<string, string>>): Promise<Outcome>;
  /** Runs the text of a module as a program. */
  node(program: string, environment?: Readonly<Record<string, string>>): Promise<Outcome>;
}

const allowed: Verdict = {
  decision: 'allow',
  code: 'granted',
  rule: 'test',
  layer: 'user',
  file: 'built-in',
  line: 0,
  message: 'allowed',
  remedy: 'none',
};

export async function openWorld({ sites, prepare, watcher = 'guarded', ...options }: WorldOptions): Promise<World> {
  const context = testContext(options);
  const internet = createAuthority();
  const session = createAuthority();
  const arrived: Arrived[] = [];
  const requests: RequestRecord[] = [];
  const refusals: EgressRefusal[] = [];
  const ports = new Map<string, number>();
  for (const [host, site] of Object.entries(sites)) {
    const server = createSecureServer(
      { ...identity(internet, host), allowHTTP1: true },
      (request, response) => void serve(host, request, response),
    );
    const serve = async (name: string, request: Request, response: Response): Promise<void> => {
      const one = await arrival(name, request);
      if (one === undefined) return;
      arrived.push(one);
      await site(one, response as ServerResponse, request as IncomingMessage);
    };
    prepare?.(host, server);
    ports.set(host, await listen(server));
  }
  const egress = createEgress({
    authority: { decide: () => allowed, decideAddress: () => allowed, tlsTreatment: () => 'intercept' },
    roots: () => [internet.certificatePem],
    environment: {},
    interceptors: watcher === 'guarded' ? [credentialInterceptor(context)] : [],
    trusted: 'trusted',
    certificates: session,
    // An ordinary public address. Nothing goes to it, because `dial` chooses the real destination.
    resolver: { resolve: async () => ({ kind: 'resolved', aliases: [], addresses: ['93.184.216.34'] }) },
    dial: (vetted, how) =>
      dial(
        {
          ...vetted,
          addresses: ['127.0.0.1'],
          destination: { ...vetted.destination, port: ports.get(vetted.destination.host) ?? 1 },
        },
        how,
      ),
  });
  const secret = newProxySecret();
  const nothing = (): void => undefined;
  const proxy = egress.proxy(
    {
      record: nothing,
      recordRequest: (request) => void requests.push(request),
      recordLookup: nothing,
      recordStatement: nothing,
      refused: (refusal) => void refusals.push(refusal),
    },
    secret,
  );
  const port = await listen(proxy);
  onTestFinished(() => egress.close());
  const bundle = scratchFile('ca.pem', session.certificatePem);
  const trust = { CURL_CA_BUNDLE: bundle, NODE_EXTRA_CA_CERTS: bundle, SSL_CERT_FILE: bundle, GIT_SSL_CAINFO: bundle };
  const git = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' };
  const environment = { ...proxyEnvironment({ host: '127.0.0.1', port, secret }), ...trust, ...git };
  const runIn: World['run'] = (command, more = {}) => run(command, { environment: { ...environment, ...more } });
  return {
    context,
    arrived,
    requests,
    refusals,
    environment,
    run: runIn,
    node: (program, more) => runIn([process.execPath, '--input-type=module', '-e', program], more),
  };
}

/** A server on loopback that ends with the test. */
async function listen(server: Server | Http2SecureServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => undefined)));
  server.on('tlsClientError', () => undefined).on('sessionError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** Undefined for a broken connection. */
async function arrival(host: string, request: Request): Promise<Arrived | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return {
    host,
    version: request.httpVersion,
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks),
  };
}
