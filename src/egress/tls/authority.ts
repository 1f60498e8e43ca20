/**
 * The TLS room finds the requested host, creates the client's certificate, and verifies servers.
 *
 * Pure code parses a ClientHello, and writes certificates, trust stores and bundles. Only two functions use sockets:
 * `terminateTls` terminates TLS for one decided host, and `secureUpstream` speaks TLS to the server of that name. Only
 * `host-trust.ts` reads files. The room knows no HTTP, policies or dialling. No private key leaves it: the authority of
 * a session exists in memory only, and ends with the session.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type Der, der } from './der.ts';
import { toPem } from './host-trust.ts';

/**
 * The certificate authority of one session. Its private key is in the closure of `sign`, so no code can print, copy or
 * store it.
 */
export interface CertificateAuthority {
  readonly certificatePem: string;
  readonly certificateDer: Uint8Array;
  /** The encoded subject name, which leaf certificates carry as their issuer. */
  readonly name: Der;
  readonly keyIdentifier: Uint8Array;
  /** OpenSSL's name for the certificate in a hashed directory, without the `.0`. */
  readonly subjectHash: string;
  /** Signs by ECDSA with SHA-256. Returns DER. */
  sign(data: Uint8Array): Uint8Array;
}

const day = 86_400_000;
/** The clocks of guests may run behind. A certificate that is valid from now would be "not yet valid" there. */
const before = day;
const lifetime = 397 * day;

/** Creates an authority: P-256, valid for 397 days from yesterday. It signs only leaf certificates (path length 0). */
export function createAuthority(now: Date = new Date()): CertificateAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = publicKeyInfo(keys.publicKey);
  const identifier = keyIdentifier(publicKey);
  const text = `Holdfast session ${randomBytes(8).toString('hex')}`;
  const name = derName(text);
  const signData = (data: Uint8Array): Uint8Array => sign('sha256', data, keys.privateKey);
  const notBefore = new Date(now.getTime() - before);
  const notAfter = new Date(now.getTime() + lifetime);
  const certificateDer = certificate(
    {
      serial: randomSerial(),
      issuer: name,
      subject: name,
      notBefore,
      notAfter,
      publicKey,
      extensions: extensionsOf(identifier),
    },
    signData,
  );
  return {
    certificatePem: toPem(certificateDer),
    certificateDer,
    name,
    keyIdentifier: identifier,
    subjectHash: subjectHash(text),
    sign: signData,
  };
}

/**
 * Extensions that strict verifiers require of an authority (RFC 5280 §4.2.1): constraints and usage critical, both key
 * identifiers.
 */
function extensionsOf(identifier: Uint8Array): readonly Der[] {
  return [
    extension('2.5.29.19', 'critical', der.sequence(der.true(), der.integer(0))),
    extension('2.5.29.15', 'critical', der.bits(Uint8Array.of(0b0000_0110), 1)),
    extension('2.5.29.14', 'optional', der.octets(identifier)),
    extension('2.5.29.35', 'optional', der.sequence(der.implicit(0, identifier))),
  ];
}

/**
 * Returns the output of `openssl x509 -subject_hash` for a certificate whose subject is one common name. It is the
 * first four bytes of the SHA-1 of the canonical name, least significant first (OpenSSL, crypto/x509/x_name.c,
 * `x509_name_canon`).
 */
export function subjectHash(commonName: string): string {
  const canonical = commonName.trim().replace(/\s+/gu, ' ').toLowerCase();
  const part = der.set(der.sequence(der.oid('2.5.4.3'), der.string('utf8', canonical)));
  return createHash('sha1').update(part).digest().readUInt32LE(0).toString(16).padStart(8, '0');
}

/** Content of a certificate, for X.509 version 3 and ECDSA with SHA-256. */
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

type Importance = 'critical' | 'optional';

/** RFC 5758 §3.2: the parameters are absent. */
const ecdsaWithSha256 = der.sequence(der.oid('1.2.840.10045.4.3.2'));
const commonName = der.oid('2.5.4.3');
const version3 = der.explicit(0, der.integer(2));

/** Returns the signed certificate (RFC 5280 §4.1). `sign` returns the ECDSA signature in DER. */
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

/** Encodes a name with one part. RFC 5280 allows 64 characters in it, so a longer text becomes the empty name. */
export function derName(text: string): Der {
  return text.length > 64 ? der.sequence() : der.sequence(der.set(der.sequence(commonName, der.string('utf8', text))));
}

export function extension(id: string, importance: Importance, value: Der): Der {
  return importance === 'critical'
    ? der.sequence(der.oid(id), der.true(), der.octets(value))
    : der.sequence(der.oid(id), der.octets(value));
}

/** 16 bytes, positive and unique. RFC 5280 §4.1.2.2 allows 20, and the CA/Browser Forum requires 64 random bits. */
export function randomSerial(): Uint8Array {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

export function publicKeyInfo(key: KeyObject): Der {
  return key.export({ type: 'spki', format: 'der' });
}

/**
 * SHA-1 of the key itself, by method 1 of RFC 5280 §4.2.1.2. It is an identifier, and no security depends on it. P-256
 * points are the last 65 bytes.
 */
export function keyIdentifier(publicKey: Der): Uint8Array {
  return createHash('sha1').update(publicKey.subarray(-65)).digest();
}
