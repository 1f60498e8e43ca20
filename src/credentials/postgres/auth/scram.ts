import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ScramVerifier } from '../../types.ts';

/** The parts of SCRAM-SHA-256 (RFC 5802, RFC 7677) that both sides share, with PostgreSQL's names. Pure. */

export const mechanisms = { plain: 'SCRAM-SHA-256', bound: 'SCRAM-SHA-256-PLUS' } as const;

/** The client's flag for channel binding (RFC 5802 §7): unsupported, supported but not offered, used. */
export const channelHeaders = { none: 'n,,', unoffered: 'y,,', bound: 'p=tls-server-end-point,,' } as const;

/** RFC 5802 §7: printable ASCII except a comma. */
export const noncePattern = /^[!-+\--~]{1,512}$/u;

export function hmac(key: Buffer, data: Buffer | string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

export function scramHash(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

export function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((octet, index) => octet ^ (right[index] ?? 0)));
}

/** Compares in constant time. Buffers of different lengths are unequal, because the lengths are not secret. */
export function isEqual(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Decodes strict base64: padded, with no other characters. Undefined for spellings that decoders read differently. */
export function fromBase64(value: string): Buffer | undefined {
  const bytes = Buffer.from(value, 'base64');
  return bytes.toString('base64') === value ? bytes : undefined;
}

/**
 * Returns the values of a message whose attributes are exactly `names`, in order. RFC 5802 allows further attributes
 * and ignores unknown ones, but PostgreSQL neither sends nor accepts any.
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

type ScramVerdict =
  | { readonly kind: 'proved'; readonly final: string }
  /** The client knows another password, or none. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'malformed'; readonly reason: string };

type ScramFirst =
  | { readonly kind: 'challenge'; readonly message: string; answer(final: string): ScramVerdict }
  | Extract<ScramVerdict, { kind: 'malformed' }>;

export interface ScramServerOptions {
  /** Verifier of the phantom. Without one, the conversation runs to its end, and fails. */
  readonly verifier: ScramVerifier | undefined;
  /** `tls-server-end-point` of the connection. Undefined without TLS, or if the certificate has none. */
  readonly channel: Buffer | undefined;
  /** Default: random. */
  readonly nonce?: string;
}

/**
 * Answers one SCRAM-SHA-256 conversation, from the client's first message on. Ignores the user name in that message, as
 * PostgreSQL does.
 */
export function answerScram(mechanism: string, first: string, options: ScramServerOptions): ScramFirst {
  const header = headerOf(mechanism, first, options.channel);
  if (header === undefined) return malformed('the mechanism and the channel binding do not agree');
  const bare = first.slice(header.length);
  const parts = attributes(bare, ['n', 'r']);
  if (parts === undefined || !noncePattern.test(parts.r)) return malformed('the first SCRAM message is malformed');
  const verifier = options.verifier ?? pretended();
  const nonce = parts.r + (options.nonce ?? randomBytes(18).toString('base64'));
  const challenge = `r=${nonce},s=${verifier.salt.toString('base64')},i=${verifier.iterations}`;
  const binding = Buffer.concat([
    Buffer.from(header),
    header === channelHeaders.bound && options.channel !== undefined ? options.channel : Buffer.alloc(0),
  ]).toString('base64');
  return {
    kind: 'challenge',
    message: challenge,
    answer(final) {
      const said = attributes(final, ['c', 'r', 'p']);
      const proof = said && fromBase64(said.p);
      if (said === undefined || proof?.length !== 32) return malformed('the last SCRAM message is malformed');
      if (said.r !== nonce) return malformed('the SCRAM nonce differs');
      // If a third party terminates TLS between the client and Holdfast, the client sees another certificate (RFC 5802
      // §6).
      if (said.c !== binding) return malformed('the client is bound to a different channel');
      const exchange = `${bare},${challenge},c=${said.c},r=${said.r}`;
      const isProved = isEqual(scramHash(xor(proof, hmac(verifier.storedKey, exchange))), verifier.storedKey);
      if (!isProved || options.verifier === undefined) return { kind: 'refused' };
      return { kind: 'proved', final: `v=${hmac(verifier.serverKey, exchange).toString('base64')}` };
    },
  };
}

/**
 * Returns the header of the first message if it fits the mechanism. If the client says that no binding was offered to
 * it, someone has changed the offer.
 */
function headerOf(mechanism: string, first: string, channel: Buffer | undefined): string | undefined {
  const header = Object.values(channelHeaders).find((candidate) => first.startsWith(candidate));
  if (mechanism === mechanisms.bound)
    return channel !== undefined && header === channelHeaders.bound ? header : undefined;
  if (mechanism !== mechanisms.plain || header === channelHeaders.bound) return undefined;
  return header === channelHeaders.unoffered && channel !== undefined ? undefined : header;
}

/** Returns a verifier of a random password that nobody knows. */
function pretended(): ScramVerifier {
  return { salt: randomBytes(16), iterations: 4096, storedKey: randomBytes(32), serverKey: randomBytes(32) };
}

function malformed(reason: string): Extract<ScramVerdict, { kind: 'malformed' }> {
  return { kind: 'malformed', reason };
}
