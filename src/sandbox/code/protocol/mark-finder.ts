/** Finds a mark in a stream, in whatever pieces it comes. The mark starts with a NUL, and has no other. */
export class MarkFinder {
  readonly #mark: Buffer;
  /** What may be the beginning of the mark. */
  #held: Buffer = nothing;

  constructor(mark: string) {
    this.#mark = Buffer.from(mark);
  }

  /** `before`: what is surely none of it. `after`: what follows the mark, once it has come; then the finder is as new. */
  push(chunk: Buffer): { readonly before: Buffer; readonly after?: Buffer } {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(this.#mark);
    this.#held = at === -1 ? bytes.subarray(this.#beginning(bytes)) : nothing;
    return at === -1 ? { before: bytes.subarray(0, bytes.length - this.#held.length) } : { before: bytes.subarray(0, at), after: bytes.subarray(at + this.#mark.length) };
  }

  /** What is held when nothing more comes. */
  end(): Buffer {
    const held = this.#held;
    this.#held = nothing;
    return held;
  }

  #beginning(bytes: Buffer): number {
    const from = bytes.lastIndexOf(0);
    const isBeginning = from !== -1 && bytes.length - from < this.#mark.length && this.#mark.subarray(0, bytes.length - from).equals(bytes.subarray(from));
    return isBeginning ? from : bytes.length;
  }
}

const nothing = Buffer.alloc(0);
