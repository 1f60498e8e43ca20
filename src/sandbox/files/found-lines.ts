/** A line that a search found, as bytes. */
export interface FoundLine {
  readonly path: Buffer;
  /** 1 for the first. */
  readonly line: number;
  /** At most 500 bytes of it. */
  readonly text: Buffer;
}

const longestText = 500;
/** Of a path, a number and a text. */
const longestRecord = 4096 + 32 + longestText;
const [lineFeed, colon] = [0x0a, 0x3a];

/** Takes `PATH NUL LINE : TEXT` apart as it comes. Of a line that is too long the start is kept and the rest dropped. */
export class FoundLines {
  readonly lines: FoundLine[] = [];
  readonly #limit: number;
  #isFull = false;
  #open = Buffer.alloc(0);

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether more was found than is wanted. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Whether more may be pushed. */
  push(chunk: Buffer): boolean {
    let at = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, at)) {
      if (!this.#add(this.#opened(chunk.subarray(at, end)))) return false;
      this.#open = Buffer.alloc(0);
      at = end + 1;
    }
    this.#open = Buffer.from(this.#opened(chunk.subarray(at)));
    return true;
  }

  #opened(more: Buffer): Buffer {
    const room = Math.max(0, longestRecord - this.#open.length);
    return this.#open.length === 0 ? more.subarray(0, room) : Buffer.concat([this.#open, more.subarray(0, room)]);
  }

  #add(record: Buffer): boolean {
    const end = record.indexOf(0);
    const start = record.indexOf(colon, end);
    // What is no record is a line of ripgrep's own, as about a binary file.
    if (end === -1 || start === -1) return true;
    if (this.lines.length === this.#limit) this.#isFull = true;
    else this.lines.push({ path: Buffer.from(withoutDot(record.subarray(0, end))), line: Number(record.subarray(end + 1, start).toString()), text: Buffer.from(record.subarray(start + 1, start + 1 + longestText)) });
    return !this.#isFull;
  }
}

function withoutDot(path: Buffer): Buffer {
  return path.subarray(0, 2).toString() === './' ? path.subarray(2) : path;
}
