import { EventEmitter } from 'node:events';
import { closeSync, constants as files, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { LauncherProcess } from '../backend.ts';
import { signalOrder } from './launch.ts';

/** A nursery's report of a launcher. */
export interface Forked {
  readonly pid: number;
  /** Inodes of the pipes at its descriptors 0 to 2. */
  readonly pipes: readonly number[];
  /** This end of its control stream, as a Node handle. */
  readonly control: object;
}

/**
 * A launcher that a nursery has forked, with the interface that `spawn` returns. The control stream reports the status.
 * When that stream ends, the launcher has ended. Throws if its pipes cannot be opened.
 */
export class ForkedLauncher extends EventEmitter implements LauncherProcess {
  readonly pid: number;
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;
  readonly stdio: readonly [Socket, Socket, Socket, Socket];
  readonly connected = false;
  readonly signalCode = null;
  exitCode: number | null = null;
  readonly #control: Socket;

  constructor({ pid, pipes, control }: Forked) {
    super();
    this.pid = pid;
    const [stdin, stdout, stderr] = openPipes(pid, pipes);
    this.stdin = new Socket({ fd: stdin, readable: false, writable: true });
    this.stdout = new Socket({ fd: stdout, readable: true, writable: false });
    this.stderr = new Socket({ fd: stderr, readable: true, writable: false });
    this.#control = new Socket({ handle: control, readable: true, writable: true } as object);
    this.stdio = [this.stdin, this.stdout, this.stderr, this.#control];
    // A launcher that dies early breaks the stream. Only the end of the stream counts.
    this.#control.on('error', () => undefined);
    this.#control.once('close', () => this.#end());
  }

  /** The launcher passes signals on to the command. If it has no control stream any more, it ends the box. */
  kill(signal: NodeJS.Signals = 'SIGTERM'): boolean {
    if (this.exitCode !== null) return false;
    if (signal === 'SIGKILL') this.#control.destroy();
    else this.#control.write(signalOrder(signal));
    return true;
  }

  ref(): void {
    for (const socket of this.stdio) socket.ref();
  }

  unref(): void {
    for (const socket of this.stdio) socket.unref();
  }

  /** Ends a launcher without a plan. Resolves when it has ended. */
  async dismiss(): Promise<void> {
    if (this.exitCode !== null) return;
    const ended = new Promise<void>((resolve) => void this.once('exit', () => resolve()));
    this.ref();
    for (const socket of [this.stdin, this.stdout, this.stderr]) socket.destroy();
    this.#control.resume().end();
    await ended;
  }

  /** Reads and drops unread data, as Node does for its children. */
  #end(): void {
    this.exitCode = 0;
    this.emit('exit', null, null);
    for (const stream of [this.stdout, this.stderr]) if (stream.readable) process.nextTick(() => stream.resume());
  }
}

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = files;

/**
 * Opens the other ends of the pipes and checks their inodes, because the PID of an ended launcher may belong to another
 * process.
 */
function openPipes(pid: number, inodes: readonly number[]): readonly [number, number, number] {
  const opened: number[] = [];
  try {
    for (const [stream, inode] of inodes.entries()) {
      const descriptor = openSync(`/proc/${pid}/fd/${stream}`, (stream === 0 ? O_WRONLY : O_RDONLY) | O_NONBLOCK);
      opened.push(descriptor);
      const stats = fstatSync(descriptor);
      if (!stats.isFIFO() || stats.ino !== inode)
        throw new Error(`descriptor ${stream} of process ${pid} is not the pipe that its nursery made`);
    }
    return opened as unknown as readonly [number, number, number];
  } catch (error) {
    for (const descriptor of opened) closeSync(descriptor);
    throw error;
  }
}
