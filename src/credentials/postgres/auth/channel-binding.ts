import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/**
 * Algorithms of certificate signatures by the octets of their object identifiers, in hex. Source: RFC 8017, RFC 5758.
 */
const digests: Readonly<Record<string, string>> = {
  // RFC 5929 §4.1: MD5 and SHA-1 are replaced by SHA-256.
  '2a864886f70d010104': 'sha256',
  '2a864886f70d010105': 'sha256',
  '2a8648ce3d0401': 'sha256',
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
};

/**
 * Returns `tls-server-end-point` (RFC 5929 §4) of a connection: a digest of the server's certificate. Undefined without
 * TLS, and for certificates whose signature names no single digest, such as Ed25519 and RSA-PSS.
 */
export function endPointOf(socket: Duplex, side: 'client' | 'server'): Buffer | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const certificate = side === 'server' ? socket.getCertificate() : socket.getPeerCertificate();
  return certificate !== null && 'raw' in certificate && Buffer.isBuffer(certificate.raw)
    ? endPointDigest(certificate.raw)
    : undefined;
}

/** `certificate` is in DER. */
export function endPointDigest(certificate: Buffer): Buffer | undefined {
  const outer = elementAt(certificate, 0);
  const signed = outer && elementAt(certificate, outer.start);
  const algorithm = signed && elementAt(certificate, signed.end);
  const identifier = algorithm && elementAt(certificate, algorithm.start);
  const digest = identifier && digests[certificate.toString('hex', identifier.start, identifier.end)];
  return digest === undefined ? undefined : createHash(digest).update(certificate).digest();
}

/** Returns the beginning and end of the content of a DER element. */
function elementAt(bytes: Buffer, at: number): { readonly start: number; readonly end: number } | undefined {
  const first = bytes[at + 1];
  if (first === undefined) return undefined;
  const octets = first < 0x80 ? 0 : first & 0x7f;
  if (octets > 4 || at + 2 + octets > bytes.length) return undefined;
  const length = octets === 0 ? first : bytes.readUIntBE(at + 2, octets);
  const start = at + 2 + octets;
  return start + length <= bytes.length ? { start, end: start + length } : undefined;
}
