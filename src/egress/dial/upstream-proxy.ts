import type { OnReadOpts, Socket } from 'node:net';
import { normaliseHost } from '../../policy/normalise/host.ts';
import { networkContains, networkOf } from '../ssrf/network.ts';
import { proxyUser } from '../proxy/refusals.ts';
import { refuse } from '../ssrf/refuse.ts';
import type { UpstreamTrust } from '../tls/upstream-trust.ts';
import type { Dialled, Refused, Vetted } from '../types.ts';
import { dial, type DialOptions, givenUp, tooSlow } from './dial.ts';
import type { ProxyFor, ProxySettings, UpstreamProxy } from './proxy-settings.ts';
import { tunnel } from './tunnel.ts';

export interface DiallerContext {
  readonly proxies: ProxySettings;
  /** Trust in an `https://` proxy. Called only for such a proxy, because reading the roots takes milliseconds. */
  readonly trust: () => UpstreamTrust;
  /**
   * `vetted-address`: asks a proxy for the vetted address. `name`: asks for the name. The proxy looks the name up
   * itself, so no address is vetted. This mode is for networks where the host cannot resolve outside names. Default:
   * `vetted-address`.
   */
  readonly ask?: 'vetted-address' | 'name';
}

export interface DiallerOptions extends DialOptions {
  /** Default: chosen by the port. */
  readonly use?: ProxyFor;
}

export type UpstreamDialler = (vetted: Vetted, options?: DiallerOptions) => Promise<Dialled | Refused>;

/**
 * Creates a `dial` that uses the company's proxy if the host's environment names one. Loopback never goes through a
 * proxy. An empty list of addresses means a name that only the proxy can resolve: see `vetUnresolved`.
 */
export function createDialler({ proxies, trust, ask = 'vetted-address' }: DiallerContext): UpstreamDialler {
  return async (vetted, options = {}) => {
    const proxy = isLoopback(vetted) ? ({ kind: 'direct' } as const) : proxies.choose(vetted.destination, options.use);
    switch (proxy.kind) {
      case 'direct':
        return dial(vetted, options);
      case 'unusable':
        return refuse('unreachable', `the proxy in ${proxy.variable} cannot be used: ${proxy.reason}`, {
          remedy: `correct ${proxy.variable}, or unset it`,
        });
      case 'proxy':
        return dialThrough(proxy, vetted, { ...options, trust, ask });
    }
  };
}

const loopback = ['127.0.0.0/8', '::1/128'].map(networkOf);

function isLoopback({ destination, addresses }: Vetted): boolean {
  const all = addresses.length === 0 ? [destination.host] : addresses;
  return all.every((text) => {
    const address = normaliseHost(text)?.address;
    return address !== undefined && loopback.some((network) => networkContains(network, address));
  });
}

type ThroughOptions = DialOptions & Required<Pick<DiallerContext, 'trust' | 'ask'>>;

async function dialThrough(proxy: UpstreamProxy, vetted: Vetted, options: ThroughOptions): Promise<Dialled | Refused> {
  const timeout = options.timeout ?? (isOwnKind(proxy) ? personPatience : 10_000);
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeout);
  const leave = (): void => controller.abort();
  options.signal?.addEventListener('abort', leave);
  if (options.signal?.aborted === true) leave();
  try {
    const outcome = await tryEach(proxy, vetted, { ...options, signal: controller.signal });
    if (outcome.kind === 'dialled' || !controller.signal.aborted) return outcome;
    return options.signal?.aborted === true ? givenUp(vetted.destination) : tooSlow(vetted.destination, timeout);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', leave);
  }
}

/** Milliseconds. Another Holdfast may hold a connection until a person answers, and gives up by itself. */
const personPatience = 900_000;

/** `holdfast proxy` of this machine or pod. */
function isOwnKind({ host, credentials }: UpstreamProxy): boolean {
  const address = normaliseHost(host)?.address;
  const near = address !== undefined && loopback.some((network) => networkContains(network, address));
  return near && credentials()?.user === proxyUser;
}

/** Asks the proxy for each address in turn. A proxy without IPv6 rejects those addresses at once. */
async function tryEach(
  proxy: UpstreamProxy,
  { destination, addresses }: Vetted,
  options: ThroughOptions & { readonly signal: AbortSignal },
): Promise<Dialled | Refused> {
  const hosts = options.ask === 'name' || addresses.length === 0 ? [destination.host] : addresses;
  let refused: Refused | undefined;
  for (const host of hosts) {
    const opened = await tunnel(proxy, { host, port: destination.port }, options);
    if (opened.kind === 'open') {
      if (options.onread !== undefined) feedOnRead(opened.socket, options.onread);
      return { kind: 'dialled', socket: opened.socket, address: host };
    }
    refused = opened;
    if (options.signal.aborted) break;
  }
  return refused ?? givenUp(destination);
}

/** Passes a stream's data to an `onread` of `net.connect`, for sockets that could not be created with one. */
export function feedOnRead(socket: Socket, { buffer, callback }: OnReadOpts): void {
  socket.on('data', (chunk: Buffer) => {
    for (let from = 0; from < chunk.length; ) {
      const target = typeof buffer === 'function' ? buffer() : buffer;
      const length = Math.min(target.length, chunk.length - from);
      target.set(chunk.subarray(from, from + length));
      from += length;
      if (callback(length, target)) continue;
      socket.pause();
      if (from < chunk.length) socket.unshift(chunk.subarray(from));
      return;
    }
  });
}
