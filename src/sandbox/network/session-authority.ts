// Not through the room's index: what serves connections stays unloaded until there is one.
import { type CertificateAuthority, createAuthority } from '../../egress/tls/authority.ts';
import type { SessionTrust } from './session-trust.ts';
import { sessionTrust } from './trust-files.ts';

/** The certificate authority of a session. In a bundle of its own: a box needs to believe it before it starts. */
export interface SessionAuthority {
  readonly certificates: CertificateAuthority;
  readonly trust: SessionTrust;
}

export function createSessionAuthority(environment: Readonly<Record<string, string | undefined>>): SessionAuthority {
  const certificates = createAuthority();
  return { certificates, trust: sessionTrust(certificates.certificatePem, environment) };
}
