import type { Duplex } from 'node:stream';
import type { BrokerWays, EgressRefusal } from '../../../egress/types.ts';
import type { Ends } from '../../wire/serve-ends.ts';
import { type LoginReader, loginReader } from '../protocol/walker.ts';
import { type FirstPacket, parseFirstPacket, type Startup } from '../protocol/startup.ts';
import { negotiateVersion, type ServerError } from '../protocol/types.ts';

export type Greeted =
  | Extract<FirstPacket, { kind: 'cancel' }>
  /** `client` is the TLS side if the client asked for TLS. */
  | { readonly kind: 'login'; readonly startup: Startup; readonly client: Duplex; readonly reader: LoginReader }
  /** TLS was refused, and a TLS alert has told the client. */
  | { readonly kind: 'gone' };

/** Requests that a client may send before its startup message: each once, in any order, as in libpq. */
type Upgrade = 'tls' | 'gss';

/** Reads up to the startup message. Terminates TLS if the client requests it. GSS is not supported. */
export async function greet(ends: Ends, ways: BrokerWays): Promise<Greeted> {
  const asked = new Set<Upgrade>();
  let { client } = ends;
  let reader = loginReader(client);
  for (;;) {
    const packet = parseFirstPacket(await reader.first());
    switch (packet.kind) {
      case 'tls':
      case 'gss': {
        if (asked.has(packet.kind) || asked.has('tls')) throw malformed('it asks for encryption again');
        asked.add(packet.kind);
        client.write(packet.kind === 'tls' ? 'S' : 'N');
        if (packet.kind === 'gss') break;
        // Bytes after the request are read as TLS, so they never count as protected by it (CVE-2021-23214).
        reader.detach();
        const secured = await ways.terminateTls(client);
        if (secured.kind === 'refused') return { kind: 'gone' };
        client = secured.socket;
        ends.client = client;
        reader = loginReader(client);
        break;
      }
      case 'cancel':
        return packet;
      case 'startup':
        if (packet.minor > 0 || packet.options.length > 0) client.write(negotiateVersion(packet.options));
        return { kind: 'login', startup: packet, client, reader };
      case 'malformed':
        throw malformed(packet.reason);
      case 'unsupported':
        throw new PostgresLoginFailure({
          code: '0A000',
          message: `version ${packet.major}.${packet.minor} of the protocol is not supported`,
          remedy: 'use a client that speaks version 3.0',
        });
    }
  }
}

function malformed(reason: string): PostgresLoginFailure {
  return new PostgresLoginFailure(
    {
      code: '08P01',
      message: `the first packet is malformed: ${reason}`,
      remedy: 'use a client of PostgreSQL, without sslnegotiation=direct',
    },
    'malformed-request',
  );
}

/** A failed login. The client gets `error`. `refusal` goes to the journal unless the journal already has it. */
export class PostgresLoginFailure extends Error {
  override readonly name = 'LoginFailure';
  readonly error: ServerError;
  readonly refusal: EgressRefusal | undefined;

  constructor(error: Omit<ServerError, 'severity'>, refusal?: EgressRefusal['code']) {
    super(error.message);
    this.error = { ...error, severity: 'FATAL' };
    this.refusal =
      refusal === undefined
        ? undefined
        : { code: refusal, message: error.message, remedy: error.remedy ?? 'connect again' };
  }
}
