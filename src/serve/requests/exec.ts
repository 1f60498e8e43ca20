import { isAbsolute, relative } from 'node:path';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { HoldfastError } from '../../errors/index.ts';
import { refusalLine } from '../../place/refusals/describe.ts';
import type { CommandEnd, CommandConnection } from '../../session/commands/command-handle.ts';
import type { StartOptions } from '../../session/commands/command-options.ts';
import type { OutputChunk } from '../../session/commands/output-tape.ts';
import type { Call } from '../server/open-call.ts';
import type { ServedCommand } from '../server/served-command.ts';
import type { ServedSession } from '../server/served-sessions.ts';
import { type ClientWord, terminalSize } from '../wire/messages.ts';
import { requestHandler, type ServerState } from './request-kind.ts';

const schema = v.strictObject({
  kind: v.literal('exec'),
  session: v.string(),
  argv: v.pipe(v.array(v.string()), v.minLength(1)),
  /** Working directory of the client. Used only if it is in the workspace. */
  cwd: v.optional(v.string()),
  terminal: v.optional(terminalSize),
  /** Type of the terminal that shows the command: the value of `TERM`. */
  shownAt: v.optional(v.pipe(v.string(), v.regex(/^[\w.+-]{1,64}$/u))),
  /** `foreground`: the command ends with its client. `detached`: it continues, and its output is kept. */
  mode: v.picklist(['foreground', 'detached']),
});

/** Runs a command in a session. The client gets a note with its ID at once. */
export const exec = requestHandler({
  schema,
  answer: async (request, call, server): Promise<WatchedCommand> => {
    const session = await server.sessions.get(request.session);
    const command = server.commands.add({ session, argv: request.argv, options: startOptions(request, session) });
    call.note({ kind: 'named', id: command.id });
    return request.mode === 'detached' ? startDetached(command, server) : await runInForeground(command, call, server);
  },
});

function startOptions(
  { cwd, terminal, shownAt, mode }: v.InferOutput<typeof schema>,
  { sandbox }: ServedSession,
): StartOptions {
  return {
    output: mode === 'detached' ? 'kept' : 'read',
    ...(cwd !== undefined && isWithin(sandbox.workspace, cwd) ? { cwd } : {}),
    ...(terminal === undefined
      ? {}
      : { terminal, ...(shownAt === undefined ? {} : { environment: { TERM: shownAt } }) }),
  };
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return isAbsolute(path) && way !== '..' && !way.startsWith('../');
}

async function startDetached(command: ServedCommand, { commands }: ServerState): Promise<WatchedCommand> {
  const handle = await started(command, commands);
  handle.stdin.on('error', () => undefined);
  if (command.size === undefined) handle.stdin.end();
  retireAtEnd(command, commands);
  return { kind: 'left', id: command.id };
}

async function runInForeground(command: ServedCommand, call: Call, { commands }: ServerState): Promise<WatchedCommand> {
  const left = new AbortController();
  const stopLooking = command.look();
  const lose = (): void => {
    command.kill('SIGKILL', cancelled('its client is gone'));
    left.abort();
  };
  call.lost.addEventListener('abort', lose, { once: true });
  call.listen((word) => obey(command, word, left));
  try {
    const handle = await started(command, commands);
    if (call.lost.aborted) lose();
    const fed = feedInput(call, handle.stdin);
    // A terminal reads the end of the input as Ctrl-D, even if the client has only left.
    fed.then(
      () => (left.signal.aborted && command.size !== undefined ? undefined : handle.stdin.end()),
      () => handle.stdin.end(),
    );
    handle.ended.catch(() => left.abort());
    await passOutput(handle, call, left.signal);
    if (!left.signal.aborted || call.lost.aborted || command.isOver) return seenEnd(await handle.ended);
    return { kind: 'left', id: command.id };
  } finally {
    call.lost.removeEventListener('abort', lose);
    stopLooking();
    if (command.isOver || call.lost.aborted) commands.forget(command);
    else retireAtEnd(command, commands);
  }
}

