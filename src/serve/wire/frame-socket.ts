import type { Socket } from 'node:net';
import { serveLimits } from '../limits.ts';
import { encodeWireFrame, WireFrameReader, type Frame } from './frame.ts';

export interface FrameListener {
  /** May throw `HF_SERVE_PROTOCOL`. */
  readonly hear: (frame: Frame) => void;
  /** What came is none of the protocol, or hearing it failed; nothing more is heard. */
  readonly failed: (error: unknown) => void;
  /** Once, however it came about. */
  readonly closed: () => void;
}

interface Waiting {
  readonly frame: Frame;
  readonly done: (sent: 'sent' | 'lost') => void;
}

/**
 * Frames over a socket. A peer that does not read makes those wait who send it streams, and is not listened to when
 * messages for it pile up.
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

  /** At once. For what is small and as often as the peer asks for it. */
  send(frame: Frame): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return;
    this.#socket.write(encodeWireFrame(frame));
    if (this.#socket.writableLength > serveLimits.unsent) this.#socket.pause();
  }

  /** When the peer has taken what was sent before; first come, first served. */
  sendInTurn(frame: Frame): Promise<'sent' | 'lost'> {
    return new Promise((done) => {
      this.#waiting.push({ frame, done });
      this.#pump();
    });
  }

  /**
   * Says no more and hears no more. The last words are given to the kernel; nobody waits long for a peer that does not
   * take them.
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
