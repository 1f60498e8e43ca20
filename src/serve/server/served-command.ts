import type { CommandConnection, CommandEnd, CommandHandle, StartOptions, TerminalSize } from '../../sandbox/index.ts';
import type { ListedCommand } from './listed.ts';
import type { ServedSession } from './served-sessions.ts';
import type { Turnstile } from '../../session/commands/turnstile.ts';

export interface CommandWish {
  readonly session: ServedSession;
  readonly argv: readonly string[];
  readonly options: StartOptions;
}

/** Milliseconds that a command has to end in before the next one may start beside it. */
const patience = 100;

/** One command of a server, from the moment when it is asked for until nobody can ask about it any more. */
export class ServedCommand {
  readonly id: string;
  readonly #wish: CommandWish;
  readonly #askedAt = Date.now();
  readonly #cancel = new AbortController();
  #outcome: Pick<ListedCommand, 'state' | 'exitCode' | 'message'> = { state: 'queued' };
  #connection: CommandConnection | undefined;
  readonly #readers = new Set<object>();

  constructor(id: string, wish: CommandWish) {
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

  /** Once it has started, also when it has ended. */
  get connection(): CommandConnection | undefined {
    return this.#connection;
  }

  /** When its turn has come. Rejects when it was ended before, or cannot be started. */
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

  /** One that waits does not start. */
  kill(signal: NodeJS.Signals, reason: Error): void {
    if (this.isOver) return;
    if (this.#connection === undefined) this.#cancel.abort(reason);
    else this.#connection.kill(signal);
  }

  /** Counts somebody who looks on, until the result is called. */
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
