import type { Upstream } from '../http/message.ts';
import type { Alpn } from '../tls/terminate.ts';
import { secureUpstream } from '../tls/upstream.ts';
import type { UpstreamTrust } from '../tls/upstream-trust.ts';
import type { Refused } from '../types.ts';
import type { Way } from './way.ts';

/** Secured connections to a destination. */
export interface Upstreams {
  /** What the other side speaks is found out with a connection, which serves the first request. */
  speaksHttp2(): Promise<boolean>;
  open(options: { readonly alpn: Alpn }): Promise<Upstream | Refused>;
  /** Gives back what was opened: it is what is opened next. */
  keep(opened: Upstream | Refused): void;
  /** Ends what no request has used, which would stay as long as the other side likes. */
  discard(): void;
}

export interface UpstreamsOptions {
  /** What the certificate has to prove. */
  readonly host: string;
  /** What the client offers; a client without ALPN is for servers without. */
  readonly offered: readonly string[];
  readonly trust: () => UpstreamTrust;
}

export function upstreamsOf(way: Way, { host, offered, trust }: UpstreamsOptions): Upstreams {
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

export async function openPlain(way: Way): Promise<Upstream | Refused> {
  const plain = await way.open();
  return plain.kind === 'refused' ? plain : Object.assign(plain.socket, { alpn: 'http/1.1' as const });
}

export function isUpstream(opened: Upstream | Refused): opened is Upstream {
  return 'alpn' in opened;
}
