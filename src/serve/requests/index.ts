import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { HoldfastError } from '../../errors/index.ts';
import type { ServedCommand } from '../server/served-command.ts';
import { environmentSchema, sessionName, sessionOptionsSchema } from '../server/served-sessions.ts';
import type { StreamPiece } from '../wire/channel.ts';
import { signalSchema } from '../wire/messages.ts';
import { exec, attach, logs } from './exec.ts';
import { readHookQuestion, standsWhereWeDo } from './hook-question.ts';
import { requestHandler } from './request-kind.ts';

/**
 * Bytes of the input, and of the output on one stream. They fit into the window, so even the smallest client needs no
 * flow control.
 */
const mostOfAction = 192 * 1024;

/**
 * Decides a coding agent's hook call, as the hook's own process would: reads the policy files for each call. The input
 * is a `HookQuestion`; the reply's texts are the streams. Throws `HF_SERVE_ABSENT` for a client of another
 * installation, home directory or mount namespace, and `HF_SERVE_LIMIT`. The client then decides by itself.
 */
const decideHandler = requestHandler({
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
    for (const reply of [stdout, stderr]) if (Buffer.byteLength(reply) > mostOfAction) throw tooLong('the answer');
    await call.write('stdout', Buffer.from(stdout));
    await call.write('stderr', Buffer.from(stderr));
    return { status };
  },
});

/**
 * Opens a session by name: an existing one with the same options, or a new one. Without `options`, or with `match:
 * 'name'`, any existing session with that name.
 */
const open = requestHandler({
  schema: v.strictObject({
    kind: v.literal('open'),
    name: sessionName,
    options: v.optional(sessionOptionsSchema),
    environment: v.optional(environmentSchema),
    match: v.optional(v.picklist(['name', 'options'])),
  }),
  answer: async ({ name, options, environment, match = 'options' }, _call, { sessions }) => {
    const isGood = match === 'name' && sessions.has(name);
    const { sandbox, openedAt } = await sessions.open({ name, environment, options: isGood ? undefined : options });
    return { name, id: sandbox.id, workspace: sandbox.workspace, openedAt };
  },
});

/** Bytes of the commands and the runs in one answer. Together with the sessions, they fit into a message. */
const mostBytes = { commands: 512 * 1024, runs: 256 * 1024 } as const;

/** Characters of one entry's arguments. */
const mostOfWords = 512;

/**
 * Lists everything that the server holds, and its memory in bytes. Long arguments are cut. `leftOut` counts the newest
 * commands, which do not fit into the answer.
 */
export const ps = requestHandler({
  schema: v.strictObject({ kind: v.literal('ps') }),
  answer: async (_request, _call, { sessions, commands, runs, startedAt }) => {
    const all = commands.list();
    const listed = within(
      mostBytes.commands,
      all.map((command) => ({ ...command, argv: shortened(command.argv) })),
    );
    return {
      server: { process: process.pid, startedAt, memoryBytes: process.memoryUsage.rss() },
      sessions: await sessions.list(),
      runs: within(
        mostBytes.runs,
        runs().map((run) => ({ ...run, words: shortened(run.words) })),
      ),
      commands: listed,
      leftOut: all.length - listed.length,
    };
  },
});

/** Milliseconds. */
const longestGrace = 3_600_000;

const defaultGrace = 10_000;

/**
 * Ends a command, a session with all of its commands, or the server with all of its sessions. A command gets `signal`,
 * SIGTERM by default, and SIGKILL if it has not ended `graceMs` later. With a signal and no grace, it gets that signal
 * alone. A signal alone leaves the session open.
 */
const stop = requestHandler({
  schema: v.strictObject({
    kind: v.literal('stop'),
    what: v.variant('kind', [
      v.strictObject({ kind: v.literal('server') }),
      v.strictObject({ kind: v.literal('named'), name: v.string() }),
    ]),
    signal: v.optional(signalSchema),
    graceMs: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(longestGrace))),
  }),
  answer: async ({ what, signal, graceMs }, _call, { sessions, commands, end }) => {
    if (what.kind === 'server') {
      end();
      return { stopped: 'server' as const };
    }
    if (sessions.has(what.name)) {
      const running = commands.of(what.name);
      if (signal !== undefined || graceMs !== undefined)
        await Promise.all(running.map((command) => stopCommand(command, signal ?? 'SIGTERM', graceMs)));
      if (signal !== undefined && graceMs === undefined) return { stopped: 'nothing' as const };
      await sessions.close(what.name);
      commands.forgetThoseOf(what.name);
      return { stopped: 'session' as const };
    }
    await stopCommand(
      commands.find(what.name),
      signal ?? 'SIGTERM',
      graceMs ?? (signal === undefined ? defaultGrace : undefined),
    );
    return { stopped: 'command' as const };
  },
});

/** All kinds of requests by name. A new kind is a file beside these and a row here. */
export const requestKinds = { open, exec, attach, logs, stop, ps, decide: decideHandler } as const;

type Kinds = typeof requestKinds;
export type RequestName = keyof Kinds;

/** A request of a client. */
export type ServeRequest = {
  readonly [K in RequestName]: { readonly kind: K } & v.InferInput<Kinds[K]['schema']>;
}[RequestName];

/** Answers by request. */
export type Results = { readonly [K in RequestName]: Awaited<ReturnType<Kinds[K]['answer']>> };

/** Returns as many of the first items as fit. */
function within<Item>(room: number, items: readonly Item[]): readonly Item[] {
  let left = room;
  const end = items.findIndex((item) => (left -= Buffer.byteLength(JSON.stringify(item))) < 0);
  return end === -1 ? items : items.slice(0, end);
}

function shortened(argv: readonly string[]): readonly string[] {
  let room = mostOfWords;
  const words: string[] = [];
  for (const word of argv) {
    if (word.length > room) return [...words, `${word.slice(0, room)}…`];
    words.push(word);
    room -= word.length + 1;
  }
  return words;
}

async function stopCommand(command: ServedCommand, signal: NodeJS.Signals, graceMs: number | undefined): Promise<void> {
  const reason = new HoldfastError('HF_COMMAND_CANCELLED', 'the command was stopped before it started', {
    remedy: 'run it again',
  });
  const ended = command.connection?.ended.then(
    () => undefined,
    () => undefined,
  );
  command.kill(signal, reason);
  if (ended === undefined || graceMs === undefined) return;
  const patience = new AbortController();
  await Promise.race([ended, setTimeout(graceMs, undefined, { signal: patience.signal }).catch(() => undefined)]);
  patience.abort();
  command.kill('SIGKILL', reason);
  await ended;
}

async function whole(input: AsyncIterable<StreamPiece>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const { data } of input) {
    length += data.length;
    if (length > mostOfAction) throw tooLong('the question');
    pieces.push(data);
  }
  return Buffer.concat(pieces);
}

function tooLong(what: string): HoldfastError {
  return new HoldfastError('HF_SERVE_LIMIT', `${what} has more than ${mostOfAction} bytes`, {
    remedy: 'decide without the server',
  });
}
