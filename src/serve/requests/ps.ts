import process from 'node:process';
import * as v from 'valibot';
import { requestKind } from './request-kind.ts';

/** All that the server has. */
export const ps = requestKind({
  schema: v.strictObject({ kind: v.literal('ps') }),
  answer: async (_request, _call, { sessions, commands, startedAt }) => ({ server: { process: process.pid, startedAt }, sessions: await sessions.list(), commands: commands.list() }),
});
