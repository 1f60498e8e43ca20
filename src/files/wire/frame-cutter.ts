import { largestFrame } from './reply.ts';

/** One frame without its length. */
export interface Frame {
  readonly id: number;
  readonly kind: number;
  readonly payload: Buffer;
}

const lengthSize = 4;
const headerSize = 5;

/** Cuts a byte stream into frames; what is not whole yet is kept in pieces, so that a large frame is copied once. */
export class FrameCutter {
  #pieces: Buffer[] = [];
  #held = 0;
  /** Bytes that must be there before another look is worth it. */
  #needed = lengthSize;

  push(chunk: Buffer): Frame[] {
    this.#pieces.push(chunk);
    this.#held += chunk.length;
    return this.#held < this.#needed ? [] : this.#cut(this.#joined());
  }

  #joined(): Buffer {
    return this.#pieces.length === 1 ? (this.#pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#pieces, this.#held);
  }

  #cut(bytes: Buffer): Frame[] {
    const frames: Frame[] = [];
    let at = 0;
    let needed = lengthSize;
    while (bytes.length - at >= needed) {
      const size = frameSize(bytes, at);
      needed = lengthSize + size;
      if (bytes.length - at < needed) break;
      frames.push({ id: bytes.readUInt32LE(at + 4), kind: bytes[at + 8] ?? 0, payload: bytes.subarray(at + lengthSize + headerSize, at + needed) });
      at += needed;
      needed = lengthSize;
    }
    this.#keep(bytes.subarray(at), needed);
    return frames;
  }

  #keep(rest: Buffer, needed: number): void {
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
    this.#needed = needed;
  }
}

function frameSize(bytes: Buffer, at: number): number {
  const size = bytes.readUInt32LE(at);
  if (size < headerSize || size > largestFrame) throw new RangeError(`a frame of ${size} bytes`);
  return size;
}
