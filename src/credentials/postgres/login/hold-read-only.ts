import { backend, limits, type Message } from '../protocol/types.ts';
import { ProtocolViolation } from '../protocol/violation.ts';
import { queryMessage } from '../protocol/write.ts';
import { LoginFailure } from './failure.ts';
import type { LoggedIn } from './log-in.ts';

/** Messages that answer two short statements. */
const mostMessages = 64;

/**
 * Begins a read-only session: every transaction is one by default, and the role is no superuser. Superusers are refused:
 * what a list of functions has forgotten would give them the server's files and a shell.
 */
export async function holdReadOnly({ server, reader }: LoggedIn): Promise<readonly Message[]> {
  server.write(queryMessage('SET default_transaction_read_only = on; SHOW is_superuser'));
  const said: Message[] = [];
  let isSuperuser: string | undefined;
  for (let count = 0; count < mostMessages; count += 1) {
    const received = await reader.next(limits.login);
    if (received.type === backend.error) throw new ProtocolViolation('it would not make the session read-only');
    if (received.type === backend.parameterStatus) said.push(received);
    if (received.type === backend.dataRow) isSuperuser = firstValue(received.body);
    if (received.type !== backend.readyForQuery) continue;
    if (isSuperuser === 'off') return said;
    throw new LoginFailure({ code: '42501', message: 'a read-only session needs a role that is no superuser: a superuser reaches files and programs of the server by more ways than can be closed', remedy: 'give the credential a role of its own: CREATE ROLE agent LOGIN PASSWORD …; GRANT pg_read_all_data TO agent' }, 'credential-unavailable');
  }
  throw new ProtocolViolation('it does not become ready');
}

/** Of a `DataRow` with one column. */
function firstValue(row: Buffer): string | undefined {
  const hasOne = row.length >= 6 && row.readInt16BE(0) === 1 && row.readInt32BE(2) === row.length - 6;
  return hasOne ? row.toString('utf8', 6) : undefined;
}