/** A command that could not start is reported to its client, and not kept. */
async function started(
  command: ServedCommand,
  commands: ServerState['commands'],
): ReturnType<ServerState['commands']['start']> {
  try {
    return await commands.start(command);
  } catch (error) {
    commands.forget(command);
    throw error;
  }
}

function retireAtEnd(command: ServedCommand, commands: ServerState['commands']): void {
  const retire = (): void => commands.retire(command);
  command.connection?.ended.then(retire, retire);
}

/** Signals whose default action ends a program, and which end a waiting command. */
const endings: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGKILL'];

function obey(command: ServedCommand, word: ClientWord, left: AbortController): void {
  if (word.kind === 'leave') return left.abort();
  if (word.kind === 'resize') return command.size === undefined ? undefined : command.connection?.resize(word.size);
  if (command.connection !== undefined || endings.includes(word.signal))
    command.kill(word.signal, cancelled(`it was sent ${word.signal}`));
}

function cancelled(why: string): HoldfastError {
  return new HoldfastError('HF_COMMAND_CANCELLED', `the command was ended before it started: ${why}`, {
    remedy: 'run it again',
  });
}

/** Outcome of watching a command. */
export type WatchedCommand = { readonly kind: 'left'; readonly id: string } | ({ readonly kind: 'ended' } & SeenEnd);

interface SeenEnd {
  /** 0 to 255; 128+n if signal n ended the command. */
  readonly exitCode: number;
  readonly ending: CommandEnd['ending'];
  /** Refusals and quarantined files, one line each. */
  readonly notices: readonly string[];
}

/** Sends a command's output to the client, at the client's pace, until it ends or the client has left. */
async function passOutput(
  source: AsyncIterable<OutputChunk>,
  call: Call,
  left: AbortSignal,
): Promise<'ended' | 'left'> {
  const chunks = source[Symbol.asyncIterator]();
  for (;;) {
    const next = await orLeft(chunks.next(), left);
    if (next === 'left') break;
    if (next.done === true) return 'ended';
    const { stream, data, missing } = next.value;
    if (missing > 0) call.note({ kind: 'missing', bytes: missing });
    if ((await orLeft(call.write(stream, data), left)) !== 'sent') break;
  }
  // Further output is read and dropped, so that the command does not block on a client that has left.
  void chunks.return?.(undefined);
  return 'left';
}

/** Writes the client's input to a command, until the client ends it. */
async function feedInput(call: Call, stdin: Writable): Promise<void> {
  // A command may end without reading its input.
  stdin.on('error', () => undefined);
  for await (const { data } of call.input())
    if (stdin.writable) await new Promise((resolve) => stdin.write(data, resolve));
}

function seenEnd({ exitCode, ending, refusals, quarantined }: CommandEnd): WatchedCommand {
  const moved = quarantined.map(
    ({ path, movedTo, reason }) => `holdfast: moved ${path} to ${movedTo}, because ${reason}`,
  );
  const late = ending === 'timed-out' ? ['holdfast: the time limit ended the command'] : [];
  return { kind: 'ended', exitCode, ending, notices: [...refusals.map(refusalLine), ...moved, ...late] };
}

/** Removes its listener afterwards, because a stream has many pieces. */
function orLeft<T>(work: Promise<T>, left: AbortSignal): Promise<T | 'left'> {
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve('left');
    if (left.aborted) leave();
    left.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => left.removeEventListener('abort', leave));
  });
}

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

/** Yields the output kept at this moment. Takes it before sending, because a command that keeps printing has no end. */
async function* kept(output: AsyncIterable<OutputChunk>): AsyncGenerator<OutputChunk, void> {
  const chunks = output[Symbol.asyncIterator]();
  const taken: OutputChunk[] = [];
  for (;;) {
    // All kept output is available in this turn of the event loop.
    const next = await Promise.race([chunks.next(), setImmediate('none' as const)]);
    if (next === 'none' || next.done === true) break;
    taken.push(next.value);
  }
  void chunks.return?.(undefined);
  yield* taken;
}

/**
 * Attaches to a command: its last output, then new output. The client's input reaches it, except its end. If the client
 * leaves or is lost, the command continues.
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
