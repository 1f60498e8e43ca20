import type { Duplex } from 'node:stream';
import type { BrokerWays, EgressRefusal } from '../../../egress/types.ts';
import type { Ends } from '../../wire/serve-ends.ts';
import { type LoginReader, loginReader } from '../protocol/walker.ts';
import { type FirstPacket, parseFirstPacket, type Startup } from '../protocol/startup.ts';
import { negotiateVersion, type ServerError } from '../protocol/types.ts';

export type Greeted =
  | Extract<FirstPacket, { kind: 'cancel' }>
  /** `client` is the TLS side of it, where TLS was asked for. */
  | { readonly kind: 'login'; readonly startup: Startup; readonly client: Duplex; readonly reader: LoginReader }
  /** TLS was refused, which the client has been told by it. */
  | { readonly kind: 'gone' };

/** What a client may ask for before it says who it is: each once, in any order, as libpq does. */
type Upgrade = 'tls' | 'gss';

/** Reads up to the startup message. TLS is ended here when the client asks for it; there is no GSS. */
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
        // What came behind the request goes into TLS, and is never taken for something that TLS protected
        // (CVE-2021-23214).
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
          message: `version ${packet.major}.${packet.minor} of the protocol is not spoken here`,
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

/**
 * A login that cannot go on. The client is told `error`; `refusal` goes to the journal, where it does not stand in it
 * already.
 */
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
