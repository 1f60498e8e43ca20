import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Unavailable } from '../../types.ts';

/** RFC 7518 §3.3 asks for no less. Bits. */
const shortestKey = 2048;

export interface RsaKey {
  readonly kind: 'key';
  readonly key: KeyObject;
}

/** A private key in PEM, of PKCS #1 or PKCS #8. No part of it, and no text of the parser, goes into the message. */
export function rsaKey(pem: string): RsaKey | Unavailable {
  const key = parsedKey(pem);
  if (key === undefined) return unusable('is no private key in PEM, or has a passphrase');
  if (key.asymmetricKeyType !== 'rsa') return unusable('is no RSA key');
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < shortestKey) return unusable(`has fewer than ${shortestKey} bits`);
  return { kind: 'key', key };
}

/** A JSON Web Token that is signed with RS256: RFC 7515 §7.1, RFC 7518 §3.3. Times in seconds. */
export function signedJwt(key: KeyObject, header: Readonly<Record<string, string>>, claims: Readonly<Record<string, string | number>>): string {
  const signed = [{ alg: 'RS256', typ: 'JWT', ...header }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

function parsedKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    return undefined;
  }
}

function unusable(what: string): Unavailable {
  return { kind: 'unavailable', message: `its secret ${what}`, remedy: 'Store the key as its provider gave it.' };
}
