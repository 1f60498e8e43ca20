import { HoldfastError } from '../../errors/index.ts';
import type { CommandConnection, CommandHandle, CommandInfo, StartedCommand } from './command-handle.ts';
import { type OutputChunk, type OutputName, OutputTape } from './output-tape.ts';

/** Bytes of output kept for `connect`. */
const keptOutputBytes = 1024 * 1024;
/** Ended commands that stay known. */
const keptCommands = 16;

/**
 * `read`: the caller of `start` reads, and the command prints at that pace. `kept`: anyone who connects reads, and the
 * command never waits for a reader.
 */
export type OutputChoice = 'read' | 'kept';

export interface Naming {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly output: OutputChoice;
}

export interface CommandCounts {
  readonly started: number;
  readonly outputBytes: number;
}

/** The commands of a sandbox by their IDs. */
export class KnownCommands {
  readonly #known = new Map<string, KnownCommand>();
  readonly #ended: string[] = [];
  #last = 0;
  #outputBytes = 0;

  /** Gives a command its ID. The command is known until it ends, or for a while longer if its output is kept. */
  name(command: StartedCommand, { argv, cwd, output }: Naming): CommandHandle {
    this.#last += 1;
    const id = `c${this.#last}`;
    const tape = new OutputTape(keptOutputBytes, (length) => (this.#outputBytes += length));
    const streams = { stdout: command.stdout, stderr: command.stderr };
    tape.record('stdout', command.stdout);
    tape.record('stderr', command.stderr);
    const followed = { id, argv, startedAt: Date.now(), command };
    const known = new KnownCommand(followed, { cwd, connection: follow(followed, () => tape.read()) });
    this.#known.set(id, known);
    const end = (exit: Pick<CommandInfo, 'exitCode'>): void => {
      known.end(exit);
      this.#forget(id, output);
    };
    command.ended.then(
      ({ exitCode }) => end({ exitCode }),
      () => end({}),
    );
    if (output === 'read')
      return Object.assign(
        follow(followed, () => readBoth(command)),
        streams,
      );
    for (const stream of [command.stdout, command.stderr]) stream.resume();
    return Object.assign(
      follow(followed, () => tape.read()),
      streams,
    );
  }

  counts(): CommandCounts {
    return { started: this.#last, outputBytes: this.#outputBytes };
  }

  list(): readonly CommandInfo[] {
    return [...this.#known.values()].map((known) => known.info());
  }

  /** Throws `HF_COMMAND_UNKNOWN`. */
  get(id: string): KnownCommand {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    throw new HoldfastError(
      'HF_COMMAND_UNKNOWN',
      `this sandbox has no command ${JSON.stringify(id)}, or it ended long ago`,
      { remedy: 'call `sandbox.commands.list()` to see its commands', details: { id } },
    );
  }

  #forget(id: string, output: OutputChoice): void {
    if (output === 'read') this.#known.delete(id);
    else this.#ended.push(id);
    while (this.#ended.length > keptCommands) this.#known.delete(this.#ended.shift() ?? '');
  }
}

class KnownCommand {
  readonly connection: CommandConnection;
  readonly #followed: Followed;
  readonly #cwd: string;
  #outcome: Pick<CommandInfo, 'state' | 'exitCode'> = { state: 'running' };

  constructor(
    followed: Followed,
    { cwd, connection }: { readonly cwd: string; readonly connection: CommandConnection },
  ) {
    this.#followed = followed;
    this.#cwd = cwd;
    this.connection = connection;
  }

  info(): CommandInfo {
    const { id, argv, startedAt, command } = this.#followed;
    return { id, argv, cwd: this.#cwd, startedAt, pid: command.pid(), ...this.#outcome };
  }

  end(exit: Pick<CommandInfo, 'exitCode'>): void {
    this.#outcome = { state: 'ended', ...exit };
  }
}

interface Followed {
  readonly id: string;
  readonly argv: readonly string[];
  readonly startedAt: number;
  readonly command: StartedCommand;
}

/** Reads the PID each time, because it is not known at first. */
function follow(
  { id, argv, startedAt, command }: Followed,
  read: () => AsyncGenerator<OutputChunk, void>,
): CommandConnection {
  const { stdin, ended, kill, resize, pid } = command;
  return {
    id,
    argv,
    startedAt,
    stdin,
    ended,
    kill,
    resize,
    get pid() {
      return pid();
    },
    [Symbol.asyncIterator]: read,
  };
}

/**
 * Joins both streams at the pace of the reader: the command waits when nobody takes its output. After the loop is left,
 * further output is read and dropped, so that the command can continue.
 */
async function* readBoth(streams: Pick<CommandHandle, OutputName>): AsyncGenerator<OutputChunk, void> {
  const queue: OutputChunk[] = [];
  let open = 2;
  let wake = (): void => undefined;
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = streams[name];
    if (stream.closed) open -= 1;
    stream.once('close', () => {
      open -= 1;
      wake();
    });
    stream.on('data', (data: Buffer) => {
      queue.push({ stream: name, data, missing: 0 });
      stream.pause();
      wake();
    });
  }
  try {
    for (;;) {
      const chunk = queue.shift();
      if (chunk === undefined && open === 0) return;
      if (chunk === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else {
        yield chunk;
        streams[chunk.stream].resume();
      }
    }
  } finally {
    for (const stream of [streams.stdout, streams.stderr]) stream.removeAllListeners('data').resume();
  }
}
