import type { Readable, Writable } from 'node:stream';
import type { Quarantined } from '../../aftermath/quarantine/quarantine.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { Refusal } from '../../place/refusals/refusal.ts';
import type { TextFinding } from '../../text/index.ts';
import type { OutputChunk } from './output-tape.ts';

/**
 * How a command came to its end: by itself or by a signal; by a time limit, of `timeoutMs` or of the policy; or because
 * its
 * `AbortSignal` was aborted.
 */
export type CommandEnding = 'exited' | 'timed-out' | 'aborted';

export interface CommandEnd {
  /** 0 to 255; 128+n when a signal ended the command. */
  readonly exitCode: number;
  /** Number of that signal, or 0. */
  readonly signal: number;
  readonly ending: CommandEnding;
  /** What the policy refused, as far as the output tells. */
  readonly refusals: readonly Refusal[];
  /** Protected files that the command made and that were moved away. */
  readonly quarantined: readonly Quarantined[];
}

export interface CommandResult extends CommandEnd {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Bytes beyond `maxOutputBytes` that were read and dropped; 0 when all of it is there. */
  readonly truncated: { readonly stdout: number; readonly stderr: number };
  /** With `show`: what was made visible, or left out. */
  readonly findings: readonly TextFinding[];
}

/** In character cells, 1 to 65535. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/**
 * A command that was started, as anybody may have it who knows its ID. Looping over it gives its output: what is kept
 * of it, then what comes, until it closes; leaving the loop does not end the command.
 *
 * @example
 * for await (const { stream, data } of sandbox.commands.connect(id)) process[stream].write(data);
 */
export interface CommandConnection extends AsyncIterable<OutputChunk> {
  /** Unique in its sandbox. */
  readonly id: string;
  readonly argv: readonly string[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** PID of the first process of its box, as the host counts; undefined while it is not known. */
  readonly pid: number | undefined;
  readonly stdin: Writable;
  /**
   * Resolves when the box and everything in it has ended. Rejects with a `HoldfastError` when it could not be built.
   */
  readonly ended: Promise<CommandEnd>;
  /** Sends a signal to the command; SIGKILL ends the whole box. Default: SIGTERM. */
  kill(signal?: NodeJS.Signals): void;
  /**
   * Gives its terminal another size; the program in front gets SIGWINCH. Throws `HF_USAGE` for a command without one.
   */
  resize(size: TerminalSize): void;
}

/**
 * A command that runs. Its streams are the process's own pipes; with a terminal `stdout` is what it shows and `stderr`
 * is empty.
 */
export interface CommandHandle extends CommandConnection {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** A command that runs or, with `output: 'kept'`, has ended lately. */
export interface CommandInfo {
  readonly id: string;
  readonly argv: readonly string[];
  /** Absolute, inside the box. */
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly pid: number | undefined;
  readonly state: 'running' | 'ended';
  /** Once it has ended; absent when its box could not be built. */
  readonly exitCode?: number;
}

/** What there is of a command before someone gives it a name. */
export interface StartedCommand {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<CommandEnd>;
  /** Resolves when someone answers it who has a policy to load first; undefined where nobody does. */
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

/** The longest time that a timer of Node can wait; beyond it fires at once. */
const longest = 2 ** 31 - 1;

/**
 * Ends a box when its time is over or its signal is aborted. Called at the end it lets go of both, and says which of
 * them it was, if any.
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

/** Throws `HF_USAGE` for a time that is none. */
export function checkTime({ timeoutMs = 0 }: EarlyEnd): void {
  if (timeoutMs >= 0 && timeoutMs <= longest) return;
  throw new HoldfastError('HF_USAGE', `timeoutMs cannot be ${timeoutMs}`, {
    remedy: `use milliseconds, 0 to ${longest}`,
  });
}
