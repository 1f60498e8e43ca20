import { HoldfastError } from '../../errors/index.ts';
import { serveLimits } from '../limits.ts';

/**
 * By their numbers on the wire. `end`: the client has no more input. `credit`: this many bytes of the stream were
 * consumed, and as many may follow.
 */
const frameTypes = ['message', 'stdin', 'stdout', 'stderr', 'end', 'credit'] as const;
export type FrameType = (typeof frameTypes)[number];

/** Bytes of a payload. */
const mostBytes: Readonly<Record<FrameType, number>> = {
  message: serveLimits.message,
  stdin: serveLimits.piece,
  stdout: serveLimits.piece,
  stderr: serveLimits.piece,
  end: 0,
  credit: 4,
};

export interface Frame {
  readonly type: FrameType;
  /** Number of the request, chosen by its client. 0 is the connection itself. */
  readonly channel: number;
  readonly payload: Buffer;
}

/** Length of the payload, type, channel: 4, 1 and 4 bytes, big-endian. */
const headSize = 9;

/** Throws `HF_SERVE_LIMIT` for a payload that is too long. */
export function encodeWireFrame({ type, channel, payload }: Frame): Buffer {
  if (payload.length > mostBytes[type])
    throw new HoldfastError('HF_SERVE_LIMIT', `${payload.length} bytes are too many for one ${type} to the server`, {
      remedy: `send at most ${mostBytes[type]} bytes: use fewer arguments or variables`,
    });
  const bytes = Buffer.allocUnsafe(headSize + payload.length);
  bytes.writeUInt32BE(payload.length, 0);
  bytes.writeUInt8(frameTypes.indexOf(type), 4);
  bytes.writeUInt32BE(channel, 5);
  payload.copy(bytes, headSize);
  return bytes;
}

/**
 * Splits a peer's bytes into frames. Keeps less than one frame, and copies each byte at most a few times, however small
 * the pieces are.
 */
export class WireFrameReader {
  #parts: Buffer[] = [];
  #length = 0;

  /**
   * Returns the frames that these bytes complete. Throws `HF_SERVE_PROTOCOL`, after which later bytes are meaningless.
   */
  push(bytes: Buffer): readonly Frame[] {
    if (bytes.length > 0) this.#parts.push(bytes);
    this.#length += bytes.length;
    const frames: Frame[] = [];
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) frames.push(frame);
    return frames;
  }

  #next(): Frame | undefined {
    if (this.#length < headSize) return undefined;
    const head = this.#first(headSize);
    const [size, number, channel] = [head.readUInt32BE(0), head.readUInt8(4), head.readUInt32BE(5)];
    const type = frameTypes[number];
    if (type === undefined) throw malformedFrame(`type ${number}`);
    if (size > mostBytes[type]) throw malformedFrame(`${size} bytes of ${type}`);
    if (type === 'credit' && size !== 4) throw malformedFrame(`credit of ${size} bytes`);
    if (this.#length < headSize + size) return undefined;
    const whole = this.#first(headSize + size);
    this.#drop(whole, headSize + size);
    return { type, channel, payload: whole.subarray(headSize, headSize + size) };
  }

  /** Returns one buffer with at least this many bytes from the start. */
  #first(size: number): Buffer {
    const [first] = this.#parts;
    if (first !== undefined && first.length >= size) return first;
    const all = Buffer.concat(this.#parts);
    this.#parts = [all];
    return all;
  }

  #drop(first: Buffer, size: number): void {
    this.#length -= size;
    if (first.length === size) this.#parts.shift();
    else this.#parts[0] = first.subarray(size);
  }
}

export function malformedFrame(what: string): HoldfastError {
  return new HoldfastError('HF_SERVE_PROTOCOL', `the other side of the server's socket broke the protocol: ${what}`, {
    remedy: 'use the same version of holdfast on both sides: `holdfast stop --server`, then start it again',
  });
}
