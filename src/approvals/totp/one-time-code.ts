import { createHmac } from 'node:crypto';

export type TotpAlgorithm = 'SHA-1' | 'SHA-256';

export interface OneTimeCode {
  readonly secret: Uint8Array;
  readonly algorithm: TotpAlgorithm;
  /** 6 by default, 8 in the vectors of RFC 6238. */
  readonly digits?: 6 | 8;
}

/** Seconds for which a code is shown. RFC 6238 §5.2 recommends 30. */
export const period = 30;

/** Which code is shown now. Source: RFC 6238 §4.2, with T0 = 0. */
export function counterAt(now: number): number {
  return Math.floor(now / 1000 / period);
}

/** HOTP of RFC 4226 §5.3, with the hash that RFC 6238 §1.2 allows. */
export function oneTimeCode({ secret, algorithm, digits = 6 }: OneTimeCode, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac(algorithm === 'SHA-1' ? 'sha1' : 'sha256', secret).update(message).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}
