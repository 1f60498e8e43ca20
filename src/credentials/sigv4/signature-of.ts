import { createHash, createHmac } from 'node:crypto';
import type { Scope } from './types.ts';

export interface SigningParts {
  readonly secretAccessKey: string;
  readonly scope: Scope;
  /** `YYYYMMDDTHHMMSSZ`. */
  readonly time: string;
}

/** The signature of a canonical request, in hex. Source: IAM User Guide, "Create a signed AWS API request". */
export function signatureOf(canonicalRequest: string, { secretAccessKey, scope, time }: SigningParts): string {
  const stringToSign = ['AWS4-HMAC-SHA256', time, scopeText(scope), sha256(Buffer.from(canonicalRequest, 'latin1'))].join('\n');
  return createHmac('sha256', signingKey(secretAccessKey, scope)).update(stringToSign).digest('hex');
}

/** `YYYYMMDD/REGION/SERVICE/aws4_request`. */
export function scopeText({ date, region, service }: Scope): string {
  return `${date}/${region}/${service}/aws4_request`;
}

/** Hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function signingKey(secretAccessKey: string, { date, region, service }: Scope): Buffer {
  return [date, region, service, 'aws4_request'].reduce((key: Buffer, part) => createHmac('sha256', key).update(part).digest(), Buffer.from(`AWS4${secretAccessKey}`));
}
