import { availableParallelism } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import type { Commands } from '../../session/commands.ts';
import type {
  CommandConnection,
  CommandEnd,
  CommandHandle,
  TerminalSize,
} from '../../session/commands/command-handle.ts';
import type { StartOptions } from '../../session/commands/command-options.ts';
import { Turnstile } from '../../session/commands/turnstile.ts';
import { serveLimits } from '../limits.ts';

export interface CommandOrder {
  /** A `ServedSession`. */
  readonly session: {
    readonly name: string;
    readonly sandbox: { readonly commands: Commands };
    readonly stopped: AbortSignal;
  };
  readonly argv: readonly string[];
  readonly options: StartOptions;
}

/** `queued`: it waits for others to start. `failed`: there was no box, or no command to run in it. */
type CommandState = 'queued' | 'running' | 'ended' | 'failed';

/** A command of a server. */
export interface ListedCommand {
  /** Unique in its server. */
  readonly id: string;
  readonly session: string;
  readonly argv: readonly string[];
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly state: CommandState;
  /** PID of the first process of its box, in the host's numbering. */
  readonly pid?: number;
  /** Set once it has ended: 0 to 255, 128+n for signal n. */
  readonly exitCode?: number;
  /** Reason why the command did not run. */
  readonly message?: string;
  /** `terminal`: it has its own terminal, and takes typed input. */
  readonly streams: 'pipes' | 'terminal';
  /** Number of watchers. */
  readonly attached: number;
}

/** Milliseconds that a command gets to end, before the next one may start beside it. */
const patience = 100;

/** One command of a server, from the request until nobody can ask about it any more. */
export class ServedCommand {
  readonly id: string;
  readonly #wish: CommandOrder;
  readonly #askedAt = Date.now();
  readonly #cancel = new AbortController();
  #outcome: Pick<ListedCommand, 'state' | 'exitCode' | 'message'> = { state: 'queued' };
  #connection: CommandConnection | undefined;
  readonly #readers = new Set<object>();

  constructor(id: string, wish: CommandOrder) {
    this.id = id;
    this.#wish = wish;
  }

  get isOver(): boolean {
    return this.#outcome.state === 'ended' || this.#outcome.state === 'failed';
  }

  get session(): string {
    return this.#wish.session.name;
  }

  get size(): TerminalSize | undefined {
    return this.#wish.options.terminal;
  }

  /** Undefined before the start. Remains after the end. */
  get connection(): CommandConnection | undefined {
    return this.#connection;
  }

  /** Starts the command when its turn has come. Rejects if it was ended before, or cannot start. */
  async start(turnstile: Turnstile): Promise<CommandHandle> {
    const { session, argv, options } = this.#wish;
    try {
      const pass = await turnstile.enter(AbortSignal.any([this.#cancel.signal, session.stopped]));
      const settled = setTimeout(() => pass.started(), patience).unref();
      const leave = (): void => {
        clearTimeout(settled);
        pass.ended();
      };
      try {
        const handle = session.sandbox.commands.start(argv, options);
        this.#connection = session.sandbox.commands.connect(handle.id);
        this.#outcome = { state: 'running' };
        handle.ended
          .then(
            (end) => this.#end(end),
            (error: unknown) => this.#fail(error),
          )
          .finally(leave);
        return handle;
      } catch (error) {
        leave();
        throw error;
      }
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** A waiting command then never starts. */
  kill(signal: NodeJS.Signals, reason: Error): void {
    if (this.isOver) return;
    if (this.#connection === undefined) this.#cancel.abort(reason);
    else this.#connection.kill(signal);
  }

  /** Counts a watcher, until the returned function is called. */
  look(): () => void {
    const reader = {};
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  listed(): ListedCommand {
    const { session, argv, options } = this.#wish;
    const pid = this.isOver ? undefined : this.#connection?.pid;
    return {
      id: this.id,
      session: session.name,
      argv,
      askedAt: this.#askedAt,
      ...this.#outcome,
      ...(pid === undefined ? {} : { pid }),
      streams: options.terminal === undefined ? 'pipes' : 'terminal',
      attached: this.#readers.size,
    };
  }

  #end({ exitCode }: CommandEnd): void {
    this.#outcome = { state: 'ended', exitCode };
  }

  #fail(error: unknown): void {
    this.#outcome = { state: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * The commands of a server, oldest first: waiting and running ones, and the last ended ones whose output someone may
 * want to read.
 */
export class ServedCommands {
  readonly #known = new Map<string, ServedCommand>();
  readonly #over = new Set<string>();
  readonly #turnstile = new Turnstile({ starting: availableParallelism() + 1, running: serveLimits.running });
  #last = 0;

  /** Throws `HF_SERVE_LIMIT`. */
  add(wish: CommandOrder): ServedCommand {
    if (this.#known.size - this.#over.size >= serveLimits.commands)
      throw new HoldfastError(
        'HF_SERVE_LIMIT',
        `the server already has ${serveLimits.commands} running or waiting commands`,
        {
          remedy: 'wait until some have ended, or stop some',
        },
      );
    this.#last += 1;
    const command = new ServedCommand(`c${this.#last}`, wish);
    this.#known.set(command.id, command);
    return command;
  }

  /** Rejects if the command cannot start. */
  start(command: ServedCommand): Promise<CommandHandle> {
    return command.start(this.#turnstile);
  }

  /** Removes a command that nobody needs any more. */
  forget({ id }: ServedCommand): void {
    this.#known.delete(id);
    this.#over.delete(id);
  }

  of(session: string): readonly ServedCommand[] {
    return [...this.#known.values()].filter((command) => command.session === session);
  }

  /** Removes the commands of a closed session. */
  forgetThoseOf(session: string): void {
    for (const command of this.of(session)) this.forget(command);
  }

  /** Keeps an ended command, until later ones displace it. */
  retire(command: ServedCommand): void {
    if (this.#known.has(command.id)) this.#over.add(command.id);
    for (const id of this.#over) {
      if (this.#over.size <= serveLimits.ended) return;
      this.#over.delete(id);
      this.#known.delete(id);
    }
  }

  /** Finds a command by its ID, or the newest of a session. Throws `HF_COMMAND_UNKNOWN`. */
  find(target: string): ServedCommand {
    const found = this.#known.get(target) ?? [...this.#known.values()].findLast(({ session }) => session === target);
    if (found !== undefined) return found;
    throw new HoldfastError(
      'HF_COMMAND_UNKNOWN',
      `the server has no command ${JSON.stringify(target)}, and no session of that name with a command`,
      { remedy: 'run `holdfast ps` to see all of them' },
    );
  }

  list(): readonly ListedCommand[] {
    return [...this.#known.values()].map((command) => command.listed());
  }
}
