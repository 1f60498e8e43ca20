import { serveLimits } from '../limits.ts';
import { malformedFrame, type Frame, type FrameType } from './frame.ts';
import type { FrameSocket } from './frame-socket.ts';
import { encodeJson } from './messages.ts';

export type StreamName = Extract<FrameType, 'stdin' | 'stdout' | 'stderr'>;

export interface StreamPiece {
  readonly stream: StreamName;
  readonly data: Buffer;
}

const noBytes = Buffer.alloc(0);

/** One request, on either side. Its streams have a window in each direction, so that an unread one blocks no other. */
export class WireChannel {
  readonly #socket: FrameSocket;
  readonly #number: number;
  readonly #window = new Window();
  readonly #pieces: StreamPiece[] = [];
  #allowed: number = serveLimits.window;
  #taken = 0;
  #state: 'open' | 'ended' = 'open';
  #wake: () => void = () => undefined;

  constructor(socket: FrameSocket, number: number) {
    this.#socket = socket;
    this.#number = number;
  }

  message(value: object): void {
    this.#socket.send({ type: 'message', channel: this.#number, payload: encodeJson(value) });
  }

  /** Resolves once all of the data is sent, or with `lost` if the other side takes no more. */
  async write(stream: StreamName, data: Buffer): Promise<'sent' | 'lost'> {
    for (let from = 0; from < data.length; ) {
      const size = await this.#window.take(Math.min(data.length - from, serveLimits.piece));
      if (size === 0) return 'lost';
      const payload = data.subarray(from, from + size);
      if ((await this.#socket.sendInTurn({ type: stream, channel: this.#number, payload })) === 'lost') return 'lost';
      from += size;
    }
    return 'sent';
  }

  /** Ends the output. */
  writeEnd(): void {
    this.#socket.send({ type: 'end', channel: this.#number, payload: noBytes });
  }

  /** Handles every frame except messages. Throws `HF_SERVE_PROTOCOL`. */
  hear({ type, payload }: Frame, streams: readonly StreamName[]): void {
    if (type === 'credit') return this.#window.give(payload.readUInt32BE(0));
    if (type === 'end') return this.readEnd();
    const stream = streams.find((name) => name === type);
    if (stream === undefined) throw malformedFrame(`a ${type} from this side`);
    if (payload.length > this.#allowed) throw malformedFrame('more of a stream than was asked for');
    this.#allowed -= payload.length;
    if (this.#state === 'ended') return;
    this.#pieces.push({ stream, data: payload });
    this.#wake();
  }

  /** Yields incoming data for one reader. The other side may send more once a piece is processed. */
  async *read(): AsyncGenerator<StreamPiece, void> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        yield piece;
        this.#credit(piece.data.length);
      } else if (this.#state === 'ended') return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Ends the input. */
  readEnd(): void {
    this.#state = 'ended';
    this.#wake();
  }

  /** Ends both directions. */
  close(): void {
    this.#window.close();
    this.readEnd();
  }

  /** Grants credit in large parts, and always before the other side would have to wait. */
  #credit(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken < serveLimits.window / 4) return;
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(this.#taken);
    this.#allowed += this.#taken;
    this.#taken = 0;
    this.#socket.send({ type: 'credit', channel: this.#number, payload });
  }
}

/** Bytes of a stream that may be sent before the other side has consumed some. */
class Window {
  #left: number = serveLimits.window;
  #closed = false;
  #waiting: (() => void)[] = [];

  /** Waits for room. Returns how many of the bytes may be sent now, or 0 if the other side is gone. */
  async take(wanted: number): Promise<number> {
    while (this.#left === 0 && !this.#closed) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#closed) return 0;
    const taken = Math.min(wanted, this.#left);
    this.#left -= taken;
    return taken;
  }

  /** Throws `HF_SERVE_PROTOCOL` for more credit than was used. */
  give(bytes: number): void {
    if (this.#left + bytes > serveLimits.window) throw malformedFrame('more credit than there is');
    this.#left += bytes;
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
