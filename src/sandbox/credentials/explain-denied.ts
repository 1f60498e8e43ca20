import type { Broker, BrokerEvent, Destination, EgressRefusal } from '../../egress/index.ts';
import type { Credential, Injection } from '../../policy/index.ts';
import { printable } from '../../policy/words/printable.ts';

type Database = Extract<Injection, { readonly kind: 'postgres' | 'redis' }>;
export type DatabaseCredential = Omit<Credential, 'injection'> & { readonly injection: Database };

/** The same broker, whose denials of statements say which table of which policy they are by: `holdfast why` tells of them. */
export function explainDenied(broker: Broker, credential: DatabaseCredential): Broker {
  const explained = (event: BrokerEvent, destination: Destination): BrokerEvent =>
    event.kind === 'statement' && event.decision === 'deny' ? { ...event, refusal: refusalOf(event.text, destination, credential) } : event;
  return { ...broker, serve: (client, ways) => broker.serve(client, { ...ways, record: (event) => ways.record(explained(event, ways.destination)) }) };
}

/** Of a statement, as many characters as a line has room for. */
const shown = 120;

function refusalOf(text: string, { host, port }: Destination, { name, origin, injection }: DatabaseCredential): EgressRefusal {
  const statement = printable(text.length > shown ? `${text.slice(0, shown)}…` : text);
  const message = `the credential "${name}", which is ${injection.mode}, does not let this through to ${host}:${port}: ${statement}`;
  const remedy = remedyOf(injection);
  return { code: 'policy', message, remedy, verdict: { decision: 'deny', code: 'rule', ...origin, message, remedy } };
}

function remedyOf({ kind, mode }: Database): string {
  const toWrite = 'mode = "read-write" in the table of the credential lets it write';
  if (kind === 'postgres') return toWrite;
  return mode === 'read-only' ? `${toWrite}, and commands = […] names what else it may do` : 'commands = […] in the table of the credential names what it may do';
}
