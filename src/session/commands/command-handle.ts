import type { Readable, Writable } from 'node:stream';
import type { Quarantined } from '../../aftermath/quarantine/quarantine.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { Refusal } from '../../place/refusals/refusal.ts';
import type { TextFinding } from '../../text/index.ts';
import type { OutputChunk } from './output-tape.ts';

/**
 * `exited`: the command ended by itself or by a signal. `timed-out`: a limit, `timeoutMs` or the policy's, ended it.
 * `aborted`: its `AbortSignal` was aborted.
 */
export type CommandEnding = 'exited' | 'timed-out' | 'aborted';

export interface CommandEnd {
  /** 0 to 255; 128+n if signal n ended the command. */
  readonly exitCode: number;
  /** Number of the signal that ended the command, or 0. */
  readonly signal: number;
  readonly ending: CommandEnding;
  /** Refusals by the policy, as far as the output shows them. */
  readonly refusals: readonly Refusal[];
  /** Protected files that the command made. They were moved away. */
  readonly quarantined: readonly Quarantined[];
}

export interface CommandResult extends CommandEnd {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Bytes beyond `maxOutputBytes`, which were read and dropped. 0 if the output is complete. */
  readonly truncated: { readonly stdout: number; readonly stderr: number };
  /** Characters that were made visible or removed, if `show` was given. */
  readonly findings: readonly TextFinding[];
}

/** Size in character cells, 1 to 65535. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * A started command, for anyone who knows its ID. Looping over it yields the kept output, then new output until the
 * streams close. Leaving the loop does not end the command.
 *
 * @example for await (const { stream, data } of sandbox.commands.connect(id)) process[stream].write(data);
 */
export interface CommandConnection extends AsyncIterable<OutputChunk> {
  /** Unique in the sandbox. */
  readonly id: string;
  readonly argv: readonly string[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** PID of the first process of the box, in the host's numbering. Undefined while it is not known. */
  readonly pid: number | undefined;
  readonly stdin: Writable;
  /**
   * Resolves when the box and everything in it has ended. Rejects with a `HoldfastError` if the box could not be built.
   */
  readonly ended: Promise<CommandEnd>;
  /** Sends a signal to the command; SIGKILL ends the whole box. Default: SIGTERM. */
  kill(signal?: NodeJS.Signals): void;
  /** Resizes the terminal; the foreground program gets SIGWINCH. Throws `HF_USAGE` for a command without a terminal. */
  resize(size: TerminalSize): void;
}

/**
 * A running command. Its streams are the process's own pipes. With a terminal, `stdout` is the terminal's output and
 * `stderr` is empty.
 */
export interface CommandHandle extends CommandConnection {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** A running command, or one that ended recently and was started with `output: 'kept'`. */
export interface CommandInfo {
  readonly id: string;
  readonly argv: readonly string[];
  /** Absolute path inside the box. */
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly pid: number | undefined;
  readonly state: 'running' | 'ended';
  /** Set once the command has ended. Undefined if its box could not be built. */
  readonly exitCode?: number;
}

/** A command before it has an ID. */
export interface StartedCommand {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<CommandEnd>;
  /**
   * Resolves when the supervisor that answers the box has loaded its policy. Undefined for a box without a supervisor.
   */
  readonly served?: Promise<void> | undefined;
  readonly pid: () => number | undefined;
  kill(signal?: NodeJS.Signals): void;
  resize(size: TerminalSize): void;
}

interface EarlyEnd {
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly timeoutMs?: number;
}

/** The longest wait of a Node timer. A longer one fires at once. */
const longest = 2 ** 31 - 1;

/**
 * Ends a box when its time is up or its signal is aborted. Call the returned function once the box has ended: it
 * removes timer and listener, and returns which of them fired, if any.
 */
export function endsEarly(end: () => void, { signal, timeoutMs }: EarlyEnd): () => CommandEnding | undefined {
  let ending: CommandEnding | undefined;
  const endAs = (why: CommandEnding): void => {
    ending ??= why;
    end();
  };
  const abort = (): void => endAs('aborted');
  const timer = timeoutMs === undefined ? undefined : setTimeout(endAs, timeoutMs, 'timed-out').unref();
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    return ending;
  };
}

/** Throws `HF_USAGE` for an invalid time. */
export function checkTime({ timeoutMs = 0 }: EarlyEnd): void {
  if (timeoutMs >= 0 && timeoutMs <= longest) return;
  throw new HoldfastError('HF_USAGE', `timeoutMs cannot be ${timeoutMs}`, {
    remedy: `use milliseconds, 0 to ${longest}`,
  });
}
