import { createServer, type Server, type Socket } from 'node:net';
import { closeGently } from '../http/h1/linger.ts';
import { proxyGuard } from './guard.ts';
import { overloaded } from './refusals.ts';
import { admit } from './serve-client.ts';
import type { ProxiedConnection, ProxyOptions } from './types.ts';

export interface ProxyServerOptions extends ProxyOptions {
  /** Milliseconds from the connection to the end of the request to the proxy. Default 10,000. */
  readonly patience?: number;
  /** Clients that may be introducing themselves at one time. Default 4096. */
  readonly mostAdmissions?: number;
  /** Told of an error of the listening socket: out of descriptors, say. The server goes on. */
  failed?(error: Error): void;
}

/** A proxy that does not listen yet: `listen` on a loopback port, a Unix socket or a descriptor. Throws when the secret is too short. */
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
    // A reset by the client is no error of ours; without a listener it would end the process, and with it the box.
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

/** Half of what is held for each of these is too much, so none of it is read. */
function turnAway(client: Socket, options: ProxyOptions): void {
  options.refused?.(overloaded, client);
  void closeGently(client);
}
