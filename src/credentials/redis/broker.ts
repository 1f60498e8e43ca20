import type { Broker } from '../../egress/index.ts';
import type { CredentialContext } from '../types.ts';
import { createTurnEnd } from '../wire/index.ts';
import { createCommandFinder } from './commands/command-finder.ts';
import { permissionsOf } from './commands/permissions.ts';
import { createStatementBudget } from './relay/statement-budget.ts';
import { type RedisCredential, serveClient } from './serve-client.ts';

/**
 * Stands between the clients of a box and a Redis server: they log in with the phantom, we with the secret. Commands pass by an
 * allow-list, and go to the journal by name and key. In `read-only` mode nothing is written, whatever the user may do.
 */
export function createRedisBroker(credential: RedisCredential, context: CredentialContext): Broker {
  const { mode, commands } = credential.injection;
  const { known, unknown } = permissionsOf({ credential: credential.name, mode, ...(commands !== undefined && { commands }) });
  const finder = createCommandFinder(known);
  const budget = createStatementBudget();
  const turn = createTurnEnd();
  return { name: 'redis', serve: (client, ways) => serveClient(client, { credential, context, finder, unknown, budget, turn, ways }) };
}
