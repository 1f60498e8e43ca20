import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { ProtocolViolation } from '../protocol/walker.ts';
import {
  attributes,
  channelHeaders,
  fromBase64,
  hmac,
  isEqual,
  mechanisms,
  noncePattern,
  scramHash,
  xor,
} from './scram.ts';

export interface ScramClient {
  readonly mechanism: string;
  readonly first: string;
  /**
   * Returns the client's last message. Rejects a malformed challenge, and one that would cost too much work or reveal
   * too much.
   */
  answer(challenge: string): Promise<string>;
  /** Throws if the server does not prove that it knows the password. */
  verify(final: string): void;
}

export interface ScramClientOptions {
  /** Mechanisms that the server offers. */
  readonly offered: readonly string[];
  /** `tls-server-end-point` of the connection. Undefined without TLS, or if the certificate has none. */
  readonly channel: Buffer | undefined;
  readonly transport: 'tls' | 'plain';
  /** Default: random. */
  readonly nonce?: string;
}

/**
 * Rounds of PBKDF2. A server that has not proved its identity may ask for few rounds, in order to guess the password
 * from the answer. RFC 7677 §4 requires at least 4096, which is PostgreSQL's default. The maximum takes half a second.
 */
const rounds = { fewest: { tls: 1, plain: 4096 }, most: 1_000_000 } as const;

const derive = promisify(pbkdf2);

/**
 * Starts the client's half of one SCRAM-SHA-256 conversation, bound to the channel if the server offers channel
 * binding. Undefined if the server offers no supported mechanism.
 */
export function startScram(password: string, options: ScramClientOptions): ScramClient | undefined {
  const mechanism = [...(options.channel === undefined ? [] : [mechanisms.bound]), mechanisms.plain].find((name) =>
    options.offered.includes(name),
  );
  if (mechanism === undefined) return undefined;
  const header =
    mechanism === mechanisms.bound
      ? channelHeaders.bound
      : options.channel === undefined
        ? channelHeaders.none
        : channelHeaders.unoffered;
  const binding = Buffer.concat([
    Buffer.from(header),
    mechanism === mechanisms.bound && options.channel !== undefined ? options.channel : Buffer.alloc(0),
  ]).toString('base64');
  const nonce = options.nonce ?? randomBytes(18).toString('base64');
  // PostgreSQL uses the user of the startup message and ignores the user in this message.
  const bare = `n=,r=${nonce}`;
  let signature: Buffer | undefined;
  return {
    mechanism,
    first: header + bare,
    async answer(challenge) {
      const { salt, iterations, fullNonce } = readChallenge(challenge, nonce, rounds.fewest[options.transport]);
      const salted = await derive(saslPrepared(password), salt, iterations, 32, 'sha256');
      const clientKey = hmac(salted, 'Client Key');
      const last = `c=${binding},r=${fullNonce}`;
      const exchange = `${bare},${challenge},${last}`;
      signature = hmac(hmac(salted, 'Server Key'), exchange);
      return `${last},p=${xor(clientKey, hmac(scramHash(clientKey), exchange)).toString('base64')}`;
    },
    verify(final) {
      const said = attributes(final, ['v']);
      const proof = said && fromBase64(said.v);
      if (signature === undefined || proof === undefined || !isEqual(proof, signature))
        throw new ProtocolViolation('it did not prove that it knows the password');
    },
  };
}

interface Challenge {
  readonly salt: Buffer;
  readonly iterations: number;
  readonly fullNonce: string;
}

function readChallenge(challenge: string, nonce: string, fewest: number): Challenge {
  const said = attributes(challenge, ['r', 's', 'i']);
  const salt = said && fromBase64(said.s);
  if (said === undefined || salt === undefined || salt.length === 0 || !/^[1-9][0-9]{0,9}$/u.test(said.i))
    throw new ProtocolViolation('its SCRAM challenge is malformed');
  if (!said.r.startsWith(nonce) || said.r.length === nonce.length || !noncePattern.test(said.r))
    throw new ProtocolViolation("its SCRAM nonce does not continue the client's");
  const iterations = Number(said.i);
  if (iterations < fewest || iterations > rounds.most)
    throw new ProtocolViolation(
      `it asks for ${iterations} rounds of SCRAM, and only ${fewest} to ${rounds.most} are accepted`,
    );
  return { salt, iterations, fullNonce: said.r };
}

/** RFC 3454 C.1.2: spaces that are mapped to the ASCII space. */
const spaces = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu;
/** RFC 3454 B.1: dropped characters. */
const nothing = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/gu;
/** RFC 3454 C.2 to C.9, by the categories of current Unicode. */
const prohibited =
  /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\u2028\u2029\ufff9-\ufffd\u2ff0-\u2ffb\u200e\u200f\u202a-\u202e\u206a-\u206f]|\u0340|\u0341/u;

/**
 * Returns a password as PostgreSQL hashes it: prepared by SASLprep (RFC 4013), or unchanged if SASLprep refuses it
 * (pg_saslprep). ASCII stays unchanged. Does not check SASLprep's rules about bidirectional text.
 */
export function saslPrepared(password: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII, all of it
  if (/^[\u0000-\u007f]*$/u.test(password)) return password;
  const prepared = password.replaceAll(spaces, ' ').replaceAll(nothing, '').normalize('NFKC');
  return prepared === '' || prohibited.test(prepared) ? password : prepared;
}
