import type { EgressOptions, Fetcher } from '../../egress/egress.ts';
import type { Broker, BrokerEvent, Destination, EgressRefusal, StreamWatch } from '../../egress/types.ts';
import { brokerFor } from '../../policy/credentials/broker-for.ts';
import type { Injection } from '../../policy/credentials/injection.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import type { Policy } from '../../policy/policy.ts';
import { printable } from '../../policy/words/describe-request.ts';
import { credentialInterceptor, refusedUse } from '../inject/interceptor.ts';
import { createDetector } from '../masking/types.ts';
import { createPostgresBroker } from '../postgres/serve-client.ts';
import { createRedisBroker } from '../redis/broker.ts';
import type { TokenClient } from '../tokens/read-token-answer.ts';
import { createTokenStore } from '../tokens/token-store.ts';
import type { CredentialContext } from '../types.ts';
import { routesOf } from './deliver.ts';
import type { SessionCredentials } from './session-credentials.ts';

export interface CredentialEgressOptions {
  /** Returns the current policy. Undefined while it is invalid. */
  policy(): Policy | undefined;
  /** Returns a fetcher that follows the rules for boxes. */
  fetcher(): Fetcher;
  /** Asks for an approval. Default: uses that need one are denied. */
  readonly approve?: CredentialContext['approve'];
}

/** Egress hooks for the credentials of a session's boxes. They have their own bundle. */
export type CredentialEgress = Required<Pick<EgressOptions, 'interceptors' | 'watch' | 'broker' | 'routes'>>;

export function credentialEgress(
  session: SessionCredentials,
  { policy, fetcher, approve }: CredentialEgressOptions,
): CredentialEgress {
  const tokens = createTokenStore({
    ...session.parts,
    client: tokenClient(fetcher),
    onEvent: ({ kind, credential, message }) => session.journal.note(credential, kind, message),
  });
  const context = session.context(policy, tokens, approve);
  const brokers = new Map<string, Broker>();
  return {
    interceptors: [credentialInterceptor(context)],
    watch: (destination) => streamWatch(context, destination),
    routes: routesOf(session.credentials),
    broker(destination) {
      const current = policy();
      const named = current === undefined ? undefined : brokerFor(current, destination);
      const credential = named === undefined ? undefined : context.credentials.find(({ name }) => name === named.name);
      // Attack: a spliced connection would bypass the broker and send the box's own password.
      if (credential === undefined) return named === undefined ? undefined : refusingBroker(named);
      const broker = brokers.get(credential.name) ?? askingBroker(credential, brokerOf(credential, context), context);
      brokers.set(credential.name, broker);
      return broker;
    },
  };
}

function brokerOf({ injection, ...credential }: Credential, context: CredentialContext): Broker {
  switch (injection.kind) {
    case 'postgres':
      return explainDenied(createPostgresBroker({ ...credential, injection }, context), { ...credential, injection });
    case 'redis':
      return explainDenied(createRedisBroker({ ...credential, injection }, context), { ...credential, injection });
    default:
      return refusingBroker({ ...credential, injection });
  }
}

/** Searches a connection without HTTP for phantoms and secrets. */
function streamWatch(context: CredentialContext, destination: Destination): StreamWatch {
  const detecting = createDetector({ registry: context.registry, known: () => context.secrets.known() }).open();
  const give = (found: ReturnType<typeof detecting.end>): Buffer | 'stop' => {
    if (found.kind === 'clear') return found.bytes;
    const { hit } = found;
    const credential = hit.kind === 'phantom' ? hit.owner.credential : hit.credential;
    context.alarm({
      kind: hit.kind === 'phantom' ? 'phantom-unbound' : 'secret-outbound',
      credential,
      destination,
      place: 'the connection',
    });
    return 'stop';
  };
  return { push: (bytes) => give(detecting.push(bytes)), end: () => give(detecting.end()) };
}

/**
 * Asks before each connection with a credential that needs an approval. Until the answer, nothing is dialled and no
 * secret is read.
 */
