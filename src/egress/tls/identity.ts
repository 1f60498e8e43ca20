import { checkServerIdentity, type DetailedPeerCertificate, type PeerCertificate } from 'node:tls';

/** Its `code` is what `upstreamRefusal` looks for. */
class DistrustedCertificate extends Error {
  override readonly name = 'DistrustedCertificate';
  readonly code = 'CERT_DISTRUSTED';
}

type Certificate = PeerCertificate | DetailedPeerCertificate;

/**
 * The certificate must carry the name as a subject alternative name: the common name, which Node falls back to where there
 * is none or only an address, is no longer a host's name for anybody else (RFC 9525 §2). No certificate up to the root may
 * be distrusted.
 */
export function identityCheck(distrusted: ReadonlySet<string>): (host: string, certificate: PeerCertificate) => Error | undefined {
  return (host, certificate) => {
    const wrongName = checkServerIdentity(host, { ...certificate, subject: { ...certificate.subject, CN: '' } });
    if (wrongName !== undefined || distrusted.size === 0) return wrongName;
    return chainOf(certificate).some((link) => isDistrusted(link, distrusted)) ? new DistrustedCertificate() : undefined;
  };
}

function isDistrusted(certificate: Certificate, distrusted: ReadonlySet<string>): boolean {
  const names = [certificate.subject.CN, certificate.subject.O].flat();
  return distrusted.has(certificate.fingerprint256) || names.some((name) => name !== undefined && distrusted.has(name));
}

/** The certificate, its issuer, and so on; a root is its own issuer. */
function chainOf(certificate: Certificate): readonly Certificate[] {
  const chain: Certificate[] = [];
  for (let link: Certificate | undefined = certificate; link !== undefined && !chain.includes(link); link = 'issuerCertificate' in link ? link.issuerCertificate : undefined) chain.push(link);
  return chain;
}
