import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import { type Der, der } from './der.ts';

/** What a certificate says, for X.509 version 3 and ECDSA with SHA-256. */
export interface CertificateFields {
  readonly serial: Uint8Array;
  /** Encoded names. */
  readonly issuer: Der;
  readonly subject: Der;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Der;
  readonly extensions: readonly Der[];
}

export type Importance = 'critical' | 'optional';

/** RFC 5758 §3.2: the parameters are absent. */
const ecdsaWithSha256 = der.sequence(der.oid('1.2.840.10045.4.3.2'));
const commonName = der.oid('2.5.4.3');
const version3 = der.explicit(0, der.integer(2));

/** The signed certificate (RFC 5280 §4.1); `sign` gives the ECDSA signature in DER. */
export function certificate(fields: CertificateFields, sign: (data: Uint8Array) => Uint8Array): Uint8Array {
  const toBeSigned = der.sequence(
    version3,
    der.integer(fields.serial),
    ecdsaWithSha256,
    fields.issuer,
    der.sequence(der.time(fields.notBefore), der.time(fields.notAfter)),
    fields.subject,
    fields.publicKey,
    der.explicit(3, der.sequence(...fields.extensions)),
  );
  return der.sequence(toBeSigned, ecdsaWithSha256, der.bits(sign(toBeSigned)));
}

/** A name of one part. RFC 5280 allows 64 characters in it, so a longer one is the empty name. */
export function nameOf(text: string): Der {
  return text.length > 64 ? der.sequence() : der.sequence(der.set(der.sequence(commonName, der.string('utf8', text))));
}

export function extension(id: string, importance: Importance, value: Der): Der {
  return importance === 'critical'
    ? der.sequence(der.oid(id), der.true(), der.octets(value))
    : der.sequence(der.oid(id), der.octets(value));
}

/** 16 bytes, positive, never the same twice (RFC 5280 §4.1.2.2 allows 20; CA/Browser Forum wants 64 random bits). */
export function randomSerial(): Uint8Array {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

export function publicKeyInfo(key: KeyObject): Der {
  return key.export({ type: 'spki', format: 'der' });
}

/**
 * SHA-1 of the key itself: method 1 of RFC 5280 §4.2.1.2, an identifier and no security. P-256 points have 65 bytes, at
 * the end.
 */
export function keyIdentifier(publicKey: Der): Uint8Array {
  return createHash('sha1').update(publicKey.subarray(-65)).digest();
}
