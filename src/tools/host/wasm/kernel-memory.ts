import { ToolFailure } from '../engine.ts';

/** The first address. In Extism's interface, 0 means nothing. */
const first = 8;

/**
 * The memory outside a guest through which Extism's interface passes input, output and answers. The guest allocates and
 * frees its blocks. It has the same cap as the guest's own memory.
 */
export class KernelMemory {
  readonly #memory: ArrayBuffer;
  readonly #lengths = new Map<number, number>();
  /** Freed blocks by size. */
  readonly #free = new Map<number, number[]>();
  #top = first;

  constructor(most: number) {
    this.#memory = new ArrayBuffer(0, { maxByteLength: most });
  }

  /** Returns where a new block starts, at a multiple of eight. Throws `ToolFailure` if no room is left. */
  alloc(length: number): number {
    const room = Math.max(8, Math.ceil(length / 8) * 8);
    const at = this.#free.get(room)?.pop() ?? this.#grow(room, length);
    this.#lengths.set(at, length);
    return at;
  }

  /** Frees a block. Ignores other addresses, because the interface has no errors. */
  release(at: number): void {
    const length = this.#lengths.get(at);
    if (length === undefined) return;
    this.#lengths.delete(at);
    const room = Math.max(8, Math.ceil(length / 8) * 8);
    const others = this.#free.get(room);
    if (others === undefined) this.#free.set(room, [at]);
    else others.push(at);
  }

  /** Returns the length of a block, or 0 for any other address. */
  length(at: number): number {
    return this.#lengths.get(at) ?? 0;
  }

  /** Returns a view that starts at an address. Throws `ToolFailure` beyond the allocated memory. */
  view(at: number, length: number): DataView {
    if (!(at >= first && length >= 0 && at + length <= this.#top))
      throw new ToolFailure('trapped', 'it used memory outside its blocks');
    return new DataView(this.#memory, at, length);
  }

  /** Copies a whole block, or a part of the memory. */
  read(at: number, length = this.length(at)): Buffer {
    if (at === 0 && length === 0) return Buffer.alloc(0);
    if (length === 0) return Buffer.alloc(0);
    const { buffer, byteOffset, byteLength } = this.view(at, length);
    return Buffer.from(new Uint8Array(buffer, byteOffset, byteLength));
  }

  /** Stores bytes in a new block. */
  put(bytes: Uint8Array): number {
    const at = this.alloc(bytes.length);
    if (bytes.length > 0) new Uint8Array(this.#memory, at, bytes.length).set(bytes);
    return at;
  }

  #grow(room: number, length: number): number {
    const at = this.#top;
    const wanted = at + room;
    if (!(wanted <= this.#memory.maxByteLength))
      throw new ToolFailure('memory', `it asked for a block of ${length} bytes, but has no room left`);
    if (wanted > this.#memory.byteLength)
      this.#memory.resize(Math.min(this.#memory.maxByteLength, Math.max(wanted, this.#memory.byteLength * 2)));
    this.#top = wanted;
    return at;
  }
}
