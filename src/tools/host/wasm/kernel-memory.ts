import { ToolFailure } from '../engine.ts';

/** Everything starts here: 0 means nothing in Extism's interface. */
const first = 8;

/**
 * The memory outside of a guest through which Extism's interface hands over input, output and answers: blocks that the
 * guest asks for and frees. It has the same cap as the guest's own.
 */
export class KernelMemory {
  readonly #memory: ArrayBuffer;
  readonly #lengths = new Map<number, number>();
  /** Freed blocks by their room. */
  readonly #free = new Map<number, number[]>();
  #top = first;

  constructor(most: number) {
    this.#memory = new ArrayBuffer(0, { maxByteLength: most });
  }

  /** Where a block of so many bytes begins; a multiple of eight. Throws `ToolFailure` when there is no room. */
  alloc(length: number): number {
    const room = Math.max(8, Math.ceil(length / 8) * 8);
    const at = this.#free.get(room)?.pop() ?? this.#grow(room, length);
    this.#lengths.set(at, length);
    return at;
  }

  /** What is no block is left alone: the interface has no way to say so. */
  release(at: number): void {
    const length = this.#lengths.get(at);
    if (length === undefined) return;
    this.#lengths.delete(at);
    const room = Math.max(8, Math.ceil(length / 8) * 8);
    const others = this.#free.get(room);
    if (others === undefined) this.#free.set(room, [at]);
    else others.push(at);
  }

  /** 0 for what is no block. */
  length(at: number): number {
    return this.#lengths.get(at) ?? 0;
  }

  /** The bytes from there on. Throws `ToolFailure` beyond what was ever given out. */
  view(at: number, length: number): DataView {
    if (!(at >= first && length >= 0 && at + length <= this.#top))
      throw new ToolFailure('trapped', 'it used memory outside of its blocks');
    return new DataView(this.#memory, at, length);
  }

  /** A copy of a whole block, or of a part of the memory. */
  read(at: number, length = this.length(at)): Buffer {
    if (at === 0 && length === 0) return Buffer.alloc(0);
    if (length === 0) return Buffer.alloc(0);
    const { buffer, byteOffset, byteLength } = this.view(at, length);
    return Buffer.from(new Uint8Array(buffer, byteOffset, byteLength));
  }

  /** Puts bytes into a new block. */
  put(bytes: Uint8Array): number {
    const at = this.alloc(bytes.length);
    if (bytes.length > 0) new Uint8Array(this.#memory, at, bytes.length).set(bytes);
    return at;
  }

  #grow(room: number, length: number): number {
    const at = this.#top;
    const wanted = at + room;
    if (!(wanted <= this.#memory.maxByteLength))
      throw new ToolFailure('memory', `it asked for a block of ${length} bytes, and has no room left`);
    if (wanted > this.#memory.byteLength)
      this.#memory.resize(Math.min(this.#memory.maxByteLength, Math.max(wanted, this.#memory.byteLength * 2)));
    this.#top = wanted;
    return at;
  }
}
