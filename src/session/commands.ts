import { availableParallelism } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { Nursery } from '../backends/launcher/nursery.ts';
import { HoldfastError } from '../errors/index.ts';
import { withNews } from '../place/refusals/refusal.ts';
import {
  checkTime,
  type CommandConnection,
  type CommandEnd,
  type CommandHandle,
  type CommandInfo,
  type CommandResult,
  endsEarly,
  type StartedCommand,
  type TerminalSize,
} from './commands/command-handle.ts';
import { collectOutput, type KeptPart } from './commands/kept.ts';
import { type CommandCounts, KnownCommands, type OutputChoice } from './commands/known-commands.ts';
import { type Begun, checkTerminalSize, startAtTerminal } from './commands/own-terminal.ts';
import { laterHandle, passing, startInTurn } from './commands/start-in-turn.ts';
import { Turnstile } from './commands/turnstile.ts';
import type { RunningBox } from './running-box.ts';
import { entering, type BoxOptions, type Session } from './session.ts';
import type { Reader } from './shown-output.ts';
import { SpareBox } from './spare-box.ts';

export interface CommandOptions {
  /** Absolute, inside the box. Default: the session's. */
  readonly cwd?: string;
  /** Added to what the policy lets through. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends the box with SIGKILL when aborted: `ending` is then `aborted`. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds after which the box is ended with SIGKILL: `ending` is then `timed-out`. Default: the policy's limit
   * alone.
   */
  readonly timeoutMs?: number;
}

export interface RunOptions extends CommandOptions {
  /** Written to the command's stdin, which is then closed. Default: an empty stdin. */
  readonly input?: string | Uint8Array;
  /**
   * Who reads `stdout` and `stderr`. For a model no escape sequence and no character that does not show is in them,
   * for a person colours stay. Default: the bytes as they were printed.
   */
  readonly show?: Reader;
  /**
   * Bytes of each of `stdout` and `stderr` that are kept; what is beyond is read and dropped, and `truncated` counts
   * it. Default: 64 MiB.
   */
  readonly maxOutputBytes?: number;
  /**
   * Which of them: the first ones, or from the start and from the end, half each, with a line between that says what is
   * missing. Default `start`.
   */
  readonly keep?: KeptPart;
  /** Told what is printed as it comes, in the form that `show` asks for. */
  readonly onOutput?: (chunk: Buffer) => void;
}

export interface StartOptions extends CommandOptions {
  /**
   * `read`: anyone who starts it reads its streams, at whose pace it prints. `kept`: the last MiB of what it prints is
   * kept for `connect`, also for
   * a while after its end; it waits for no reader. Default: `read`.
   */
  readonly output?: OutputChoice;
  /**
   * Gives it a terminal of that size of its own, in place of three pipes. Ending its `stdin` types Ctrl-D. Default:
   * none.
   */
  readonly terminal?: TerminalSize;
}

const defaultOutputBytes = 64 * 1024 * 1024;
/**
 * Commands that start at once: more boxes that are built side by side slow each other down, and the caller's own work.
 */
const mostStarting = Math.max(4, 2 * availableParallelism());

/** Commands are argument vectors, never shell strings; a shell is a program like any other. */
export class Commands {
  readonly #session: Session;
  readonly #running = new Set<RunningBox>();
  /** Those that someone is asked about. */
  readonly #asked = new Set<Promise<StartedCommand>>();
  /** Those whose turn has not come. */
  readonly #queued = new Set<StartedCommand>();
  readonly #turns = new Turnstile({ starting: mostStarting, running: Number.POSITIVE_INFINITY });
  readonly #known = new KnownCommands();
  readonly #launchers: Nursery;
  readonly #spare: SpareBox;
  #plans = 0;
  #state: 'open' | 'resting' | 'closed' = 'open';

  constructor(session: Session) {
    this.#session = session;
    this.#launchers = new Nursery(session.place.installation.launcher);
    this.#spare = new SpareBox(session, this.#launchers);
  }

