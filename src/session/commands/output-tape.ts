import type { Readable } from 'node:stream';

export type OutputName = 'stdout' | 'stderr';

export interface OutputChunk {
  readonly stream: OutputName;
  readonly data: Buffer;
  /** Bytes of either stream before this chunk that are not kept any more, and that this reader has not been given. */
  readonly missing: number;
}

interface Kept extends OutputChunk {
  /** Bytes that came before it. */
  readonly start: number;
}

/** What an object costs beside its bytes: a program that writes single bytes must not cost more than is said. */
const overhead = 256;

/** The last of what a command has printed, in the order in which it came, for any number of readers. */
export class OutputTape {
  readonly #limit: number;
  readonly #chunks: Kept[] = [];
  readonly #waiting = new Set<() => void>();
  #cost = 0;
  #length = 0;
  /** Number of the first chunk that is kept. */
  #first = 0;
  #open = 0;

  readonly #count: (length: number) => void;

  /** `limit` in bytes. */
  constructor(limit: number, count: (length: number) => void = () => undefined) {
    this.#limit = limit;
    this.#count = count;
  }

  /** Listens to what enters a stream; who reads it, and how fast, stays the same. */
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

  /** What is kept, then what comes, until all streams have closed. */
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
