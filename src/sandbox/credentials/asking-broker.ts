import { refusedUse, type CredentialContext } from '../../credentials/index.ts';
import type { Broker } from '../../egress/index.ts';
import type { Credential } from '../../policy/index.ts';

/** Asks before each client of a credential that waits for a person. Nothing has been dialled, and no secret read, before. */
export function askingBroker(credential: Credential, broker: Broker, context: Pick<CredentialContext, 'approve'>): Broker {
  if (credential.decision !== 'ask') return broker;
  return {
    name: broker.name,
    async serve(client, ways) {
      const gone = ways.untilGone();
      const refusal = await refusedUse(credential, { kind: 'connect', ...ways.destination, protocol: 'tcp' }, { ...context, signal: gone.signal });
      gone.end();
      if (refusal === undefined) return broker.serve(client, ways);
      ways.refused(refusal);
      client.destroy();
    },
  };
}