function askingBroker(credential: Credential, broker: Broker, context: Pick<CredentialContext, 'approve'>): Broker {
  if (credential.decision !== 'ask') return broker;
  return {
    name: broker.name,
    async serve(client, ways) {
      const gone = ways.untilGone();
      const refusal = await refusedUse(
        credential,
        { kind: 'connect', ...ways.destination, protocol: 'tcp' },
        { ...context, signal: gone.signal },
      );
      gone.end();
      if (refusal === undefined) return broker.serve(client, ways);
      ways.refused(refusal);
      client.destroy();
    },
  };
}

/** Refuses a database whose credential the session lacks. Its secret was missing, or the policy has changed since. */
function refusingBroker({ name, injection }: Pick<Credential, 'name' | 'injection'>): Broker {
  return {
    name: injection.kind === 'redis' ? 'redis' : 'postgres',
    serve: async (client, ways) => {
      ways.refused(refusalOf(name, ways.destination));
      client.destroy();
    },
  };
}

function refusalOf(name: string, { host, port }: Destination): EgressRefusal {
  return {
    code: 'credential-unavailable',
    message: `${host}:${port} is for the credential "${name}", which this session lacks: its secret was missing at the start, or the policy has changed since`,
    remedy: 'see `holdfast credentials show` for the missing secret, and start a new session',
  };
}

/** Most bytes of an answer from a token endpoint. */
const mostBytes = 256 * 1024;

/**
 * Sends token requests of the supervisor under the rules for boxes: decided, vetted and verified. Refuses redirects,
 * because nothing vouches for their destination.
 */
export function tokenClient(fetcher: () => Fetcher): TokenClient {
  return {
    async fetch(url, { method, headers, body }) {
      if (!url.startsWith('https://'))
        return { kind: 'unavailable', message: 'its token URL is not https', remedy: 'name an https URL' };
      const result = await fetcher()(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        maxBytes: mostBytes,
        maxRedirects: 0,
        html: 'source',
        hidden: 'keep',
      });
      switch (result.kind) {
        case 'refused':
          return {
            kind: 'unavailable',
            message: `its token endpoint could not be asked: ${result.refusal.message}`,
            remedy: result.refusal.remedy,
          };
        case 'bytes':
          return {
            kind: 'unavailable',
            message: 'its token endpoint answered with something that is not text',
            remedy: 'check the token URL',
          };
        case 'text':
          return { kind: 'answer', status: result.status, body: result.text };
      }
    },
  };
}

type Database = Extract<Injection, { readonly kind: 'postgres' | 'redis' }>;
type DatabaseCredential = Omit<Credential, 'injection'> & { readonly injection: Database };

/** Wraps a broker so that `holdfast why` shows the table and policy that denied a statement. */
export function explainDenied(broker: Broker, credential: DatabaseCredential): Broker {
  const explained = (event: BrokerEvent, destination: Destination): BrokerEvent =>
    event.kind === 'statement' && event.decision === 'deny'
      ? { ...event, refusal: explainDeniedRefusalOf(event.text, destination, credential) }
      : event;
  return {
    ...broker,
    serve: (client, ways) =>
      broker.serve(client, { ...ways, record: (event) => ways.record(explained(event, ways.destination)) }),
  };
}

/** Characters of a statement that fit on one line. */
const shown = 120;

function explainDeniedRefusalOf(
  text: string,
  { host, port }: Destination,
  { name, origin, injection }: DatabaseCredential,
): EgressRefusal {
  const statement = printable(text.length > shown ? `${text.slice(0, shown)}…` : text);
  const message = `the credential "${name}", which is ${injection.mode}, does not let this through to ${host}:${port}: ${statement}`;
  const remedy = remedyOf(injection);
  return { code: 'policy', message, remedy, verdict: { decision: 'deny', code: 'rule', ...origin, message, remedy } };
}

function remedyOf({ kind, mode }: Database): string {
  const toWrite = 'mode = "read-write" in the table of the credential lets it write';
  if (kind === 'postgres') return toWrite;
  return mode === 'read-only'
    ? `${toWrite}, and commands = […] allows further commands`
    : 'commands = […] in the table of the credential lists its allowed commands';
}
