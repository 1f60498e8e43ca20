import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { HoldfastError } from '../../errors/index.ts';
import type { ServedCommand } from '../server/served-command.ts';
import { signalName } from '../wire/messages.ts';
import { requestKind } from './request-kind.ts';

/** Milliseconds. */
const longestGrace = 3_600_000;
const defaultGrace = 10_000;

/**
 * Ends a command, a session with all of its commands, or the server with all of its sessions. A command gets `signal`, SIGTERM by default, and when it
 * has not ended `graceMs` later SIGKILL; with a signal and no grace, that signal alone.
 */
export const stop = requestKind({
  schema: v.strictObject({
    kind: v.literal('stop'),
    what: v.variant('kind', [v.strictObject({ kind: v.literal('server') }), v.strictObject({ kind: v.literal('named'), name: v.string() })]),
    signal: v.optional(signalName),
    graceMs: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(longestGrace))),
  }),
  answer: async ({ what, signal, graceMs }, _call, { sessions, commands, end }) => {
    if (what.kind === 'server') {
      end();
      return { stopped: 'server' as const };
    }
    if (sessions.has(what.name)) {
      await sessions.close(what.name);
      commands.forgetThoseOf(what.name);
      return { stopped: 'session' as const };
    }
    await stopCommand(commands.find(what.name), signal ?? 'SIGTERM', graceMs ?? (signal === undefined ? defaultGrace : undefined));
    return { stopped: 'command' as const };
  },
});

async function stopCommand(command: ServedCommand, signal: NodeJS.Signals, graceMs: number | undefined): Promise<void> {
  const reason = new HoldfastError('HF_COMMAND_CANCELLED', 'the command was stopped before it had started', { remedy: 'ask for it again' });
  const ended = command.connection?.ended.then(() => undefined, () => undefined);
  command.kill(signal, reason);
  if (ended === undefined || graceMs === undefined) return;
  const patience = new AbortController();
  await Promise.race([ended, setTimeout(graceMs, undefined, { signal: patience.signal }).catch(() => undefined)]);
  patience.abort();
  command.kill('SIGKILL', reason);
  await ended;
}
