/** Keeps the start of what is pushed, and counts the rest. */
export class KeptStart {
  readonly #chunks: Buffer[] = [];
  #room: number;
  leftOut = 0;

  constructor(most: number) {
    this.#room = most;
  }

  push(chunk: Buffer): void {
    const kept = chunk.length <= this.#room ? chunk : chunk.subarray(0, this.#room);
    if (kept.length > 0) this.#chunks.push(kept);
    this.#room -= kept.length;
    this.leftOut += chunk.length - kept.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
