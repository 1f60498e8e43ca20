import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Unavailable } from '../../types.ts';

/** Bits, the minimum of RFC 7518 §3.3. */
const shortestKey = 2048;

interface RsaKey {
  readonly kind: 'key';
  readonly key: KeyObject;
}

/**
 * Reads a private key in PEM, PKCS #1 or PKCS #8. The error message contains no part of the key, and no text of the
 * parser.
 */
export function rsaKey(pem: string): RsaKey | Unavailable {
  const key = parsedKey(pem);
  if (key === undefined) return signedJwtUnusable('is not a private key in PEM, or has a passphrase');
  if (key.asymmetricKeyType !== 'rsa') return signedJwtUnusable('is not an RSA key');
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < shortestKey)
    return signedJwtUnusable(`has fewer than ${shortestKey} bits`);
  return { kind: 'key', key };
}

/** Returns a JSON Web Token signed with RS256: RFC 7515 §7.1, RFC 7518 §3.3. Times are in seconds. */
export function signedJwt(
  key: KeyObject,
  header: Readonly<Record<string, string>>,
  claims: Readonly<Record<string, string | number>>,
): string {
  const signed = [{ alg: 'RS256', typ: 'JWT', ...header }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

function parsedKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey({ key: pem, format: 'pem' });
  } catch {
    return undefined;
  }
}

function signedJwtUnusable(what: string): Unavailable {
  return { kind: 'unavailable', message: `its secret ${what}`, remedy: 'Store the key as its provider issued it.' };
}
