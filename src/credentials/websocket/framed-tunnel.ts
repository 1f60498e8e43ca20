import { randomBytes } from 'node:crypto';
import { Duplex } from 'node:stream';
import { type Opcode, opcodes, unmask } from './frame-head.ts';

/** The reason that a tunnel ends, which both sides are told. `reason` has at most 123 octets. */
export interface Ending {
  /** Source: RFC 6455 §7.4.1. */
  readonly status: number;
  readonly reason: string;
}

/** Result for the bytes of one side: whole frames, in order. */
export interface Passed {
  readonly onward: readonly Buffer[];
  /** Frames to send back to the side that sent the bytes. Only the client's bytes are answered. */
  readonly back?: readonly Buffer[];
  /** Set if nothing more passes. */
  readonly ending?: Ending;
}

export interface TunnelSides {
  fromClient(chunk: Buffer): Passed;
  fromServer(chunk: Buffer): Passed;
  /** Called when the server has ended. Returns the last frames for the client. */
  atEnd?(): readonly Buffer[];
}

/** Milliseconds for both sides to read the reason that a WebSocket was ended. */
const linger = 2_000;

/**
 * Wraps the tunnel of an opened WebSocket, as the client sees it, with a filter in between. An error of the filter ends
 * the tunnel.
 */
export function framedTunnel(tunnel: Duplex, sides: TunnelSides): Duplex {
  return new FramedTunnel(tunnel, sides);
}

class FramedTunnel extends Duplex {
  readonly #tunnel: Duplex;
  readonly #sides: TunnelSides;
  #state: 'open' | 'stopped' = 'open';
  #reading: 'open' | 'ended' = 'open';
  /** Completes a write, once the client has read the answers to it. */
  #waiting: (() => void) | undefined;

  constructor(tunnel: Duplex, sides: TunnelSides) {
    super();
    this.#tunnel = tunnel;
    this.#sides = sides;
    // Nothing may be read before this class reads.
    tunnel.pause();
    tunnel.on('data', (bytes: Buffer) => this.#orEnd(() => this.#hear(bytes)));
    tunnel.once('end', () =>
      this.#orEnd(() => this.#endReading(this.#state === 'open' ? (sides.atEnd?.() ?? []) : [])),
    );
    tunnel.on('error', (error) => this.destroy(error));
    tunnel.once('close', () => {
      if (!tunnel.readableEnded || !tunnel.writableFinished) this.destroy();
    });
  }

  /** Sets the timeout of the tunnel, because code that waits for silence sets it on this stream. */
  setTimeout(milliseconds: number): this {
    if ('setTimeout' in this.#tunnel && typeof this.#tunnel.setTimeout === 'function')
      this.#tunnel.setTimeout(milliseconds);
    return this;
  }

  override _read(): void {
    this.#tunnel.resume();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#state === 'stopped') return done();
    this.#orEnd(() => this.#say(chunk, done));
  }

  #say(chunk: Buffer, done: () => void): void {
    const { onward, back = [], ending } = this.#sides.fromClient(chunk);
    const hasRoom = onward.length === 0 || this.#tunnel.write(Buffer.concat(onward));
    // Attack: a client that reads no answers would fill the memory with them.
    const isRead = back.length === 0 || this.#reading === 'ended' || this.push(Buffer.concat(back));
    if (ending !== undefined) this.#stop(ending);
    if (ending !== undefined || (hasRoom && isRead)) return done();
    let missing = (hasRoom ? 0 : 1) + (isRead ? 0 : 1);
    const settle = (): void => {
      missing -= 1;
      if (missing === 0) done();
    };
    if (!hasRoom) this.#tunnel.once('drain', settle);
    if (!isRead) this.#waiting = settle;
  }

  override _final(done: () => void): void {
    // After this, the caller closes the tunnel, so the tunnel must have sent everything first.
    this.#tunnel.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#tunnel.destroy();
    done(error);
  }

  /**
   * Reporting a hit may fail, as with a full disk. Such an error would not be caught here, and nothing may pass
   * unrecorded.
   */
  #orEnd(look: () => void): void {
    try {
      look();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error('A WebSocket could not be watched.'));
    }
  }

  #hear(chunk: Buffer): void {
    if (this.#state === 'stopped') return;
    const { onward, ending } = this.#sides.fromServer(chunk);
    if (onward.length > 0 && !this.push(Buffer.concat(onward))) this.#tunnel.pause();
    if (ending !== undefined) this.#stop(ending);
  }

  #endReading(last: readonly Buffer[]): void {
    if (this.#reading === 'ended') return;
    this.#reading = 'ended';
    for (const bytes of last) this.push(bytes);
    this.push(null);
  }

  #stop(ending: Ending): void {
    this.#state = 'stopped';
    if (this.#tunnel.writable) this.#tunnel.end(closeFrame(ending, 'server'));
    this.#tunnel.resume();
    this.#endReading([closeFrame(ending, 'client')]);
    const late = setTimeout(
      () => this.destroy(new Error('A side of a WebSocket did not close after the WebSocket was ended.')),
      linger,
    ).unref();
    this.once('close', () => clearTimeout(late));
  }
}

/** The receiver of a frame. Frames to a server are masked. */
type Receiver = 'client' | 'server';

interface Frame {
  readonly opcode: Opcode;
  readonly isFinal: boolean;
  readonly payload: Buffer;
}

/** Returns one frame, to be written in one piece. Source: RFC 6455 §5.2, and §5.3 for unpredictable masks. */
export function writeFrame({ opcode, isFinal, payload }: Frame, to: Receiver): Buffer {
  const first = (isFinal ? 0x80 : 0) | opcode;
  const length = lengthOctets(payload.length);
  if (to === 'client') return Buffer.concat([Buffer.from([first]), length, payload]);
  length[0] = (length[0] ?? 0) | 0x80;
  const mask = randomBytes(4);
  return Buffer.concat([Buffer.from([first]), length, mask, unmask(payload, { mask, at: 0 })]);
}

/** Returns a frame that ends a WebSocket with a reason. `reason` has at most 123 octets. Source: RFC 6455 §5.5.1. */
export function closeFrame(
  { status, reason }: { readonly status: number; readonly reason: string },
  to: Receiver,
): Buffer {
  const code = Buffer.alloc(2);
  code.writeUInt16BE(status);
  return writeFrame({ opcode: opcodes.close, isFinal: true, payload: Buffer.concat([code, Buffer.from(reason)]) }, to);
}

function lengthOctets(length: number): Buffer {
  if (length < 126) return Buffer.from([length]);
  const octets = Buffer.alloc(length < 0x1_00_00 ? 3 : 9);
  if (octets.length === 3) octets.writeUInt16BE(length, 1);
  else octets.writeBigUInt64BE(BigInt(length), 1);
  octets[0] = octets.length === 3 ? 126 : 127;
  return octets;
}
