import type { Readable } from 'node:stream';

export type OutputName = 'stdout' | 'stderr';

export interface OutputChunk {
  readonly stream: OutputName;
  readonly data: Buffer;
  /** Bytes of both streams before this chunk that are no longer kept and that this reader did not get. */
  readonly missing: number;
}

interface Kept extends OutputChunk {
  /** Number of bytes before this chunk. */
  readonly start: number;
}

/**
 * Bytes that an object costs in addition to its content. A program that writes single bytes must not exceed the limit.
 */
const overhead = 256;

/** The last output of a command in its order, for any number of readers. */
export class OutputTape {
  readonly #limit: number;
  readonly #chunks: Kept[] = [];
  readonly #waiting = new Set<() => void>();
  #cost = 0;
  #length = 0;
  /** Number of the first kept chunk. */
  #first = 0;
  #open = 0;

  readonly #count: (length: number) => void;

  /** `limit` in bytes. */
  constructor(limit: number, count: (length: number) => void = () => undefined) {
    this.#limit = limit;
    this.#count = count;
  }

  /** Listens to the chunks of a stream without changing its reader or its pace. */
  record(name: OutputName, stream: Readable): void {
    this.#open += 1;
    const push = stream.push.bind(stream);
    stream.push = (chunk, encoding) => {
      if (chunk !== null && chunk.length > 0) this.#add(name, chunk as Buffer);
      return push(chunk, encoding);
    };
    stream.once('close', () => {
      this.#open -= 1;
      this.#wake();
    });
  }

  /** Yields the kept chunks, then new ones, until all streams have closed. */
  async *read(): AsyncGenerator<OutputChunk, void> {
    let next = this.#first;
    let seen = 0;
    for (;;) {
      const kept = this.#chunks[Math.max(next, this.#first) - this.#first];
      if (kept === undefined && this.#open === 0) return;
      if (kept === undefined) {
        await new Promise<void>((resolve) => this.#waiting.add(resolve));
        continue;
      }
      const missing = kept.start - seen;
      next = Math.max(next, this.#first) + 1;
      seen = kept.start + kept.data.length;
      yield { stream: kept.stream, data: kept.data, missing };
    }
  }

  #add(stream: OutputName, data: Buffer): void {
    this.#chunks.push({ stream, data, missing: 0, start: this.#length });
    this.#length += data.length;
    this.#count(data.length);
    this.#cost += data.length + overhead;
    while (this.#cost > this.#limit && this.#chunks.length > 1) {
      this.#cost -= (this.#chunks.shift()?.data.length ?? 0) + overhead;
      this.#first += 1;
    }
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
