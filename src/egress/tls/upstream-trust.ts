import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { type BoundedCache, boundedCache } from './leaf.ts';
import { certificatesIn, toPem } from './host-trust.ts';

/** Which servers are believed, and the sessions that were had with them. One for each session of Holdfast. */
export interface UpstreamTrust {
  /** Made when it is first asked for: reading some 150 roots takes milliseconds. */
  readonly context: () => SecureContext;
  readonly sessions: BoundedCache<Buffer>;
  readonly distrusted: ReadonlySet<string>;
}

export interface UpstreamTrustOptions {
  /** PEM, any number of certificates in each: `hostRoots`, and what the user adds. */
  readonly roots: readonly string[];
  /**
   * Certificates that are refused although a root vouches for them, wherever they stand in a chain: a SHA-256
   * fingerprint (`AB:CD:…`), a common name or an organisation.
   */
  readonly distrusted?: readonly string[];
  readonly now?: () => number;
}

/** Sessions kept, one for each host, port and list of protocols. */
const mostSessions = 256;
/** A certificate that is replaced or distrusted is looked at again after an hour at most. */
const sessionLifetime = 3_600_000;

export function createUpstreamTrust({ roots, distrusted = [], now = Date.now }: UpstreamTrustOptions): UpstreamTrust {
  let context: SecureContext | undefined;
  return {
    context: () => (context ??= contextOf(roots)),
    sessions: boundedCache({ most: mostSessions, lifetime: sessionLifetime, now }),
    distrusted: new Set(distrusted),
  };
}

function contextOf(roots: readonly string[]): SecureContext {
  // Each by itself: OpenSSL reads a bundle up to the first bad certificate and drops the rest without a word.
  const ca = certificatesIn(roots.join('\n')).map(toPem);
  return createSecureContext({ ca, minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_RENEGOTIATION });
}
