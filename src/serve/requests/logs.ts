import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import type { OutputChunk } from '../../sandbox/index.ts';
import { connectionOf } from './attach.ts';
import { requestKind } from './request-kind.ts';
import { passOn } from './streams.ts';

/** What a command printed, as far as it is kept; with `follow` also what it prints, until it ends or the client leaves. */
export const logs = requestKind({
  schema: v.strictObject({ kind: v.literal('logs'), target: v.string(), follow: v.picklist(['no', 'yes']) }),
  answer: async ({ target, follow }, call, { commands }) => {
    const command = commands.find(target);
    const connection = connectionOf(command);
    const leaving = new AbortController();
    call.listen((word) => (word.kind === 'leave' ? leaving.abort() : undefined));
    await passOn(follow === 'yes' ? connection : kept(connection), call, AbortSignal.any([call.lost, leaving.signal]));
    return { id: command.id };
  },
});

/** What is there at this moment. It is taken before any of it is sent: a command that prints on has no end. */
async function* kept(output: AsyncIterable<OutputChunk>): AsyncGenerator<OutputChunk, void> {
  const chunks = output[Symbol.asyncIterator]();
  const taken: OutputChunk[] = [];
  for (;;) {
    // Whatever is kept comes in this turn of the event loop.
    const next = await Promise.race([chunks.next(), setImmediate('none' as const)]);
    if (next === 'none' || next.done === true) break;
    taken.push(next.value);
  }
  void chunks.return?.(undefined);
  yield* taken;
}
