import { randomBytes } from 'node:crypto';
import type { ScramVerifier } from '../../types.ts';
import {
  attributes,
  channelHeaders,
  fromBase64,
  hmac,
  isEqual,
  mechanisms,
  noncePattern,
  sha256,
  xor,
} from './scram.ts';

export type ScramVerdict =
  | { readonly kind: 'proved'; readonly final: string }
  /** The client knows another password, or none. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'malformed'; readonly reason: string };

export type ScramFirst =
  | { readonly kind: 'challenge'; readonly message: string; answer(final: string): ScramVerdict }
  | Extract<ScramVerdict, { kind: 'malformed' }>;

export interface ScramServerOptions {
  /** Undefined where there is no phantom: the conversation runs to its end, and fails. */
  readonly verifier: ScramVerifier | undefined;
  /** `tls-server-end-point` of the connection; undefined without TLS, or where the certificate has none. */
  readonly channel: Buffer | undefined;
  /** Default: random. */
  readonly nonce?: string;
}

/**
 * The server's half of one SCRAM-SHA-256 conversation, from the client's first message on. The name of the user in it
 * counts for nothing, as with PostgreSQL.
 */
export function answerScram(mechanism: string, first: string, options: ScramServerOptions): ScramFirst {
  const header = headerOf(mechanism, first, options.channel);
  if (header === undefined) return malformed('the mechanism and what is said about the channel do not agree');
  const bare = first.slice(header.length);
  const parts = attributes(bare, ['n', 'r']);
  if (parts === undefined || !noncePattern.test(parts.r))
    return malformed('the first message of SCRAM has another form');
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
      if (said === undefined || proof?.length !== 32) return malformed('the last message of SCRAM has another form');
      if (said.r !== nonce) return malformed('the nonce of SCRAM is another');
      // Who ends TLS between the client and us shows another certificate: RFC 5802 §6.
      if (said.c !== binding) return malformed('the channel that the client is bound to is another');
      const exchange = `${bare},${challenge},c=${said.c},r=${said.r}`;
      const isProved = isEqual(sha256(xor(proof, hmac(verifier.storedKey, exchange))), verifier.storedKey);
      if (!isProved || options.verifier === undefined) return { kind: 'refused' };
      return { kind: 'proved', final: `v=${hmac(verifier.serverKey, exchange).toString('base64')}` };
    },
  };
}

/**
 * The beginning of the first message, where it fits the mechanism. A client that says that it was not offered a
 * binding, when it was, has been lied to.
 */
function headerOf(mechanism: string, first: string, channel: Buffer | undefined): string | undefined {
  const header = Object.values(channelHeaders).find((candidate) => first.startsWith(candidate));
  if (mechanism === mechanisms.bound)
    return channel !== undefined && header === channelHeaders.bound ? header : undefined;
  if (mechanism !== mechanisms.plain || header === channelHeaders.bound) return undefined;
  return header === channelHeaders.unoffered && channel !== undefined ? undefined : header;
}

/** Nobody can prove to know what this was made from. */
function pretended(): ScramVerifier {
  return { salt: randomBytes(16), iterations: 4096, storedKey: randomBytes(32), serverKey: randomBytes(32) };
}

function malformed(reason: string): Extract<ScramVerdict, { kind: 'malformed' }> {
  return { kind: 'malformed', reason };
}
