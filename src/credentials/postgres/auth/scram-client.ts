import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { ProtocolViolation } from '../protocol/violation.ts';
import { prepare } from './saslprep.ts';
import { attributes, channelHeaders, fromBase64, hmac, isEqual, mechanisms, noncePattern, sha256, xor } from './scram.ts';

export interface ScramClient {
  readonly mechanism: string;
  readonly first: string;
  /** The last message of the client. Rejects on a challenge that is malformed, or that would cost or give away too much. */
  answer(challenge: string): Promise<string>;
  /** Throws where the server does not prove that it knows the password as well. */
  verify(final: string): void;
}

export interface ScramClientOptions {
  /** What the server offers. */
  readonly offered: readonly string[];
  /** `tls-server-end-point` of the connection; undefined where there is no TLS or the certificate has none. */
  readonly channel: Buffer | undefined;
  readonly transport: 'tls' | 'plain';
  /** Default: random. */
  readonly nonce?: string;
}

/**
 * Rounds of PBKDF2. A server that has not proved itself may ask for few, to guess the password with what it is given: RFC
 * 7677 §4 wants 4096 at least, which is what PostgreSQL has by default. The most is half a second of work.
 */
const rounds = { fewest: { tls: 1, plain: 4096 }, most: 1_000_000 } as const;

const derive = promisify(pbkdf2);

/** The client's half of one SCRAM-SHA-256 conversation, bound to the channel where the server offers it. Undefined where it offers no mechanism that is spoken here. */
export function startScram(password: string, options: ScramClientOptions): ScramClient | undefined {
  const mechanism = [...(options.channel === undefined ? [] : [mechanisms.bound]), mechanisms.plain].find((name) => options.offered.includes(name));
  if (mechanism === undefined) return undefined;
  const header = mechanism === mechanisms.bound ? channelHeaders.bound : options.channel === undefined ? channelHeaders.none : channelHeaders.unoffered;
  const binding = Buffer.concat([Buffer.from(header), mechanism === mechanisms.bound && options.channel !== undefined ? options.channel : Buffer.alloc(0)]).toString('base64');
  const nonce = options.nonce ?? randomBytes(18).toString('base64');
  // PostgreSQL takes the user of the startup message and ignores this one.
  const bare = `n=,r=${nonce}`;
  let signature: Buffer | undefined;
  return {
    mechanism,
    first: header + bare,
    async answer(challenge) {
      const { salt, iterations, fullNonce } = readChallenge(challenge, nonce, rounds.fewest[options.transport]);
      const salted = await derive(prepare(password), salt, iterations, 32, 'sha256');
      const clientKey = hmac(salted, 'Client Key');
      const last = `c=${binding},r=${fullNonce}`;
      const exchange = `${bare},${challenge},${last}`;
      signature = hmac(hmac(salted, 'Server Key'), exchange);
      return `${last},p=${xor(clientKey, hmac(sha256(clientKey), exchange)).toString('base64')}`;
    },
    verify(final) {
      const said = attributes(final, ['v']);
      const proof = said && fromBase64(said.v);
      if (signature === undefined || proof === undefined || !isEqual(proof, signature)) throw new ProtocolViolation('it did not prove that it knows the password');
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
  if (said === undefined || salt === undefined || salt.length === 0 || !/^[1-9][0-9]{0,9}$/u.test(said.i)) throw new ProtocolViolation('its challenge of SCRAM has another form');
  if (!said.r.startsWith(nonce) || said.r.length === nonce.length || !noncePattern.test(said.r)) throw new ProtocolViolation('its nonce of SCRAM does not continue ours');
  const iterations = Number(said.i);
  if (iterations < fewest || iterations > rounds.most) throw new ProtocolViolation(`it asks for ${iterations} rounds of SCRAM, where ${fewest} to ${rounds.most} are done`);
  return { salt, iterations, fullNonce: said.r };
}
