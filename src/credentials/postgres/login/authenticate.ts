import { endPointOf } from '../auth/channel-binding.ts';
import { md5Answer } from '../auth/md5.ts';
import { type ScramClient, startScram } from '../auth/scram-client.ts';
import type { Duplex } from 'node:stream';
import type { LoginReader } from '../protocol/login-reader.ts';
import { authentication, backend, limits, type Message } from '../protocol/types.ts';
import { ProtocolViolation } from '../protocol/violation.ts';
import { int32, passwordMessage, text } from '../protocol/write.ts';
import { LoginFailure } from './failure.ts';

export interface Login {
  readonly server: Duplex;
  readonly reader: LoginReader;
  readonly transport: 'tls' | 'plain';
  readonly user: string;
  readonly password: string;
}

/** Requests of a server before it is satisfied, or not. */
const mostRequests = 8;

/**
 * Proves to the server that we know the password. SCRAM also has the server prove it; in plain text the password goes to
 * nobody but a server that has proved its name by TLS. Gives back the message of the server that is no request any more, when it
 * is an error; undefined: we are in.
 */
export async function authenticate(login: Login): Promise<Message | undefined> {
  let scram: ScramClient | undefined;
  let proof: 'none' | 'owed' | 'given' = 'none';
  for (let count = 0; count < mostRequests; count += 1) {
    const received = await login.reader.next(limits.login);
    if (received.type === backend.error) return received;
    if (received.type !== backend.authentication || received.body.length < 4) throw new ProtocolViolation('it sent something else than a request to authenticate');
    const body = received.body.subarray(4);
    switch (received.body.readInt32BE(0)) {
      case authentication.ok:
        if (proof === 'owed') throw new ProtocolViolation('it did not prove that it knows the password');
        return undefined;
      case authentication.cleartext:
        if (scram !== undefined) throw new ProtocolViolation('it asked for the password in the midst of SCRAM');
        login.server.write(passwordMessage(text(inClear(login))));
        break;
      case authentication.md5:
        if (scram !== undefined || body.length !== 4) throw new ProtocolViolation('its request for MD5 is malformed');
        login.server.write(passwordMessage(text(md5Answer(login, body))));
        break;
      case authentication.sasl:
        if (scram !== undefined) throw new ProtocolViolation('it began SCRAM again');
        scram = begin(login, body);
        proof = 'owed';
        break;
      case authentication.saslContinue:
        if (scram === undefined) throw new ProtocolViolation('it went on with a SCRAM that had not begun');
        login.server.write(passwordMessage(Buffer.from(await scram.answer(body.toString('latin1')))));
        break;
      case authentication.saslFinal:
        if (scram === undefined) throw new ProtocolViolation('it ended a SCRAM that had not begun');
        scram.verify(body.toString('latin1'));
        proof = 'given';
        break;
      default:
        throw new LoginFailure({ code: '0A000', message: `the server wants to authenticate in a way (${received.body.readInt32BE(0)}) that is not spoken here`, remedy: 'have it ask for scram-sha-256 in pg_hba.conf' }, 'upstream-protocol');
    }
  }
  throw new ProtocolViolation('it asked again and again');
}

function begin(login: Login, offers: Buffer): ScramClient {
  const offered = offers.toString('latin1').split('\0');
  const channel = endPointOf(login.server, 'client');
  const scram = startScram(login.password, { offered, channel, transport: login.transport });
  if (scram === undefined) throw new ProtocolViolation('it offers no SCRAM-SHA-256');
  const first = Buffer.from(scram.first);
  login.server.write(passwordMessage(Buffer.concat([text(scram.mechanism), int32(first.length), first])));
  return scram;
}

function inClear({ transport, password }: Login): string {
  if (transport === 'tls') return password;
  throw new LoginFailure({ code: '28000', message: 'the server asks for the password in clear text, and has not proved who it is', remedy: 'have it ask for scram-sha-256 in pg_hba.conf, or set tls = "verify-full"' }, 'credential-unavailable');
}
