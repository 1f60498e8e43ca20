import { constants } from 'node:os';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { CommandEnd, StartedCommand, TerminalSize } from './command-handle.ts';
import type { TurnstilePass, Turnstile } from './turnstile.ts';

/** Milliseconds that a served command gets to end, before the next one may start beside it. */
const patience = 100;

/** Signals whose default action does not end a program. */
const harmless: readonly NodeJS.Signals[] = [
  'SIGCHLD',
  'SIGCONT',
  'SIGSTOP',
  'SIGTSTP',
  'SIGTTIN',
  'SIGTTOU',
  'SIGURG',
  'SIGWINCH',
];

export interface CommandTurn {
  readonly turns: Turnstile;
  /** Preparation that the command needs in addition to its turn. */
  readonly ready: () => Promise<void>;
  readonly begin: () => StartedCommand;
  /** Ends the command, whether it waits or runs. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns a handle of a command that starts when its turn has come. A command that is ended before its turn never
 * starts, and ends like a command that had just started.
 */
export function startInTurn({ turns, ready, begin, signal }: CommandTurn): StartedCommand {
  const cancelled = new AbortController();
  let end: CommandEnd | undefined;
  const cancel = (as: CommandEnd): void => {
    end ??= as;
    cancelled.abort();
  };
  const abort = (): void => cancel(endedBy('SIGKILL', 'aborted'));
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  let state: 'waiting' | 'begun' = 'waiting';
  const starting = turns
    .enter(cancelled.signal)
    .then(async (pass) => {
      await ready();
      if (end !== undefined) pass.ended();
      cancelled.signal.throwIfAborted();
      state = 'begun';
      return passing(pass, begin);
    })
    .finally(() => signal?.removeEventListener('abort', abort));
  const later = laterHandle(starting);
  const kill: StartedCommand['kill'] = (which = 'SIGTERM') => {
    if (state === 'waiting' && !harmless.includes(which)) cancel(endedBy(which, 'exited'));
    else later.kill(which);
  };
  return { ...later, kill, ended: later.ended.catch((error: unknown) => endOr(end, error)) };
}

/** Starts a command now. Throws all errors of `begin`. */
export function passing(pass: TurnstilePass, begin: () => StartedCommand): StartedCommand {
  try {
    const command = begin();
    let settled: NodeJS.Timeout | undefined;
    const serve = (): void => void (settled = setTimeout(() => pass.started(), patience).unref());
    const leave = (): void => {
      clearTimeout(settled);
      pass.ended();
    };
    // Many commands that load their policies at once would take processor time from the supervisors that answer
    // launchers.
    if (command.served === undefined) serve();
    else void command.served.then(serve);
    command.ended.then(leave, leave);
    return command;
  } catch (error) {
    pass.ended();
    throw error;
  }
}

function endedBy(signal: NodeJS.Signals, ending: CommandEnd['ending']): CommandEnd {
  const number = constants.signals[signal];
  return { exitCode: 128 + number, signal: number, ending, refusals: [], quarantined: [] };
}

function endOr(end: CommandEnd | undefined, error: unknown): CommandEnd {
  if (end === undefined) throw error;
  return end;
}

/** Returns a handle of a command that starts later. Input and signals wait until it has started. */
export function laterHandle(starting: Promise<StartedCommand>): StartedCommand {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const signals: NodeJS.Signals[] = [];
  let size: TerminalSize | undefined;
  let handle: StartedCommand | undefined;
  const connected = starting.then(
    (started) => {
      handle = started;
      connect(started, { stdin, stdout, stderr });
      if (size !== undefined) started.resize(size);
      for (const signal of signals) started.kill(signal);
    },
    () => {
      for (const stream of [stdout, stderr]) stream.end();
      stdin.resume();
    },
  );
  return {
    stdin,
    stdout,
    stderr,
    ended: connected.then(() => starting).then(({ ended }) => ended),
    pid: () => handle?.pid(),
    resize: (wanted) => {
      if (handle === undefined) size = wanted;
      else handle.resize(wanted);
    },
    kill: (signal = 'SIGTERM') => {
      if (handle === undefined) signals.push(signal);
      else handle.kill(signal);
    },
  };
}

interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

function connect(handle: StartedCommand, { stdin, stdout, stderr }: Streams): void {
  // A command may end without reading its input.
  handle.stdin.on('error', () => stdin.resume());
  stdin.pipe(handle.stdin);
  handle.stdout.pipe(stdout);
  handle.stderr.pipe(stderr);
}
