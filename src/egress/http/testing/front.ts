import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { HttpRequest } from '../../../policy/request.ts';
import type { Verdict } from '../../../policy/verdict.ts';
import type { Authority, RequestRecord } from '../../types.ts';
import type { IdleConnections } from '../h1/idle-connections.ts';
import { interceptHttp } from '../intercept.ts';
import type { Interceptor } from '../interceptor.ts';
import type { Alpn, Scheme, Upstream } from '../message.ts';
import { certificate } from './certificate.ts';

/** The server's name for clients. */
const testHost = 'api.test';

export interface FrontOptions {
  /** Default `api.test`. */
  readonly host?: string;
  readonly scheme?: Scheme;
  /** The upstream's choice of protocol, and so the offer to the client. Default HTTP/1.1 only. */
  readonly alpn?: Alpn;
  readonly upstreamPort: number;
  /** The server's port for clients. Default: the front's own. */
  readonly port?: number;
  readonly decide?: (request: HttpRequest) => Verdict['decision'];
  readonly interceptors?: readonly Interceptor[];
  readonly idle?: IdleConnections;
  readonly openUpstream?: (options: {
    readonly alpn: Alpn;
  }) => ReturnType<Parameters<typeof interceptHttp>[1]['openUpstream']>;
}

export interface Front extends AsyncDisposable {
  readonly port: number;
  readonly records: RequestRecord[];
  /** Number of opened connections to the upstream. */
  opened(): number;
  /** Active interceptions. */
  open(): number;
  url(path: string): string;
}

/** A listener that handles its connections as the pipeline does: it accepts, ends TLS, and calls `interceptHttp`. */
export async function startFront(options: FrontOptions): Promise<Front> {
  const { scheme = 'https', alpn = 'http/1.1', host = testHost } = options;
  const records: RequestRecord[] = [];
  let opened = 0;
  let open = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    const port = options.port ?? (server.address() as AddressInfo).port;
    const openUpstream =
      options.openUpstream ?? ((): Promise<Upstream> => dial({ scheme, alpn, port: options.upstreamPort }));
    const serve = async (client: Socket, negotiated: Alpn): Promise<void> => {
      open += 1;
      await interceptHttp(client, {
        scheme,
        alpn: negotiated,
        destination: { host, port },
        authority: authorityOf(options.decide ?? (() => 'allow')),
        openUpstream: (wanted) => {
          opened += 1;
          return openUpstream(wanted);
        },
        interceptors: options.interceptors ?? [],
        record: (record) => records.push(record),
        ...(options.idle === undefined ? {} : { idle: options.idle }),
      });
      open -= 1;
    };
    if (scheme === 'http') return void serve(socket, alpn === 'h2' ? 'h2' : 'http/1.1');
    const secured = new TLSSocket(socket, {
      isServer: true,
      ...certificate(),
      ALPNProtocols: alpn === 'h2' ? ['h2', 'http/1.1'] : ['http/1.1'],
    });
    secured.on('error', () => undefined);
    secured.once('secure', () => void serve(secured, secured.alpnProtocol === 'h2' ? 'h2' : 'http/1.1'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    records,
    opened: () => opened,
    open: () => open,
    url: (path) => `${scheme}://${host}:${port}${path}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

interface DialOptions {
  readonly scheme: Scheme;
  readonly alpn: Alpn;
  readonly port: number;
}

async function dial({ scheme, alpn, port }: DialOptions): Promise<Upstream> {
  const socket = connectTcp({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true });
  await once(socket, 'connect');
  if (scheme === 'http') return Object.assign(socket, { alpn });
  const secured = connectTls({ socket, servername: testHost, ca: certificate().cert, ALPNProtocols: [alpn] });
  await once(secured, 'secureConnect');
  return Object.assign(secured, { alpn: secured.alpnProtocol === 'h2' ? ('h2' as const) : ('http/1.1' as const) });
}

function authorityOf(decide: (request: HttpRequest) => Verdict['decision']): Authority {
  return {
    decide: (request) => verdict(request.kind === 'http' ? decide(request) : 'deny'),
    decideAddress: () => verdict('deny'),
    tlsTreatment: () => 'intercept',
  };
}

export function verdict(decision: Verdict['decision']): Verdict {
  return {
    decision,
    code: 'rule',
    rule: 'test-rule',
    layer: 'user',
    file: 'policy.toml',
    line: 3,
    message: 'The rule test-rule says so.',
    remedy: 'Change test-rule.',
  };
}
