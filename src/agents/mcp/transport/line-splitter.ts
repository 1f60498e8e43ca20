/** One line of the input, or the fact that it was too long. */
export type SplitLine = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too-long' };

const lineFeed = 0x0a;
/** Chunks kept unjoined. */
const mostParts = 1024;

/** Splits a stream into lines. Drops a line that is too long; the next one is whole again. */
export class LineSplitter {
  readonly #longest: number;
  #whole: Buffer[] = [];
  #parts: Buffer[] = [];
  #size = 0;
  #isTooLong = false;

  /** `longest`: bytes of a line. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Yields the lines that end in this chunk. A line that is too long is reported once, as soon as it is. */
  *push(chunk: Buffer): Generator<SplitLine, void> {
    let at = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, at)) {
      yield* this.#add(chunk.subarray(at, end));
      if (!this.#isTooLong) yield { kind: 'line', text: Buffer.concat([...this.#whole, ...this.#parts]).toString() };
      this.#clear();
      this.#isTooLong = false;
      at = end + 1;
    }
    yield* this.#add(chunk.subarray(at));
  }

  *#add(part: Buffer): Generator<SplitLine, void> {
    if (this.#isTooLong || part.length === 0) return;
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#parts.length === mostParts) this.#join();
    if (this.#size <= this.#longest) return;
    this.#clear();
    this.#isTooLong = true;
    yield { kind: 'too-long' };
  }

  /** Attack: a line of megabytes that comes one byte at a time, each of which would take hundreds of bytes. */
  #join(): void {
    this.#whole.push(Buffer.concat(this.#parts));
    this.#parts = [];
  }

  #clear(): void {
    this.#whole = [];
    this.#parts = [];
    this.#size = 0;
  }
}
