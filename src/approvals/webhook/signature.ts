import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What a message is for. It is signed along with it, so that no service can be made to send a question of ours back as its answer.
 */
export type Purpose = 'question' | 'answer';

/** The value of `Holdfast-Signature`. */
export function signatureHeader(secret: string, purpose: Purpose, message: { readonly timestamp: number; readonly body: string }): string {
  return `t=${message.timestamp},v1=${signature(secret, purpose, message)}`;
}

/** When a message was signed, in seconds since the epoch; undefined where it was not, by whoever knows the secret and for this purpose. */
export function signedAt(secret: string, purpose: Purpose, { header, body }: { readonly header: string; readonly body: string }): number | undefined {
  const [, time = '', given = ''] = /^t=(0|[1-9]\d{0,11}),v1=([0-9a-f]{64})$/u.exec(header) ?? [];
  if (given === '') return undefined;
  const timestamp = Number(time);
  const right = signature(secret, purpose, { timestamp, body });
  return timingSafeEqual(Buffer.from(given), Buffer.from(right)) ? timestamp : undefined;
}

/** HMAC-SHA256 (RFC 2104) over `holdfast-PURPOSE-v1.TIMESTAMP.BODY`, in lower-case hexadecimal. The time is in seconds since the epoch. */
function signature(secret: string, purpose: Purpose, { timestamp, body }: { readonly timestamp: number; readonly body: string }): string {
  return createHmac('sha256', secret).update(`holdfast-${purpose}-v1.${timestamp}.${body}`).digest('hex');
}
