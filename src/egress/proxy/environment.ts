import { proxyUser } from './refusals.ts';

export interface ProxyAddress {
  /** Address as the client sees it, for example `127.0.0.1`. */
  readonly host: string;
  readonly port: number;
  readonly secret: string;
}

/**
 * Variables that make ordinary programs use the proxy. In the environment, the secret is in no process list. Sources:
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
