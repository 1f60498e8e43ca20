import type { Broker, Destination, EgressRefusal } from '../../egress/index.ts';
import type { Credential } from '../../policy/index.ts';

/** For a database whose credential the session does not have: its secret was missing, or the policy has changed since. */
export function refusingBroker({ name, injection }: Pick<Credential, 'name' | 'injection'>): Broker {
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
    message: `${host}:${port} is for the credential "${name}", which this session does not have: its secret was not there when the session began, or the policy has changed since`,
    remedy: 'see `holdfast credentials show` for what is missing, and start a new session',
  };
}
