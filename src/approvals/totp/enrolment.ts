import { randomBytes } from 'node:crypto';
import { toBase32 } from './base32.ts';
import type { TotpKey } from './key-file.ts';
import { period, type TotpAlgorithm } from './one-time-code.ts';

/** A key of 160 bits, as RFC 4226 §4 recommends; 256 for SHA-256. */
export function newKey(algorithm: TotpAlgorithm): TotpKey {
  return { secret: randomBytes(algorithm === 'SHA-1' ? 20 : 32), algorithm };
}

/**
 * What an authenticator app reads. `account` is shown there.
 * Source: https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export function otpauthUri({ secret, algorithm }: TotpKey, account: string): string {
  const parameters = [`secret=${toBase32(secret)}`, 'issuer=Holdfast', `algorithm=${algorithm.replace('-', '')}`, 'digits=6', `period=${period}`];
  return `otpauth://totp/Holdfast:${encodeURIComponent(account)}?${parameters.join('&')}`;
}
