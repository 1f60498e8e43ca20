import type { Reader } from '../shown-output.ts';
import type { TerminalSize } from './command-handle.ts';
import type { KeptPart } from './kept.ts';
import type { OutputChoice } from './known-commands.ts';

export interface CommandOptions {
  /** Absolute path inside the box. Default: the session's directory. */
  readonly cwd?: string;
  /** Variables added to those that the policy lets through. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends the box with SIGKILL when aborted; `ending` is then `aborted`. */
  readonly signal?: AbortSignal;
  /** Milliseconds after which SIGKILL ends the box; `ending` is then `timed-out`. Default: the policy's limit alone. */
  readonly timeoutMs?: number;
}

export interface RunOptions extends CommandOptions {
  /** Input written to the command's stdin, which is then closed. Default: an empty stdin. */
  readonly input?: string | Uint8Array;
  /**
   * Reader of `stdout` and `stderr`. For a model, escape sequences and invisible characters are removed. For a person,
   * colours stay. Default: the bytes as printed.
   */
  readonly show?: Reader;
  /**
   * Bytes kept of each of `stdout` and `stderr`. Further bytes are read and dropped, and `truncated` counts them.
   * Default: 64 MiB.
   */
  readonly maxOutputBytes?: number;
  /**
   * `start` keeps the first bytes. `ends` keeps half from the start and half from the end, with a line between them
   * that says how many bytes are missing. Default: `start`.
   */
  readonly keep?: KeptPart;
  /** Called with output as it arrives, in the form that `show` selects. */
  readonly onOutput?: (chunk: Buffer) => void;
}

export interface StartOptions extends CommandOptions {
  /**
   * `read`: the caller of `start` reads the streams, and the command prints at that pace. `kept`: Holdfast keeps the
   * last MiB of output for `connect`, for a while after the end too, and the command never waits for a reader. Default:
   * `read`.
   */
  readonly output?: OutputChoice;
  /**
   * Gives the command a terminal of this size instead of three pipes. Ending its `stdin` types Ctrl-D. Default: no
   * terminal.
   */
  readonly terminal?: TerminalSize;
}
