import type { Broker } from '../../egress/index.ts';
import type { CredentialContext } from '../types.ts';
import { createCancelKeys } from './login/cancel-keys.ts';
import { serveClient } from './serve-client.ts';
import type { PostgresCredential } from './types.ts';

/**
 * Stands between the clients of a box and a PostgreSQL server: they log in with the phantom, we with the secret, and
 * every statement goes to the journal. In `read-only` mode nothing is written, whatever the role may do. One for each
 * credential and session: cancel requests come on connections of their own, and are known by keys that it has given
 * out.
 */
export function createPostgresBroker(credential: PostgresCredential, context: CredentialContext): Broker {
  const keys = createCancelKeys();
  return { name: 'postgres', serve: (client, ways) => serveClient(client, { credential, context, keys, ways }) };
}
