import { closeSync, constants, openSync, write } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { HoldfastError } from '../../errors/index.ts';
import { kernelCall } from '../../kernel/index.ts';
import { openFlags } from '../../notify/perform/open-flags.ts';
import { type BoxOptions, planBox, type Session } from '../session.ts';
import { type RunningBox, startBox } from '../running-box.ts';
import type { TerminalSize } from './command-handle.ts';

/** A terminal for one command: `pty(7)`. */
export interface OwnTerminal {
  /** Descriptor that the command gets as its stdin, stdout and stderr. */
  readonly side: number;
  /** Once the command has it. */
  open(): TerminalStreams;
  /** When there will be no command. */
  close(): void;
}

interface TerminalStreams {
  /** What is typed. Ending it types Ctrl-D. */
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Ends at once: a terminal shows both in one. */
  readonly stderr: Readable;
  resize(size: TerminalSize): void;
}

/**
 * `asm-generic/ioctls.h`; the same on x86-64 and arm64. `TIOCGPTPEER` opens the other side itself, and not what now
 * stands at its path.
 */
const ioctls = { unlock: 0x4004_5431, peer: 0x5441, setSize: 0x5414 } as const;
const duplicateCloseOnExec = 1030;

/** Throws `HF_USAGE` for a size that no terminal has. */
function openOwnTerminal(size: TerminalSize): OwnTerminal {
  checkTerminalSize(size);
  // What is typed must not stop this process when the command does not read it.
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
  // The kernel says so when nobody has the other side any more: that is the end.
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
 * A stream that ends where the terminal is gone: readers of output wait for an end, and take an error for one of
 * theirs.
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
/** Milliseconds between attempts while the command does not read what is typed. */
const pause = 10;

/** Writes to a descriptor of its own that never blocks: libuv would spin on a terminal that is full. */
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

  /** Not while a thread writes to it: the number may soon be another file's. */
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

/**
 * Anyone who shows its output is a terminal that knows the usual sequences; another one is said by the command's
 * environment.
 */
const kindOfTerminal = { TERM: 'xterm-256color' } as const;

/** Starts a command at a terminal of its own, which no other session has and which the user's shell does not see. */
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
