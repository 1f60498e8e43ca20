import * as v from 'valibot';
import { HoldfastError } from '../../errors/index.ts';
import type { StreamPiece } from '../wire/channel.ts';
import { readHookQuestion, standsWhereWeDo } from './hook-question.ts';
import { requestHandler } from './request-kind.ts';

/**
 * Bytes of the input, and of the output on one stream. They fit into the window, so even the smallest client needs no
 * flow control.
 */
const mostBytes = 192 * 1024;

/**
 * Decides a coding agent's hook call, as the hook's own process would: reads the policy files for each call. The input
 * is a `HookQuestion`; the reply's texts are the streams. Throws `HF_SERVE_ABSENT` for a client of another
 * installation, home directory or mount namespace, and `HF_SERVE_LIMIT`. The client then decides by itself.
 */
export const decideHandler = requestHandler({
  schema: v.strictObject({ kind: v.literal('decide'), agent: v.picklist(['claude', 'codex', 'gemini', 'opencode']) }),
  answer: async ({ agent }, call, { hooks }) => {
    const question = readHookQuestion(await whole(call.input()));
    if (!standsWhereWeDo(question))
      throw new HoldfastError(
        'HF_SERVE_ABSENT',
        'the server belongs to another installation, home directory or mount namespace',
        { remedy: 'decide without it, or start it again: `holdfast stop --server`, `holdfast serve --detach`' },
      );
    const { stdout, stderr, status } = await hooks.answer(agent, question);
    for (const reply of [stdout, stderr]) if (Buffer.byteLength(reply) > mostBytes) throw tooLong('the answer');
    await call.write('stdout', Buffer.from(stdout));
    await call.write('stderr', Buffer.from(stderr));
    return { status };
  },
});

async function whole(input: AsyncIterable<StreamPiece>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const { data } of input) {
    length += data.length;
    if (length > mostBytes) throw tooLong('the question');
    pieces.push(data);
  }
  return Buffer.concat(pieces);
}

function tooLong(what: string): HoldfastError {
  return new HoldfastError('HF_SERVE_LIMIT', `${what} has more than ${mostBytes} bytes`, {
    remedy: 'decide without the server',
  });
}