  /**
   * Runs a command to its end and collects what it printed. A command that fails is a result. Rejects with a
   * `HoldfastError` when there was no box, or no command to run in it: `HF_COMMAND_REFUSED`, `HF_COMMAND_NOT_FOUND` and
   * what `ended` of `start` rejects with.
   *
   * @example
   * const { exitCode, stdout } = await sandbox.commands.run(['npm', 'test'], { timeoutMs: 60_000 });
   */
  async run(argv: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
    const { input, show, maxOutputBytes = defaultOutputBytes, keep, onOutput } = options;
    if (!(maxOutputBytes >= 0))
      throw new HoldfastError('HF_USAGE', `maxOutputBytes cannot be ${maxOutputBytes}`, {
        remedy: 'use a number of bytes',
      });
    const handle = this.start(argv, options);
    const output = collectOutput(handle, { show, limit: maxOutputBytes, keep, onOutput });
    handle.stdin.on('error', ignoreBrokenPipe);
    handle.stdin.end(input);
    const [ended, collected] = await Promise.all([handle.ended, output]);
    const session = this.#session;
    if (show !== undefined)
      (await import('./shown-output.ts')).noteShown(session, { argv, reader: show, findings: collected.findings });
    const told =
      collected.stderr.length === 0
        ? []
        : await (await import('../aftermath/aftermath.ts')).observeRefusals(
            session,
            collected.stderr.toString(),
            options.cwd ?? session.place.workspace.cwd,
          );
    return { ...ended, ...collected, refusals: withNews(ended.refusals, told) };
  }

