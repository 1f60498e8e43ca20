import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** SCRAM-SHA-256 (RFC 5802, RFC 7677) with the names of PostgreSQL: what both sides of it share. Pure. */

export const mechanisms = { plain: 'SCRAM-SHA-256', bound: 'SCRAM-SHA-256-PLUS' } as const;

/** What a client says it does about the channel (RFC 5802 §7): cannot, could but was not offered it, does. */
export const channelHeaders = { none: 'n,,', unoffered: 'y,,', bound: 'p=tls-server-end-point,,' } as const;

/** RFC 5802 §7: printable ASCII but a comma. */
export const noncePattern = /^[!-+\--~]{1,512}$/u;

export function hmac(key: Buffer, data: Buffer | string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

export function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

export function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((octet, index) => octet ^ (right[index] ?? 0)));
}

/** Buffers of different lengths are not equal, which says nothing that is secret. */
export function isEqual(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Base64 as the grammar has it: padded, and nothing else in it. Undefined for anything that decoders read differently.
 */
export function fromBase64(value: string): Buffer | undefined {
  const bytes = Buffer.from(value, 'base64');
  return bytes.toString('base64') === value ? bytes : undefined;
}

/**
 * The values of a message whose attributes are exactly `names`, in order. RFC 5802 lets others follow, and has those
 * that are not understood ignored; PostgreSQL sends and takes none.
 */
export function attributes<Name extends string>(
  message: string,
  names: readonly Name[],
): Readonly<Record<Name, string>> | undefined {
  const parts = message.split(',');
  if (parts.length !== names.length || !parts.every((part, index) => part.startsWith(`${names[index]}=`)))
    return undefined;
  return Object.fromEntries(names.map((name, index) => [name, (parts[index] ?? '').slice(2)])) as Record<Name, string>;
}
