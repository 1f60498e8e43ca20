import { createStreamScreen } from '../../wire/index.ts';
import type { Checking } from './check-proof.ts';
import { LoginFailure } from './failure.ts';
import type { LoginCommand } from './login-command.ts';

/**
 * Whether the names of a login, which go to the server as they are, hold what stands for a secret, or a secret. Attack: as the
 * name of the client, which others read in `CLIENT LIST`. What is wrong stands in the journal, with its alarm.
 */
export function checkNames({ proof, hello }: Extract<LoginCommand, { readonly kind: 'login' }>, checking: Checking): LoginFailure | undefined {
  const names = [Buffer.from(proof?.user ?? ''), hello?.clientName ?? Buffer.alloc(0)];
  // Behind the last of its octets nothing is left undecided.
  const end = Buffer.from([0]);
  const screened = createStreamScreen({ ...checking, place: 'a name in a login of Redis' }).outgoing(Buffer.concat(names.flatMap((name) => [name, end])));
  return screened.kind === 'refused' ? new LoginFailure({ code: 'ERR', message: screened.refusal.message, remedy: screened.refusal.remedy }) : undefined;
}
