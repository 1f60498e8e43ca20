import * as v from 'valibot';
import { HoldfastError } from '../../errors/index.ts';
import type { CommandConnection } from '../../sandbox/index.ts';
import type { ServedCommand } from '../server/served-command.ts';
import { terminalSize } from '../wire/messages.ts';
import { requestKind } from './request-kind.ts';
import { feed, passOn, seenEnd, type Seen } from './streams.ts';

/**
 * Looks on at a command: the last of what it printed, then what comes. What the client types reaches it; the end of that does not. When
 * the client leaves or is lost, the command goes on.
 */
export const attach = requestKind({
  schema: v.strictObject({ kind: v.literal('attach'), target: v.string(), terminal: v.optional(terminalSize) }),
  answer: async ({ target, terminal }, call, { commands }): Promise<Seen> => {
    const command = commands.find(target);
    const connection = connectionOf(command);
    const leaving = new AbortController();
    const stopLooking = command.look();
    call.note({ kind: 'named', id: command.id, streams: command.listed().streams });
    call.listen((word) => {
      if (word.kind === 'leave') leaving.abort();
      else if (word.kind === 'signal') connection.kill(word.signal);
      else if (command.size !== undefined) connection.resize(word.size);
    });
    if (terminal !== undefined && command.size !== undefined && !command.isOver) connection.resize(terminal);
    void feed(call, connection.stdin);
    const seen = await passOn(connection, call, AbortSignal.any([call.lost, leaving.signal]));
    stopLooking();
    return seen === 'left' ? { kind: 'left', id: command.id } : seenEnd(await connection.ended);
  },
});

/** Throws `HF_COMMAND_UNKNOWN` for one that has not started. */
export function connectionOf(command: ServedCommand): CommandConnection {
  if (command.connection !== undefined) return command.connection;
  throw new HoldfastError('HF_COMMAND_UNKNOWN', `${command.id} has not started yet: others are before it`, { remedy: 'wait until `holdfast ps` says that it runs' });
}
