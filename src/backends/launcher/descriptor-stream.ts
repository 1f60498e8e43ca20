import { EventEmitter } from 'node:events';
import { read, writeSync } from 'node:fs';
import process from 'node:process';

/** The stream that a `FrontLauncher` needs: a `net.Socket`, or a `DescriptorStream`. */
export interface FrontStream extends Pick<EventEmitter, 'on' | 'once'> {
  readonly destroyed: boolean;
  write(bytes: Uint8Array | string): boolean;
  end(bytes: Uint8Array): unknown;
  destroy(): unknown;
  /** Of a socket: sends the bytes that it has kept back. */
  uncork?(): void;
  ref(): unknown;
  unref(): unknown;
}

export interface DescriptorStreamOptions {
  readonly descriptor: number;
  /** PID of the parent at the other end. */
  readonly peer: number;
  /** Sent with the first bytes that are written. */
  readonly first?: Uint8Array;
}

const mostRead = 65_536;

/**
 * The stream to the parent process, which a thread reads with plain reads. `node:net` would take as long to load as all
 * other code of a run. Emits `data`, `end` and `close`. A pending read keeps the descriptor open, so this process has
 * to end by a signal.
 */
export class DescriptorStream extends EventEmitter implements FrontStream {
  readonly #descriptor: number;
  readonly #peer: number;
  readonly #buffer = Buffer.allocUnsafe(mostRead);
  #first: Uint8Array | undefined;
  #state: 'unread' | 'read' | 'destroyed' = 'unread';

  constructor({ descriptor, peer, first }: DescriptorStreamOptions) {
    super();
    this.#descriptor = descriptor;
    this.#peer = peer;
    this.#first = first;
  }

  get destroyed(): boolean {
    return this.#state === 'destroyed';
  }

  write(bytes: Uint8Array | string): boolean {
    if (this.destroyed) return false;
    const piece = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    this.#send(this.#first === undefined ? piece : Buffer.concat([this.#first, piece]));
    this.#first = undefined;
    if (this.#state === 'unread') this.#read();
    return !this.destroyed;
  }

  end(bytes: Uint8Array): void {
    this.write(bytes);
  }

  /**
   * Closing the stream cannot reach the parent while a read is pending, so the parent gets a signal. If another process
   * has become the parent, it gets none.
   */
  destroy(): void {
    if (this.destroyed) return;
    this.#close();
    if (process.ppid === this.#peer) process.kill(this.#peer, 'SIGKILL');
  }

  ref(): void {}

  unref(): void {}

  #send(bytes: Uint8Array): void {
    try {
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(this.#descriptor, bytes, sent);
    } catch {
      this.#close();
    }
  }

  #read(): void {
    this.#state = 'read';
    read(this.#descriptor, this.#buffer, 0, mostRead, null, (error, length) => {
      if (this.destroyed) return;
      if (error !== null || length === 0) return this.#hearEnd();
      this.emit('data', Buffer.from(this.#buffer.subarray(0, length)));
      this.#read();
    });
  }

  /** The launcher sends no more, but may still read. */
  #hearEnd(): void {
    this.emit('end');
  }

  #close(): void {
    this.#state = 'destroyed';
    process.nextTick(() => this.emit('close'));
  }
}
