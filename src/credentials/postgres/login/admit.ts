import type { Duplex } from 'node:stream';
import type { Credential } from '../../../policy/index.ts';
import type { ScramVerifier } from '../../types.ts';
import { endPointOf } from '../auth/channel-binding.ts';
import { mechanisms } from '../auth/scram.ts';
import { answerScram } from '../auth/scram-server.ts';
import type { LoginReader } from '../protocol/login-reader.ts';
import { frontend, limits } from '../protocol/types.ts';
import { authenticationRequest, text } from '../protocol/write.ts';
import { LoginFailure } from './failure.ts';

export interface Admission {
  readonly client: Duplex;
  readonly reader: LoginReader;
  readonly credential: Credential;
  readonly user: string;
  /** Of the phantom; undefined where there is none, or it was revoked. */
  readonly verifier: ScramVerifier | undefined;
}

/**
 * Has the client prove by SCRAM that it knows the phantom, which itself it never sends. Nothing else is offered: every libpq
 * since version 10 knows SCRAM. Rejects with `28P01` where it does not; the last message of SCRAM has been sent when it does.
 */
export async function admit({ client, reader, credential, user, verifier }: Admission): Promise<void> {
  const channel = endPointOf(client, 'server');
  const offered = channel === undefined ? [mechanisms.plain] : [mechanisms.bound, mechanisms.plain];
  client.write(authenticationRequest('sasl', Buffer.concat([...offered.map(text), Buffer.from([0])])));
  const { mechanism, first } = initialResponse(await saslMessage(reader));
  const challenge = answerScram(mechanism, first, { verifier, channel });
  if (challenge.kind === 'malformed') throw malformed(challenge.reason);
  client.write(authenticationRequest('saslContinue', Buffer.from(challenge.message)));
  const verdict = challenge.answer((await saslMessage(reader)).toString('latin1'));
  switch (verdict.kind) {
    case 'malformed':
      throw malformed(verdict.reason);
    case 'refused':
      throw refused(user, credential, verifier);
    case 'proved':
      client.write(authenticationRequest('saslFinal', Buffer.from(verdict.final)));
  }
}

async function saslMessage(reader: LoginReader): Promise<Buffer> {
  const { type, body } = await reader.next(limits.sasl);
  if (type !== frontend.password) throw malformed('something else stands where the client should authenticate itself');
  return body;
}

/** Mechanism, length, first message of it. Source: PostgreSQL 15 documentation, 55.7 (SASLInitialResponse). */
function initialResponse(body: Buffer): { readonly mechanism: string; readonly first: string } {
  const end = body.indexOf(0);
  if (end < 0 || body.length < end + 5 || body.readInt32BE(end + 1) !== body.length - end - 5) throw malformed('the first message of SASL has another form');
  return { mechanism: body.toString('latin1', 0, end), first: body.toString('latin1', end + 5) };
}

function malformed(reason: string): LoginFailure {
  return new LoginFailure({ code: '08P01', message: reason, remedy: 'use a client that speaks SCRAM-SHA-256: libpq 10 or later' }, 'malformed-request');
}

function refused(user: string, { name }: Credential, verifier: ScramVerifier | undefined): LoginFailure {
  if (verifier === undefined) return new LoginFailure({ code: '28P01', message: `password authentication failed for user "${user}": what stood for the credential "${name}" is not good any more`, remedy: 'start a new session' }, 'phantom-misused');
  return new LoginFailure({ code: '28P01', message: `password authentication failed for user "${user}": the password is not the one that stands for the credential "${name}"`, remedy: 'use the password or URL that the session put into the environment' }, 'foreign-credential');
}
