import type { Readable, Writable } from 'node:stream';
import { HoldfastError } from '../errors/index.ts';
import { withNews, type Refusal } from './refusals/refusal.ts';
import { planCommand, type RunningBox, type Session } from './session.ts';
import { SpareBox } from './spare-box.ts';
import type { Quarantined } from './quarantine/quarantine.ts';

export interface CommandOptions {
  /** Absolute, inside the box. Default: the session's. */
  readonly cwd?: string;
  /** Added to what the policy lets through. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Written to the command's stdin, which is then closed. Default: an empty stdin. */
  readonly input?: string | Uint8Array;
  /** Ends the command with SIGKILL when aborted. */
  readonly signal?: AbortSignal;
}

export interface CommandResult {
  /** 0 to 255; 128+n when a signal ended the command. */
  readonly exitCode: number;
  /** Number of that signal, or 0. */
  readonly signal: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
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
  readonly ended: Promise<Omit<CommandResult, 'stdout' | 'stderr'>>;
  /** Sends a signal to the command; SIGKILL ends the whole box. Default: SIGTERM. */
  kill(signal?: NodeJS.Signals): void;
}

/** Commands are argument vectors, never shell strings; a shell is a program like any other. */
export class Commands {
  readonly #session: Session;
  readonly #running = new Set<RunningBox>();
  readonly #spare: SpareBox;
  #state: 'open' | 'resting' = 'open';

  constructor(session: Session) {
    this.#session = session;
    this.#spare = new SpareBox(session);
  }

  /** Runs a command to its end and collects what it printed. */
  async run(argv: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    const handle = this.start(argv, options);
    const output = Promise.all([collect(handle.stdout), collect(handle.stderr)]);
    handle.stdin.on('error', ignoreBrokenPipe);
    handle.stdin.end(options.input);
    const [ended, [stdout, stderr]] = await Promise.all([handle.ended, output]);
    const session = this.#session;
    const told = stderr.length === 0 ? [] : await (await import('./aftermath.ts')).observeRefusals(session, stderr.toString(), options.cwd ?? session.place.workspace.cwd);
    return { ...ended, stdout, stderr, refusals: withNews(ended.refusals, told) };
  }

  /** Starts a command. The caller reads its streams and awaits `ended`. */
  start(argv: readonly string[], options: CommandOptions = {}): CommandHandle {
    this.#refuseResting();
    const { cwd, environment, signal } = options;
    const plan = planCommand(this.#session, { argv, ...(cwd === undefined ? {} : { cwd }), ...(environment === undefined ? {} : { environment }) });
    const running = this.#spare.start(plan);
    this.#running.add(running);
    const ended = running.ended.finally(() => this.#running.delete(running));
    const kill = (which: NodeJS.Signals = 'SIGTERM'): void => {
      if (which === 'SIGKILL') running.box.end();
      else running.box.process.kill(which);
    };
    signal?.addEventListener('abort', () => kill('SIGKILL'), { once: true });
    const { stdin, stdout, stderr } = running.box.process;
    return { stdin: stdin as Writable, stdout: stdout as Readable, stderr: stderr as Readable, ended, kill };
  }

  /** No box of a command is there, and none starts, until `resume`. Throws `HF_STAGED_BUSY` when one runs, or when that is so already. */
  async rest(): Promise<void> {
    this.#refuseResting();
    if (this.#running.size > 0) throw new HoldfastError('HF_STAGED_BUSY', 'a command of this sandbox still runs', { remedy: 'wait until it has ended, or end it', details: { running: this.#running.size } });
    this.#state = 'resting';
    await this.#spare.rest();
  }

  resume(): void {
    this.#state = 'open';
    this.#spare.resume();
  }

  /** Ends every command that still runs. */
  async killAll(): Promise<void> {
    const running = [...this.#running];
    for (const { box } of running) box.end();
    await Promise.allSettled([this.#spare.close(), ...running.map(({ ended }) => ended)]);
  }

  #refuseResting(): void {
    if (this.#state === 'open') return;
    throw new HoldfastError('HF_STAGED_BUSY', 'what this sandbox has staged is being accepted, discarded or brought back', { remedy: 'wait until that has ended' });
  }
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
