import { type Der, der } from './der.ts';

/** PKCS #12 (RFC 7292) and PKCS #9. */
const data = der.oid('1.2.840.113549.1.7.1');
const certificateBag = der.oid('1.2.840.113549.1.12.10.1.3');
const x509Certificate = der.oid('1.2.840.113549.1.9.22.1');
const friendlyName = der.oid('1.2.840.113549.1.9.20');
/** Oracle's `trustedKeyUsage`, any usage. Java does not trust a certificate without it. */
const trustedForAll = der.sequence(der.oid('2.16.840.1.113894.746875.1.1'), der.set(der.oid('2.5.29.37.0')));

/** Certificates as they stand in a store. */
export interface StoreBags {
  readonly bytes: Der;
  readonly count: number;
}

/** Certificates in DER. Each is another one. */
export function storeBags(certificates: readonly Uint8Array[]): StoreBags {
  return { bytes: Buffer.concat(certificates.map((certificate, index) => bag(certificate, index))), count: certificates.length };
}

/**
 * A Java trust store of those and of more certificates in DER. Without password, encryption and MAC: it holds nothing secret, and Java 8 and
 * later open it both with a password and with none, as they do the store that comes with them.
 */
export function trustStore({ bytes, count }: StoreBags, more: readonly Uint8Array[] = []): Uint8Array {
  const added = more.map((certificate, index) => bag(certificate, count + index));
  const authenticatedSafe = der.sequence(content(der.sequence(bytes, ...added)));
  return der.sequence(der.integer(3), content(authenticatedSafe));
}

function content(bytes: Der): Der {
  return der.sequence(data, der.explicit(0, der.octets(bytes)));
}

/** The alias, which has to be unique, is where the certificate stands. */
function bag(certificate: Uint8Array, index: number): Der {
  const value = der.sequence(x509Certificate, der.explicit(0, der.octets(certificate)));
  const alias = der.sequence(friendlyName, der.set(der.string('bmp', `holdfast-${index}`)));
  return der.sequence(certificateBag, der.explicit(0, value), der.set(alias, trustedForAll));
}
