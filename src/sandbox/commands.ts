import type { Readable, Writable } from 'node:stream';
import { HoldfastError } from '../errors/index.ts';
import type { TextFinding } from '../text/index.ts';
import { withNews, type Refusal } from './refusals/refusal.ts';
import { laterHandle } from './judge/later-handle.ts';
import { entering, planCommand, type BoxOptions, type RunningBox, type Session } from './session.ts';
import { SpareBox } from './spare-box.ts';
import type { Quarantined } from './quarantine/quarantine.ts';
import type { Reader } from './shown-output.ts';

export interface CommandOptions {
  /** Absolute, inside the box. Default: the session's. */
  readonly cwd?: string;
  /** Added to what the policy lets through. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Written to the command's stdin, which is then closed. Default: an empty stdin. */
  readonly input?: string | Uint8Array;
  /** Ends the command with SIGKILL when aborted. */
  readonly signal?: AbortSignal;
  /**
   * Of `run`: who reads `stdout` and `stderr`. For a model no escape sequence and no character that does not show is in them,
   * for a person colours stay. Default: the bytes as they were printed.
   */
  readonly show?: Reader;
}

export interface CommandResult {
  /** 0 to 255; 128+n when a signal ended the command. */
  readonly exitCode: number;
  /** Number of that signal, or 0. */
  readonly signal: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** With `show`: what was made visible, or left out. */
  readonly findings: readonly TextFinding[];
  /** What the policy refused, as far as the output tells. */
  readonly refusals: readonly Refusal[];
  /** Protected files that the command made and that were moved away. */
  readonly quarantined: readonly Quarantined[];
}

/** A command that runs. Its streams are the process's own pipes. */
export interface CommandHandle {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the box and everything in it has ended. Rejects with a `HoldfastError` when it could not be built. */
  readonly ended: Promise<Omit<CommandResult, 'stdout' | 'stderr' | 'findings'>>;
  /** Sends a signal to the command; SIGKILL ends the whole box. Default: SIGTERM. */
  kill(signal?: NodeJS.Signals): void;
}

/** Commands are argument vectors, never shell strings; a shell is a program like any other. */
export class Commands {
  readonly #session: Session;
  readonly #running = new Set<RunningBox>();
  /** Those that somebody is asked about. */
  readonly #asked = new Set<Promise<CommandHandle>>();
  readonly #spare: SpareBox;
  #state: 'open' | 'resting' | 'closed' = 'open';

  constructor(session: Session) {
    this.#session = session;
    this.#spare = new SpareBox(session);
  }

  /** Runs a command to its end and collects what it printed. */
  async run(argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    const handle = this.start(argv, options);
    const output = collectBoth(handle, options.show);
    handle.stdin.on('error', ignoreBrokenPipe);
    handle.stdin.end(options.input);
    const [ended, { stdout, stderr, findings }] = await Promise.all([handle.ended, output]);
    const session = this.#session;
    if (options.show !== undefined) (await import('./shown-output.ts')).noteShown(session, { argv, reader: options.show, findings });
    const told = stderr.length === 0 ? [] : await (await import('./aftermath.ts')).observeRefusals(session, stderr.toString(), options.cwd ?? session.place.workspace.cwd);
    return { ...ended, stdout, stderr, findings, refusals: withNews(ended.refusals, told) };
  }

  /**
   * Starts a command. The caller reads its streams and awaits `ended`. Throws `HF_COMMAND_REFUSED` for what the policy refuses; what it
   * asks about starts when it has been approved, and else `ended` rejects with that.
   */
  start(argv: readonly string[], options: CommandOptions = {}): CommandHandle {
    const handle = this.#start(argv, options);
    // Who reads the output first, or closes the sandbox, awaits the end late: that must not end the caller's process.
    handle.ended.catch(() => undefined);
    return handle;
  }

  #start(argv: readonly string[], options: CommandOptions): CommandHandle {
    this.#refuseResting();
    const { cwd, environment, signal } = options;
    const command: BoxOptions = { argv, ...(cwd === undefined ? {} : { cwd }), ...(environment === undefined ? {} : { environment }) };
    const admission = this.#session.guard?.admit(entering(this.#session, command));
    if (admission === undefined) return this.#begin(command, signal);
    if (admission.kind === 'admitted') return this.#begin({ ...command, ...admission.command }, signal);
    const asked = admission.answer().then((admitted) => this.#begin({ ...command, ...admitted }, signal));
    this.#asked.add(asked);
    const settled = (): void => void this.#asked.delete(asked);
    asked.then(settled, settled);
    return laterHandle(asked);
  }

  #begin(command: BoxOptions, signal: AbortSignal | undefined): CommandHandle {
    this.#refuseResting();
    const plan = planCommand(this.#session, command);
    const running = this.#spare.start(plan);
    this.#running.add(running);
    const ended = running.ended.finally(() => this.#running.delete(running));
    const kill = (which: NodeJS.Signals = 'SIGTERM'): void => {
      if (which === 'SIGKILL') running.box.end();
      else running.box.process.kill(which);
    };
    signal?.addEventListener('abort', () => kill('SIGKILL'), { once: true });
    if (signal?.aborted === true) kill('SIGKILL');
    const { stdin, stdout, stderr } = running.box.process;
    return { stdin: stdin as Writable, stdout: stdout as Readable, stderr: stderr as Readable, ended, kill };
  }

  /** No box of a command is there, and none starts, until `resume`. Throws `HF_STAGED_BUSY` when one runs, or when that is so already. */
  async rest(): Promise<void> {
    this.#refuseResting();
    const running = this.#running.size + this.#asked.size;
    if (running > 0) throw new HoldfastError('HF_STAGED_BUSY', 'a command of this sandbox still runs', { remedy: 'wait until it has ended, or end it', details: { running } });
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
    const running = [...this.#running];
    for (const { box } of running) box.end();
    await Promise.allSettled([this.#spare.close(), ...running.map(({ ended }) => ended)]);
  }

  #refuseResting(): void {
    if (this.#state === 'open') return;
    if (this.#state === 'closed') throw new HoldfastError('HF_USAGE', 'this sandbox is closed', { remedy: 'create another one' });
    throw new HoldfastError('HF_STAGED_BUSY', 'what this sandbox has staged is being accepted, discarded or brought back', { remedy: 'wait until that has ended' });
  }
}

type Collected = Pick<CommandResult, 'stdout' | 'stderr' | 'findings'>;

async function collectBoth({ stdout, stderr }: Pick<CommandHandle, 'stdout' | 'stderr'>, show: Reader | undefined): Promise<Collected> {
  if (show === undefined) {
    const [out, err] = await Promise.all([collect(stdout), collect(stderr)]);
    return { stdout: out, stderr: err, findings: [] };
  }
  const { shownOutput } = await import('./shown-output.ts');
  const streams = [shownOutput(stdout, show), shownOutput(stderr, show)] as const;
  const [out, err] = await Promise.all([collect(streams[0].stream), collect(streams[1].stream)]);
  return { stdout: out, stderr: err, findings: streams.flatMap(({ findings }) => findings()) };
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A command may end without reading its input. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
}
