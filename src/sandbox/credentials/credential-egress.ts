import { createDetector, createPostgresBroker, createRedisBroker, createTokenStore, type CredentialContext, credentialInterceptor } from '../../credentials/index.ts';
import type { Broker, Destination, EgressOptions, Fetcher, StreamWatch } from '../../egress/index.ts';
import { brokerFor, type Credential, type Policy } from '../../policy/index.ts';
import { askingBroker } from './asking-broker.ts';
import { explainDenied } from './explain-denied.ts';
import { refusingBroker } from './refusing-broker.ts';
import { routesOf } from './routes.ts';
import type { SessionCredentials } from './session-credentials.ts';
import { tokenClient } from './token-client.ts';

export interface CredentialEgressOptions {
  /** The policy as it is now; undefined while it is invalid. */
  policy(): Policy | undefined;
  /** Fetches as boxes would. */
  fetcher(): Fetcher;
  /** Default: what has to be approved is denied. */
  readonly approve?: CredentialContext['approve'];
}

/** What the way out of a session's boxes has to do for its credentials. In a bundle of its own. */
export type CredentialEgress = Required<Pick<EgressOptions, 'interceptors' | 'watch' | 'broker' | 'routes'>>;

export function credentialEgress(session: SessionCredentials, { policy, fetcher, approve }: CredentialEgressOptions): CredentialEgress {
  const tokens = createTokenStore({ ...session.parts, client: tokenClient(fetcher), onEvent: ({ kind, credential, message }) => session.journal.note(credential, kind, message) });
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
      // Attack: spliced, the database would be reached past the broker, and with what the box has as a password.
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

/** Looks for phantoms and secrets in a connection that holds no HTTP. */
function streamWatch(context: CredentialContext, destination: Destination): StreamWatch {
  const detecting = createDetector({ registry: context.registry, known: () => context.secrets.known() }).open();
  const give = (found: ReturnType<typeof detecting.end>): Buffer | 'stop' => {
    if (found.kind === 'clear') return found.bytes;
    const { hit } = found;
    const credential = hit.kind === 'phantom' ? hit.owner.credential : hit.credential;
    context.alarm({ kind: hit.kind === 'phantom' ? 'phantom-unbound' : 'secret-outbound', credential, destination, place: 'the connection' });
    return 'stop';
  };
  return { push: (bytes) => give(detecting.push(bytes)), end: () => give(detecting.end()) };
}
