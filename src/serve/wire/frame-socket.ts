import type { Socket } from 'node:net';
import { serveLimits } from '../limits.ts';
import { encodeWireFrame, WireFrameReader, type Frame } from './frame.ts';

export interface FrameListener {
  /** May throw `HF_SERVE_PROTOCOL`. */
  readonly hear: (frame: Frame) => void;
  /** Called if the bytes are invalid, or `hear` threw. Nothing more is read. */
  readonly failed: (error: unknown) => void;
  /** Called once, for any reason. */
  readonly closed: () => void;
}

interface Waiting {
  readonly frame: Frame;
  readonly done: (sent: 'sent' | 'lost') => void;
}

/**
 * Frames over a socket. If a peer does not read, senders of streams wait. If messages for it pile up, its own messages
 * are not read either.
 */
export class FrameSocket {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  #deaf = false;

  constructor(socket: Socket, listener: FrameListener) {
    this.#socket = socket;
    const reader = new WireFrameReader();
    socket.on('data', (bytes) => {
      if (this.#deaf) return;
      try {
        for (const frame of reader.push(bytes)) if (!this.#deaf) listener.hear(frame);
      } catch (error) {
        this.#deaf = true;
        listener.failed(error);
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroySoon());
    socket.on('drain', () => this.#pump());
    socket.on('close', () => {
      for (const { done } of this.#waiting.splice(0)) done('lost');
      listener.closed();
    });
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** Sends at once. For small frames that the peer requested. */
  send(frame: Frame): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return;
    this.#socket.write(encodeWireFrame(frame));
    if (this.#socket.writableLength > serveLimits.unsent) this.#socket.pause();
  }

  /** Sends once the peer has taken earlier frames, in the order of the calls. */
  sendInTurn(frame: Frame): Promise<'sent' | 'lost'> {
    return new Promise((done) => {
      this.#waiting.push({ frame, done });
      this.#pump();
    });
  }

  /**
   * Sends and reads nothing more. The last bytes go to the kernel, without a long wait for a peer that does not read
   * them.
   */
  end(): void {
    this.#deaf = true;
    this.#socket.destroySoon();
    setTimeout(() => this.#socket.destroy(), serveLimits.goodbye).unref();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #pump(): void {
    const socket = this.#socket;
    while (this.#waiting.length > 0 && (socket.destroyed || !socket.writableNeedDrain)) {
      const next = this.#waiting.shift();
      if (socket.destroyed || socket.writableEnded) next?.done('lost');
      else if (next !== undefined) {
        socket.write(encodeWireFrame(next.frame));
        next.done('sent');
      }
    }
    if (!socket.writableNeedDrain && socket.isPaused()) socket.resume();
  }
}
