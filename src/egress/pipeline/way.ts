import type { Upstream, Alpn } from '../http/message.ts';
import type { UpstreamTrust } from '../tls/upstream-trust.ts';
import { secureUpstream } from '../tls/upstream.ts';
import type { Destination, Dialled, EgressRefusal, Refused } from '../types.ts';
import type { PipelineContext } from './context.ts';
import { reach, type ReachFor } from './reach.ts';

/**
 * Opens connections to the destination of one client. Their target is determined once and stays the same, even if the
 * policy changes meanwhile. Code that adds a secret to a request, because the request is not redirected, relies on
 * this.
 */
export interface ConnectionWay {
  readonly destination: Destination;
  /** Present if a rule redirects it. */
  readonly redirected?: Destination;
  /** `when-allowed`: the name is not even looked up before a request has been allowed. */
  readonly dials: 'ahead' | 'when-allowed';
  /** Opens a new connection to a vetted address. Each is decided and vetted again. */
  open(): Promise<Dialled | Refused>;
}

export interface WayOptions {
  /** The dialled destination: itself, or the target of its redirect. See `leadsTo`. */
  readonly leads: Destination;
  readonly use: ReachFor;
}

export function wayTo(destination: Destination, { leads, use }: WayOptions, context: PipelineContext): ConnectionWay {
  return {
    destination,
    dials: use === 'request' && context.authority.passesUnasked?.(destination) === false ? 'when-allowed' : 'ahead',
    ...(isSame(leads, destination) ? {} : { redirected: leads }),
    async open() {
      const reached = await reach(destination, use, context);
      if (reached.kind === 'refused') return reached;
      return isSame(reached.vetted.destination, leads)
        ? context.dial(reached.vetted)
        : { kind: 'refused', refusal: ledElsewhere(destination) };
    },
  };
}

/** A way that already has its first connection. */
export interface BegunWay extends ConnectionWay {
  /** Ends that connection if it has not been taken. */
  discard(): void;
}

export function begunWith(dialled: Dialled, way: ConnectionWay): BegunWay {
  let first: Dialled | undefined = dialled;
  const take = (): Dialled | undefined => {
    const taken = first;
    first = undefined;
    return taken;
  };
  return {
    ...way,
    async open() {
      const taken = take();
      if (taken !== undefined && !taken.socket.destroyed) return taken;
      return way.open();
    },
    discard: () => void take()?.socket.destroy(),
  };
}

function isSame(a: Destination, b: Destination): boolean {
  return a.host === b.host && a.port === b.port;
}

function ledElsewhere({ host, port }: Destination): EgressRefusal {
  return {
    code: 'policy',
    message: `the policy changed after this connection began and now redirects ${host}:${port} differently`,
    remedy: 'open a new connection',
  };
}

/** Secured connections to a destination. */
export interface Upstreams {
  /** Opens a connection to find the server's protocol. It serves the first request. */
  speaksHttp2(): Promise<boolean>;
  open(options: { readonly alpn: Alpn }): Promise<Upstream | Refused>;
  /** Takes back an opened connection. The next `open` returns it. */
  keep(opened: Upstream | Refused): void;
  /** Ends connections that no request has used. Otherwise they would stay until the server closes them. */
  discard(): void;
}

interface UpstreamsOptions {
  /** Name that the server's certificate has to prove. */
  readonly host: string;
  /** Protocols that the client offers. If the client has no ALPN, the server gets none either. */
  readonly offered: readonly string[];
  readonly trust: () => UpstreamTrust;
}

export function upstreamsOf(way: ConnectionWay, { host, offered, trust }: UpstreamsOptions): Upstreams {
  let kept: Upstream | Refused | undefined;
  const secure = async (alpn: readonly Alpn[]): Promise<Upstream | Refused> => {
    const plain = await way.open();
    if (plain.kind === 'refused') return plain;
    const secured = await secureUpstream(plain.socket, {
      host,
      alpn: offered.length === 0 ? [] : alpn,
      trust: trust(),
    });
    return secured.kind === 'refused' ? secured : Object.assign(secured.socket, { alpn: secured.alpn });
  };
  const take = (): Upstream | Refused | undefined => {
    const taken = kept;
    kept = undefined;
    return taken;
  };
  return {
    async speaksHttp2() {
      const opened = await secure(['h2', 'http/1.1']);
      if (!isUpstream(opened)) return false;
      kept = opened;
      return opened.alpn === 'h2';
    },
    async open({ alpn }) {
      const known = take();
      if (known === undefined) return secure([alpn]);
      if (!isUpstream(known)) return known;
      if (known.alpn === alpn && !known.destroyed) return known;
      known.destroy();
      return secure([alpn]);
    },
    keep(opened) {
      kept = opened;
    },
    discard() {
      const left = take();
      if (left !== undefined && isUpstream(left)) left.destroy();
    },
  };
}

export async function openPlain(way: ConnectionWay): Promise<Upstream | Refused> {
  const plain = await way.open();
  return plain.kind === 'refused' ? plain : Object.assign(plain.socket, { alpn: 'http/1.1' as const });
}

export function isUpstream(opened: Upstream | Refused): opened is Upstream {
  return 'alpn' in opened;
}
