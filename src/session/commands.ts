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
} from './commands/command-handle.ts';
import type { RunOptions, StartOptions } from './commands/command-options.ts';
import { collectOutput } from './commands/kept.ts';
import { type CommandCounts, KnownCommands } from './commands/known-commands.ts';
import { type Begun, checkTerminalSize, startAtTerminal } from './commands/own-terminal.ts';
import { laterHandle, passing, startInTurn } from './commands/start-in-turn.ts';
import { Turnstile } from './commands/turnstile.ts';
import type { RunningBox } from './running-box.ts';
import { entering, type BoxOptions, type Session } from './session.ts';
import { SpareBox } from './spare-box.ts';

const defaultOutputBytes = 64 * 1024 * 1024;
/** Commands that start at the same time. Building more boxes at once slows them down, and the caller's own work too. */
const mostStarting = Math.max(4, 2 * availableParallelism());

/**
 * The commands of a sandbox. A command is an argument vector, never a shell string. A shell is a program like any
 * other.
 */
export class Commands {
  readonly #session: Session;
  readonly #running = new Set<RunningBox>();
  /** Commands that wait for an approval. */
  readonly #asked = new Set<Promise<StartedCommand>>();
  /** Commands that wait for their turn. */
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
   * Runs a command to its end and collects its output. A failed command is a result, not an error. Rejects with a
   * `HoldfastError` if there was no box, or no command to run in it: `HF_COMMAND_REFUSED`, `HF_COMMAND_NOT_FOUND`, and
   * all errors of `ended` of `start`.
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
        : await (await import('../aftermath/aftermath.ts')).observeRefusals(session, collected.stderr.toString(), {
            cwd: options.cwd ?? session.place.workspace.cwd,
          });
    return { ...ended, ...collected, refusals: withNews(ended.refusals, told) };
  }

  /**
   * Starts a command. The caller reads its streams and awaits `ended`. A few commands start at a time, in the order of
   * the calls; `timeoutMs` counts from the start. A command that needs an approval starts once it is approved;
   * otherwise `ended` rejects. Throws `HF_COMMAND_REFUSED` if the policy refuses the command. Throws `HF_USAGE` for an
   * invalid terminal size, and `HF_GUARANTEE_MISSING` if the backend has no terminals.
   *
   * @example
   * const handle = sandbox.commands.start(['npm', 'run', 'dev'], { output: 'kept' });
   * for await (const { stream, data } of handle) process[stream].write(data);
   */
  start(argv: readonly string[], options: StartOptions = {}): CommandHandle {
    const command = this.#start(argv, options);
    // A caller may read the output first, or close the sandbox, before it awaits the end. A rejection must not end the
    // caller's process.
    command.ended.catch(() => undefined);
    return this.#known.name(command, {
      argv,
      cwd: options.cwd ?? this.#session.place.workspace.cwd,
      output: options.output ?? 'read',
    });
  }

  /**
   * Lists the commands that run or wait for an approval, oldest first. Includes the last 16 ended commands that were
   * started with `output: 'kept'`.
   *
   * @example for (const { id, argv, state } of sandbox.commands.list()) console.log(id, argv.join(' '), state);
   */
  list(): readonly CommandInfo[] {
    return this.#known.list();
  }

  /** Returns the facts of one command. Throws `HF_COMMAND_UNKNOWN`. */
  get(id: string): CommandInfo {
    return this.#known.get(id).info();
  }

  /**
   * Adds a reader to a command. It gets the last MiB of output, then new output as it arrives. `missing` of a chunk
   * counts the bytes that are no longer kept. A command started with `output: 'read'` still runs at the pace of the
   * caller that started it. Throws `HF_COMMAND_UNKNOWN`.
   *
   * @example for await (const { stream, data } of sandbox.commands.connect('c1')) process[stream].write(data);
   */
  connect(id: string): CommandConnection {
    return this.#known.get(id).connection;
  }

  /**
   * Sends a signal to a command; SIGKILL ends its whole box. Has no effect on an ended command. Throws
   * `HF_COMMAND_UNKNOWN`.
   *
   * @example
   * sandbox.commands.kill('c1', 'SIGTERM');
   */
  kill(id: string, signal: NodeJS.Signals = 'SIGKILL'): void {
    this.#known.get(id).connection.kill(signal);
  }

  /** Returns the number of commands started and bytes printed. */
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
   * Starts at once if no command waits and there is room. If the policy was narrowed while the command waited, it is
   * judged again.
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
   * Starts the next commands under the session's new plan. A command that waits for an approval under the old plan is
   * refused. `end` also ends running commands.
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
   * Ends the spare box, and lets no box start until `resume`. Throws `HF_STAGED_BUSY` if a command runs or the sandbox
   * already rests.
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

  async killAll(): Promise<void> {
    this.#state = 'closed';
    const queued = [...this.#queued];
    for (const { kill } of queued) kill('SIGKILL');
    const running = [...this.#running];
    for (const { box } of running) box.end();
    await Promise.allSettled([this.#spare.close(), ...[...queued, ...running].map(({ ended }) => ended)]);
    // Last, because a box without its parent skips its own cleanup.
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
