import { constants } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { type BoundedCache, boundedCache } from './leaf.ts';
import { certificatesIn, toPem } from './host-trust.ts';

/** Verifies servers, and keeps the TLS sessions with them. Each session of Holdfast has one. */
export interface UpstreamTrust {
  /** Created on demand, because reading about 150 roots takes milliseconds. */
  readonly context: () => SecureContext;
  readonly sessions: BoundedCache<Buffer>;
  readonly distrusted: ReadonlySet<string>;
}

export interface UpstreamTrustOptions {
  /** PEM, any number of certificates in each: `hostRoots`, and the user's additions. */
  readonly roots: readonly string[];
  /**
   * Certificates that are refused anywhere in a chain, even if the root is trusted. Each entry is a SHA-256 fingerprint
   * (`AB:CD:…`), a common name or an organisation.
   */
  readonly distrusted?: readonly string[];
  readonly now?: () => number;
}

/** Most TLS sessions to keep: one for each host, port and list of protocols. */
const mostSessions = 256;
/** A certificate that was replaced or distrusted is checked again after an hour at most. */
const sessionLifetime = 3_600_000;

export function createUpstreamTrust({ roots, distrusted = [], now = Date.now }: UpstreamTrustOptions): UpstreamTrust {
  let context: SecureContext | undefined;
  return {
    context: () => (context ??= contextOf(roots.join('\n'))),
    sessions: boundedCache({ most: mostSessions, lifetime: sessionLifetime, now }),
    distrusted: new Set(distrusted),
  };
}

/**
 * The last context, by its roots. It holds nothing else: the TLS sessions are not in it. Otherwise each run of a
 * resident supervisor would spend 10 ms on the same roots.
 */
const latest = boundedCache<SecureContext>({ most: 1, lifetime: Number.POSITIVE_INFINITY, now: Date.now });

function contextOf(roots: string): SecureContext {
  const before = latest.get(roots);
  if (before !== undefined) return before;
  // Adds the certificates one by one: OpenSSL reads a bundle up to the first bad certificate and silently drops the
  // rest.
  const ca = certificatesIn(roots).map(toPem);
  const made = createSecureContext({ ca, minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_RENEGOTIATION });
  latest.set(roots, made);
  return made;
}
