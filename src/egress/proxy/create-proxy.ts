import { createServer, type Server, type Socket } from 'node:net';
import { closeGently } from '../http/h1/refuse.ts';
import type { EgressRefusal } from '../types.ts';
import { serveHttpProxy } from './http/serve.ts';
import {
  type ProxyAdmission,
  clientBytes,
  malformedPrefix,
  malformedRequest,
  overloaded,
  type ParsedPrefix,
  type ProxiedConnection,
  proxyGuard,
  type ProxyGuard,
  type ProxyOptions,
  proxyUser,
} from './refusals.ts';
import { refuseSocks4, serveSocks5 } from './socks5/serve.ts';

export interface ProxyServerOptions extends ProxyOptions {
  /** Milliseconds from the connection until the client's request to the proxy is complete. Default: 10,000. */
  readonly patience?: number;
  /** Most clients that may be in admission at one time. Default: 4096. */
  readonly mostAdmissions?: number;
  /** Called with an error of the listening socket, such as too few descriptors. The server keeps running. */
  failed?(error: Error): void;
}

/**
 * Creates a proxy that does not listen yet: `listen` takes a loopback port, a Unix socket or a descriptor. Throws if
 * the secret is too short.
 */
export function createProxy(options: ProxyServerOptions): Server {
  const { patience = 10_000, mostAdmissions = 4096 } = options;
  const guard = proxyGuard(options.secret);
  let admissions = 0;
  const welcome = async (client: Socket): Promise<void> => {
    const deadline = setTimeout(() => client.destroy(), patience);
    admissions += 1;
    const connection = await admit(client, guard, options).finally(() => {
      admissions -= 1;
      clearTimeout(deadline);
    });
    if (connection !== undefined) await handOn(connection, options);
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true, keepAlive: true }, (client) => {
    // A reset by the client is not an error of the proxy. Without this listener it would end the process, and with it
    // the box.
    client.on('error', () => client.destroy());
    if (admissions >= mostAdmissions) return turnAway(client, options);
    welcome(client).catch(() => client.destroy());
  });
  server.on('error', (error) => options.failed?.(error));
  return server;
}

function handOn(connection: ProxiedConnection, { open, intercept }: ProxyOptions): Promise<void> {
  switch (connection.front) {
    case 'connect':
    case 'socks5':
      return open(connection);
    case 'absolute-form':
      return intercept(connection);
  }
}

/** Turns a client away without reading its request, because the waiting admissions already use enough memory. */
function turnAway(client: Socket, options: ProxyOptions): void {
  options.refused?.(overloaded, client);
  void closeGently(client);
}

/**
 * Admits a client and finds its destination. Undefined if the client was answered already, or has left. Never rejects.
 */
async function admit(
  client: Socket,
  guard: ProxyGuard,
  options: Pick<ProxyOptions, 'refused'>,
): Promise<ProxiedConnection | undefined> {
  const admission: ProxyAdmission = {
    client,
    bytes: clientBytes(client),
    guard,
    refuse: (refusal: EgressRefusal, answer: () => void): undefined => {
      options.refused?.(refusal, client);
      answer();
    },
  };
  const language = await admission.bytes.read(languageOf);
  switch (language.kind) {
    case 'ended':
      return void client.destroy();
    case 'malformed':
      return admission.refuse(malformedRequest(language.reason), () => client.resetAndDestroy());
    case 'parsed':
      return serve(admission, language.value);
  }
}

type Language = 'socks5' | 'socks4' | 'http';

function serve(admission: ProxyAdmission, language: Language): Promise<ProxiedConnection | undefined> | undefined {
  switch (language) {
    case 'socks5':
      return serveSocks5(admission);
    case 'socks4':
      return refuseSocks4(admission);
    case 'http':
      return serveHttpProxy(admission);
  }
}

/** Finds the protocol by the first byte, which stays unread: a SOCKS version, or a letter of a method. */
function languageOf(bytes: Buffer): ParsedPrefix<Language> {
  const first = bytes[0] ?? 0;
  if (first === 5) return { kind: 'parsed', value: 'socks5', length: 0 };
  if (first === 4) return { kind: 'parsed', value: 'socks4', length: 0 };
  const isLetter = (first >= 0x41 && first <= 0x5a) || (first >= 0x61 && first <= 0x7a);
  if (isLetter) return { kind: 'parsed', value: 'http', length: 0 };
  return malformedPrefix(
    first === 0x16
      ? 'The proxy takes connections without TLS: its address begins with http://, not with https://.'
      : 'The client speaks neither HTTP nor SOCKS5.',
  );
}

interface ProxyAddress {
  /** Address as the client sees it, for example `127.0.0.1`. */
  readonly host: string;
  readonly port: number;
  readonly secret: string;
}

/**
 * Variables that make ordinary programs use the proxy. In the environment, no process list shows the secret. Sources:
 * curl(1) ENVIRONMENT (`http_proxy` is read in lower case only), Node's `NODE_USE_ENV_PROXY`.
 */
export function proxyEnvironment({ host, port, secret }: ProxyAddress): Readonly<Record<string, string>> {
  const authority = `${proxyUser}:${secret}@${host.includes(':') ? `[${host}]` : host}:${port}`;
  const http = `http://${authority}`;
  const none = 'localhost,127.0.0.1,::1';
  return {
    http_proxy: http,
    HTTP_PROXY: http,
    https_proxy: http,
    HTTPS_PROXY: http,
    all_proxy: `socks5h://${authority}`,
    ALL_PROXY: `socks5h://${authority}`,
    no_proxy: none,
    NO_PROXY: none,
    NODE_USE_ENV_PROXY: '1',
  };
}
