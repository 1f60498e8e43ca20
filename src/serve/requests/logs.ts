import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { HoldfastError } from '../../errors/index.ts';
import type { CommandConnection } from '../../session/commands/command-handle.ts';
import type { OutputChunk } from '../../session/commands/output-tape.ts';
import type { ServedCommand } from '../server/served-command.ts';
import { terminalSize } from '../wire/messages.ts';
import { feedInput, passOutput, type WatchedCommand, seenEnd } from './exec.ts';
import { requestHandler } from './request-kind.ts';

/** Returns a command's kept output. With `follow`, also its further output, until it ends or the client leaves. */
export const logs = requestHandler({
  schema: v.strictObject({ kind: v.literal('logs'), target: v.string(), follow: v.picklist(['no', 'yes']) }),
  answer: async ({ target, follow }, call, { commands }) => {
    const command = commands.find(target);
    const connection = connectionOf(command);
    const leaving = new AbortController();
    call.listen((word) => (word.kind === 'leave' ? leaving.abort() : undefined));
    await passOutput(
      follow === 'yes' ? connection : kept(connection),
      call,
      AbortSignal.any([call.lost, leaving.signal]),
    );
    return { id: command.id };
  },
});

/**
 * Yields the output kept at this moment. It is taken before it is sent, because a command that prints on has no end.
 */
async function* kept(output: AsyncIterable<OutputChunk>): AsyncGenerator<OutputChunk, void> {
  const chunks = output[Symbol.asyncIterator]();
  const taken: OutputChunk[] = [];
  for (;;) {
    // All kept output comes in this turn of the event loop.
    const next = await Promise.race([chunks.next(), setImmediate('none' as const)]);
    if (next === 'none' || next.done === true) break;
    taken.push(next.value);
  }
  void chunks.return?.(undefined);
  yield* taken;
}

/**
 * Attaches to a command: the last of its output, then new output. The client's input reaches it, except its end. If the
 * client leaves or is lost, the command goes on.
 */
export const attach = requestHandler({
  schema: v.strictObject({ kind: v.literal('attach'), target: v.string(), terminal: v.optional(terminalSize) }),
  answer: async ({ target, terminal }, call, { commands }): Promise<WatchedCommand> => {
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
    void feedInput(call, connection.stdin);
    const seen = await passOutput(connection, call, AbortSignal.any([call.lost, leaving.signal]));
    stopLooking();
    return seen === 'left' ? { kind: 'left', id: command.id } : seenEnd(await connection.ended);
  },
});

/** Throws `HF_COMMAND_UNKNOWN` for a command that has not started. */
function connectionOf(command: ServedCommand): CommandConnection {
  if (command.connection !== undefined) return command.connection;
  throw new HoldfastError('HF_COMMAND_UNKNOWN', `${command.id} has not started yet: it waits for other commands`, {
    remedy: 'wait until `holdfast ps` lists it as running',
  });
}