  /**
   * Starts a command. The caller reads its streams and awaits `ended`. Of many at once a few start at a time, in their
   * order; `timeoutMs` counts from then on. Throws `HF_COMMAND_REFUSED` for what the policy refuses; what it asks about
   * starts when it has been approved, and else `ended` rejects with that. Throws `HF_USAGE` for a terminal of no size,
   * and
   * `HF_GUARANTEE_MISSING` for one that the backend cannot give.
   *
   * @example
   * const handle = sandbox.commands.start(['npm', 'run', 'dev'], { output: 'kept' });
   * for await (const { stream, data } of handle) process[stream].write(data);
   */
  start(argv: readonly string[], options: StartOptions = {}): CommandHandle {
    const command = this.#start(argv, options);
    // Who reads the output first, or closes the sandbox, awaits the end late: that must not end the caller's process.
    command.ended.catch(() => undefined);
    return this.#known.name(command, {
      argv,
      cwd: options.cwd ?? this.#session.place.workspace.cwd,
      output: options.output ?? 'read',
    });
  }

  /**
   * The commands that run, those that someone is asked about among them, and the last 16 that have ended and were
   * started with `output: 'kept'`; oldest first.
   *
   * @example
   * for (const { id, argv, state } of sandbox.commands.list()) console.log(id, argv.join(' '), state);
   */
  list(): readonly CommandInfo[] {
    return this.#known.list();
  }

  /** What is known of one command. Throws `HF_COMMAND_UNKNOWN`. */
  get(id: string): CommandInfo {
    return this.#known.get(id).info();
  }

  /**
   * Another reader of a command: the last MiB of its output, then what comes. `missing` of a chunk says how much is not
   * kept any more. A command that was started with `output: 'read'` goes on at the pace of anyone who started it.
   * Throws `HF_COMMAND_UNKNOWN`.
   *
   * @example
   * for await (const { stream, data } of sandbox.commands.connect('c1')) process[stream].write(data);
   */
  connect(id: string): CommandConnection {
    return this.#known.get(id).connection;
  }

  /**
   * Sends a signal to a command; SIGKILL ends its whole box. One that has ended stays so. Throws `HF_COMMAND_UNKNOWN`.
   *
   * @example
   * sandbox.commands.kill('c1', 'SIGTERM');
   */
  kill(id: string, signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#known.get(id).connection.kill(signal);
  }

  /** How much was started and printed. */
  counts(): CommandCounts {
    return this.#known.counts();
  }

  #start(argv: readonly string[], options: StartOptions): StartedCommand {
    this.#refuseResting();
    checkTime(options);
    if (options.terminal !== undefined) checkTerminalSize(options.terminal);
    const { cwd, environment } = options;
    const command: BoxOptions = {
      argv,
      ...(cwd === undefined ? {} : { cwd }),
      ...(environment === undefined ? {} : { environment }),
    };
    const admission = this.#session.guard?.admit(entering(this.#session, command));
    if (admission === undefined) return this.#inTurn(argv, command, options);
    if (admission.kind === 'admitted') return this.#inTurn(argv, { ...command, ...admission.command }, options);
    const plans = this.#plans;
    const asked = admission.answer().then((admitted) => {
      if (plans !== this.#plans)
        throw new HoldfastError(
          'HF_COMMAND_REFUSED',
          'the policy was narrowed while this command waited for approval',
          { remedy: 'start it again' },
        );
      return this.#inTurn(argv, { ...command, ...admitted }, options);
    });
    this.#asked.add(asked);
    const settled = (): void => void this.#asked.delete(asked);
    asked.then(settled, settled);
    return laterHandle(asked);
  }

  /**
   * At once where nobody waits and not too many start. One whose policy was narrowed before it had its turn is judged
   * again.
   */
  #inTurn(argv: readonly string[], command: BoxOptions, options: StartOptions): StartedCommand {
    this.#refuseResting();
    const pass = this.#turns.tryEnter();
    if (pass !== undefined) return passing(pass, () => this.#begin(command, options));
    const plans = this.#plans;
    const begin = (): StartedCommand => {
      this.#queued.delete(queued);
      return plans === this.#plans ? this.#begin(command, options) : this.#start(argv, options);
    };
    const queued = startInTurn({
      turns: this.#turns,
      ready: () => this.#launchers.ready(),
      begin,
      signal: options.signal,
    });
    this.#queued.add(queued);
    const over = (): void => void this.#queued.delete(queued);
    queued.ended.then(over, over);
    return queued;
  }

  #begin(command: BoxOptions, options: StartOptions): StartedCommand {
    this.#refuseResting();
    const { running, streams } =
      options.terminal === undefined
        ? this.#atPipes(command)
        : startAtTerminal(this.#session, command, options.terminal);
    this.#running.add(running);
    const early = endsEarly(running.box.end, options);
    const ended = running.ended
      .finally(() => this.#running.delete(running))
      .then((end): CommandEnd => ({ ...end, ending: early() ?? end.ending }))
      .finally(early);
    const kill = (which: NodeJS.Signals = 'SIGTERM'): void => {
      if (which === 'SIGKILL') running.box.end();
      else running.box.process.kill(which);
    };
    return { ...streams, ended, served: running.served, kill, pid: () => running.box.initPid() || undefined };
  }

  #atPipes(command: BoxOptions): Begun {
    const running = this.#spare.start(command);
    const { stdin, stdout, stderr } = running.box.process;
    return {
      running,
      streams: { stdin: stdin as Writable, stdout: stdout as Readable, stderr: stderr as Readable, resize: noTerminal },
    };
  }

  /**
   * The next commands start by the session's new plan; who waits for a yes asked by the old one, and is refused. `end`
   * also ends what runs.
   */
  async replan(running: 'keep' | 'end'): Promise<void> {
    this.#plans += 1;
    if (running === 'end') for (const { box } of this.#running) box.end();
    await Promise.all([
      this.#spare.renew(),
      ...(running === 'end' ? [...this.#running].map(({ ended }) => ended.catch(() => undefined)) : []),
    ]);
  }

  /**
   * No box of a command is there, and none starts, until `resume`. Throws `HF_STAGED_BUSY` when one runs, or when that
   * is so already.
   */
  async rest(): Promise<void> {
    this.#refuseResting();
    const running = this.#running.size + this.#asked.size + this.#queued.size;
    if (running > 0)
      throw new HoldfastError('HF_STAGED_BUSY', 'a command of this sandbox still runs', {
        remedy: 'wait until it has ended, or end it',
        details: { running },
      });
    this.#state = 'resting';
    await this.#spare.rest();
  }

  resume(): void {
    if (this.#state === 'closed') return;
    this.#state = 'open';
    this.#spare.resume();
  }

  /** Ends every command that still runs. */
  async killAll(): Promise<void> {
    this.#state = 'closed';
    const queued = [...this.#queued];
    for (const { kill } of queued) kill('SIGKILL');
    const running = [...this.#running];
    for (const { box } of running) box.end();
    await Promise.allSettled([this.#spare.close(), ...[...queued, ...running].map(({ ended }) => ended)]);
    // What a box does at its end it would leave out without its parent.
    await this.#launchers.close();
  }

  #refuseResting(): void {
    if (this.#state === 'open') return;
    if (this.#state === 'closed')
      throw new HoldfastError('HF_USAGE', 'this sandbox is closed', { remedy: 'create another one' });
    throw new HoldfastError(
      'HF_STAGED_BUSY',
      'the staged changes of this sandbox are being accepted, discarded or restored',
      { remedy: 'wait until that has ended' },
    );
  }
}

function noTerminal(): never {
  throw new HoldfastError('HF_USAGE', 'this command has no terminal', {
    remedy: 'start it with { terminal: { columns, rows } }',
  });
}

/** A command may end without reading its input. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
}
