import { createSocket } from 'node:dgram';
import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { takeDescriptor } from '../../kernel/index.ts';
import type { AdoptedLauncher, LauncherProcess, LentHandle, NetworkSink } from '../backend.ts';
import type { FrontStream } from './descriptor-stream.ts';
import { orders, signalOrder } from './launch.ts';

/**
 * The supervisor's view of a launcher that a person's own process has become. When its control stream ends, the
 * launcher has ended. The person's signals reach it directly, not through the supervisor.
 */
export class FrontLauncher extends EventEmitter implements LauncherProcess, AdoptedLauncher {
  readonly pid: number;
  readonly stdin = null;
  readonly stdout = null;
  readonly stderr = null;
  readonly stdio: LauncherProcess['stdio'];
  readonly connected = false;
  readonly signalCode = null;
  exitCode: number | null = null;
  readonly #socket: FrontStream;
  readonly #control: Control;
  readonly #take: typeof takeDescriptor | undefined;

  /**
   * `socket`: its question has been read to the end. A socket of Node needs `allowHalfOpen`. `take`: for a box with a
   * network.
   */
  constructor(pid: number, socket: FrontStream, take?: typeof takeDescriptor) {
    super();
    this.pid = pid;
    this.#take = take;
    this.#socket = socket;
    this.#control = new Control(socket);
    this.stdio = [null, null, null, this.#control as unknown as Duplex];
    socket.on('data', (chunk: Buffer) => this.#control.emit('data', chunk));
    const end = (): void => this.#end();
    socket.once('end', end).once('close', end);
  }

  get process(): LauncherProcess {
    return this;
  }

  /** The launcher passes signals on to the command. If it has no control stream any more, it ends the box. */
  kill(signal: NodeJS.Signals = 'SIGTERM'): boolean {
    if (this.exitCode !== null) return false;
    if (signal === 'SIGKILL') this.#socket.destroy();
    else this.#socket.write(signalOrder(signal));
    return true;
  }

  /** The launcher keeps its descriptor open until this process reports that it has its own. */
  take({ descriptor, text }: LentHandle, sink: NetworkSink): void {
    const { type, msg, ...plain } = JSON.parse(text) as NodeHandle;
    const { listener, reach, forward } = msg ?? plain;
    if (descriptor === undefined) {
      if (forward !== undefined) return sink.forwarded(forward, undefined);
      if (reach !== undefined) return sink.complete(reach);
      throw new SyntaxError('a handle of a launcher without a descriptor');
    }
    if (this.#take === undefined) throw new SyntaxError('a handle of a box without a network');
    const fd = this.#take(this.pid, descriptor);
    this.#socket.write(numbered(orders.held, descriptor));
    if (forward !== undefined) sink.forwarded(forward, { fd });
    else if (listener === 'dns' && type === 'dgram.Socket') sink.dns(createSocket('udp4').bind({ fd }));
    else sink.tcp({ fd });
  }

  /** Writes to the person's stderr after the box has ended. */
  say(text: string): void {
    if (text === '' || this.#socket.destroyed) return;
    const bytes = Buffer.from(text);
    this.#socket.write(Buffer.concat([numbered(orders.words, bytes.length), bytes]));
  }

  /** Sends the last order: the person's exit status. */
  finish(status: number): void {
    if (!this.#socket.destroyed) this.#socket.end(Buffer.from([orders.exit, status]));
  }

  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  #end(): void {
    if (this.exitCode !== null) return;
    this.exitCode = 0;
    this.#control.emit('close');
    this.emit('exit', null, null);
  }
}

/** The messages that Node's own children send, with and without a handle. */
interface NodeHandle extends HandleNews {
  readonly type?: string;
  readonly msg?: HandleNews;
}

interface HandleNews {
  readonly listener?: string;
  readonly reach?: 'every-port' | 'listed-ports';
  readonly forward?: number;
}

/** The control stream. It ends when the launcher sends no more, but this process may still write to it. */
class Control extends EventEmitter {
  readonly #socket: FrontStream;

  constructor(socket: FrontStream) {
    super();
    this.#socket = socket;
  }

  write(bytes: Uint8Array | string): void {
    if (this.#socket.destroyed) return;
    this.#socket.write(bytes);
    // The plan comes first. The launcher builds the box from it while this process writes the journal.
    this.#socket.uncork?.();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

function numbered(order: number, value: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(order, 0);
  bytes.writeUInt32LE(value, 1);
  return bytes;
}
