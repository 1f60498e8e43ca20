import type { FilePath, Files } from '../index.ts';

export interface LineRange {
  /** 1-based number of the first line. Default: 1. */
  readonly from?: number;
  /** Number of lines. Default: 2000. */
  readonly count?: number;
  /** Bytes of all lines. Default: 64 KiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Lines of a file, and the reason for stopping. */
export interface Lines {
  readonly bytes: Buffer;
  readonly from: number;
  /** Number of lines in `bytes`. The last may be cut. */
  readonly count: number;
  /**
   * `end`: the file ends here. `lines`: there are more lines. `bytes`: the lines were too long, and the last one is
   * cut.
   */
  readonly stopped: 'end' | 'lines' | 'bytes';
  /** A file with a null byte at its start is binary, and is not read. */
  readonly form: 'text' | 'binary';
}

const lineFeed = 0x0a;

/** Reads no more than it needs, and keeps at most `maxBytes`. */
export async function readLines(
  files: Pick<Files, 'readStream'>,
  path: FilePath,
  { from = 1, count = 2000, maxBytes = 64 * 1024, signal }: LineRange = {},
): Promise<Lines> {
  const taker = new LineTaker({ from, count, maxBytes });
  for await (const chunk of files.readStream(path) as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    if (!taker.take(chunk)) break;
  }
  return taker.lines();
}

class LineTaker {
  readonly #range: Required<Omit<LineRange, 'signal'>>;
  readonly #kept: Buffer[] = [];
  #size = 0;
  #line = 1;
  #stopped: Lines['stopped'] = 'end';
  #form: Lines['form'] | undefined;

  constructor(range: Required<Omit<LineRange, 'signal'>>) {
    this.#range = range;
  }

  /** Returns whether it needs more. */
  take(chunk: Buffer): boolean {
    this.#form ??= chunk.includes(0) ? 'binary' : 'text';
    if (this.#form === 'binary') return false;
    let at = this.#skip(chunk);
    const { from, count } = this.#range;
    while (at < chunk.length) {
      if (this.#line >= from + count) return this.#stop('lines');
      const end = chunk.indexOf(lineFeed, at);
      const next = end === -1 ? chunk.length : end + 1;
      if (!this.#keep(chunk.subarray(at, next))) return this.#stop('bytes');
      if (end !== -1) this.#line += 1;
      at = next;
    }
    return true;
  }

  lines(): Lines {
    const { from } = this.#range;
    const bytes = Buffer.concat(this.#kept);
    const open = bytes.length > 0 && bytes.at(-1) !== lineFeed ? 1 : 0;
    return {
      bytes,
      from,
      count: Math.max(0, this.#line - from) + open,
      stopped: this.#stopped,
      form: this.#form ?? 'text',
    };
  }

  #skip(chunk: Buffer): number {
    let at = 0;
    while (this.#line < this.#range.from && at < chunk.length) {
      const end = chunk.indexOf(lineFeed, at);
      if (end === -1) return chunk.length;
      this.#line += 1;
      at = end + 1;
    }
    return at;
  }

  #keep(bytes: Buffer): boolean {
    const room = this.#range.maxBytes - this.#size;
    const kept = bytes.length <= room ? bytes : bytes.subarray(0, room);
    // Copies the bytes, so that a few lines do not keep the whole chunk in memory.
    if (kept.length > 0) this.#kept.push(Buffer.from(kept));
    this.#size += kept.length;
    return bytes.length <= room;
  }

  #stop(why: Lines['stopped']): false {
    this.#stopped = why;
    return false;
  }
}
