import { closeSync, constants, openSync, write } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { HoldfastError } from '../../errors/index.ts';
import { kernelCall } from '../../kernel/index.ts';
import { openFlags } from '../../notify/perform/open-flags.ts';
import { type BoxOptions, planBox, type Session } from '../session.ts';
import { type RunningBox, startBox } from '../running-box.ts';
import type { TerminalSize } from './command-handle.ts';

/** A terminal for one command. See `pty(7)`. */
export interface OwnTerminal {
  /** Descriptor of the command's stdin, stdout and stderr. */
  readonly side: number;
  /** Call once the command has its descriptor. */
  open(): TerminalStreams;
  /** Call if no command will start. */
  close(): void;
}

interface TerminalStreams {
  /** Keys typed at the terminal. Ending the stream types Ctrl-D. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Ends at once, because a terminal joins both outputs. */
  readonly stderr: Readable;
  resize(size: TerminalSize): void;
}

/**
 * Numbers from `asm-generic/ioctls.h`, the same on x86-64 and arm64. `TIOCGPTPEER` opens the other side itself, not the
 * current file at its path.
 */
const ioctls = { unlock: 0x4004_5431, peer: 0x5441, setSize: 0x5414 } as const;
const duplicateCloseOnExec = 1030;

/** Throws `HF_USAGE` for an invalid size. */
function openOwnTerminal(size: TerminalSize): OwnTerminal {
  checkTerminalSize(size);
  // Non-blocking: a command that does not read its keys must not stop this process.
  const master = openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  const side = otherSide(master, size);
  return {
    side,
    open() {
      closeSync(side);
      return streams(master);
    },
    close() {
      closeSync(side);
      closeSync(master);
    },
  };
}

function otherSide(master: number, size: TerminalSize): number {
  try {
    kernelCall('ioctl', master, ioctls.unlock, new Uint8Array(4));
    resize(master, size);
    return kernelCall('ioctl', master, ioctls.peer, openFlags.readWrite | openFlags.noTerminal | openFlags.closeOnExec);
  } catch (error) {
    closeSync(master);
    throw error;
  }
}

export function checkTerminalSize({ columns, rows }: TerminalSize): void {
  if ([columns, rows].every((cells) => Number.isInteger(cells) && cells >= 1 && cells <= 0xff_ff)) return;
  throw new HoldfastError('HF_USAGE', `a terminal cannot have ${columns} columns and ${rows} rows`, {
    remedy: 'use whole numbers from 1 to 65535 for both',
  });
}

function resize(master: number, { columns, rows }: TerminalSize): void {
  kernelCall('ioctl', master, ioctls.setSize, new Uint8Array(new Uint16Array([rows, columns, 0, 0]).buffer));
}

function streams(master: number): TerminalStreams {
  const keys = new Keys(kernelCall('fcntl', master, duplicateCloseOnExec, 0));
  const stdout = new ReadStream(master);
  stdout.once('close', () => keys.destroy());
  // The kernel reports an error when the other side is closed everywhere. That is the end of the output.
  stdout.on('error', () => stdout.destroy());
  return {
    stdin: keys,
    stdout: ended(stdout),
    stderr: Readable.from([]),
    resize(size) {
      checkTerminalSize(size);
      keys.resize(size);
    },
  };
}

/**
 * Returns a stream that ends when the terminal is gone. Readers of output expect an end, and would treat an error as
 * their own.
 */
function ended(terminal: Readable): Readable {
  const output = new Readable({
    read: () => void terminal.resume(),
    destroy: (error, done) => (terminal.destroy(), done(error)),
  });
  terminal.on('data', (chunk: Buffer) => {
    if (!output.push(chunk)) terminal.pause();
  });
  terminal.once('close', () => output.push(null));
  return output;
}

const endOfInput = Buffer.from([4]);
/** Milliseconds between attempts while the command does not read its keys. */
const pause = 10;

/** Writes to a separate descriptor that never blocks. libuv would spin on a full terminal. */
class Keys extends Writable {
  readonly #descriptor: number;
  #state: 'idle' | 'writing' | 'closed' = 'idle';

  constructor(descriptor: number) {
    super({ decodeStrings: true });
    this.#descriptor = descriptor;
  }

  resize(size: TerminalSize): void {
    if (!this.destroyed) resize(this.#descriptor, size);
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.destroyed) return done();
    this.#state = 'writing';
    write(this.#descriptor, chunk, (error, written = 0) => {
      this.#state = 'idle';
      if (this.destroyed) this.#close();
      else if (error !== null && error.code !== 'EAGAIN') return done(error);
      else if (written < chunk.length)
        return void setTimeout(
          () => this._write(chunk.subarray(written), 'buffer', done),
          written > 0 ? 0 : pause,
        ).unref();
      return done();
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    this._write(endOfInput, 'buffer', done);
  }

  /** Waits for a write in progress before it closes the descriptor, because another file may soon get that number. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (this.#state === 'idle') this.#close();
    done(error);
  }

  #close(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    closeSync(this.#descriptor);
  }
}

export interface Begun {
  readonly running: RunningBox;
  readonly streams: TerminalStreams;
}

/** The terminal is displayed by one that knows the usual sequences. The command's environment may name another kind. */
const kindOfTerminal = { TERM: 'xterm-256color' } as const;

/** Starts a command at its own terminal. No other session has that terminal, and the user's shell does not see it. */
export function startAtTerminal(session: Session, command: BoxOptions, size: TerminalSize): Begun {
  const plan = planBox(session, { ...command, environment: { ...kindOfTerminal, ...command.environment } });
  const terminal = openOwnTerminal(size);
  const { side } = terminal;
  try {
    const running = startBox(session, plan, { stdio: [side, side, side], stderr: 'terminal', terminal: 'own' });
    return { running, streams: terminal.open() };
  } catch (error) {
    terminal.close();
    throw error;
  }
}
