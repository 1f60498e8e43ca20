import { createHash } from 'node:crypto';
import { der } from './der.ts';

/**
 * What `openssl x509 -subject_hash` prints for a certificate whose subject is one common name: the first four bytes of
 * the SHA-1 of the name in canonical form, least significant first (OpenSSL, crypto/x509/x_name.c, `x509_name_canon`).
 */
export function subjectHash(commonName: string): string {
  const canonical = commonName.trim().replace(/\s+/gu, ' ').toLowerCase();
  const part = der.set(der.sequence(der.oid('2.5.4.3'), der.string('utf8', canonical)));
  return createHash('sha1').update(part).digest().readUInt32LE(0).toString(16).padStart(8, '0');
}
