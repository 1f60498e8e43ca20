/** The front's data about a typed command. */
export interface FrontRequest {
  /** Absolute path. */
  readonly cwd: string;
  /** Arguments after `holdfast`. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Whether each standard stream is a terminal. */
  readonly terminals: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
}

/** Bytes. More than the kernel allows for starting a program. */
export const mostBytes = 8 * 1024 * 1024;
const head = 8;
const numbers = 12;

/** Collects one request: `HFQ1`, u32 length; u32 terminals, u32 words, u32 variables; texts that end with NUL. */
export class FrontRequestReader {
  #held: Buffer = Buffer.alloc(0);
  #pieces: Buffer[] = [];
  #length = 0;

  /** Returns the request once it is complete. Throws `RangeError` for bytes that no front sends. */
  push(chunk: Buffer): FrontRequest | undefined {
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    if (this.#length < head) return undefined;
    if (this.#held.length < head) this.#join();
    const wanted = head + lengthOf(this.#held);
    if (this.#length < wanted) return undefined;
    if (this.#length > wanted) throw new RangeError('a front that says more than its question');
    this.#join();
    return readRequest(this.#held.subarray(head));
  }

  #join(): void {
    this.#held = Buffer.concat([this.#held, ...this.#pieces]);
    this.#pieces = [];
  }
}

function lengthOf(bytes: Buffer): number {
  const length = bytes.readUInt32LE(4);
  if (bytes.toString('latin1', 0, 4) !== 'HFQ1' || length < numbers || length > mostBytes)
    throw new RangeError('no question of a front');
  return length;
}

function readRequest(bytes: Buffer): FrontRequest {
  const [terminals, words, variables] = [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  const texts = textsOf(bytes.subarray(numbers));
  if (terminals > 7 || texts.length !== 1 + words + variables) throw new RangeError('a question that counts wrong');
  const [cwd = ''] = texts;
  if (!cwd.startsWith('/')) throw new RangeError('a question from nowhere');
  const shown = { stdin: (terminals & 1) !== 0, stdout: (terminals & 2) !== 0, stderr: (terminals & 4) !== 0 };
  return {
    cwd,
    words: texts.slice(1, 1 + words),
    environment: environmentOf(texts.slice(1 + words)),
    terminals: shown,
  };
}

/** Arguments need not be UTF-8. Node handles invalid ones in its own way. */
function textsOf(bytes: Buffer): readonly string[] {
  if (bytes.at(-1) !== 0) throw new RangeError('a text that does not end');
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return decoder.decode(bytes.subarray(0, -1)).split('\0');
}

/**
 * Like `process.env`: programs see the first of two variables with one name, and texts that are not variables are left
 * out.
 */
function environmentOf(texts: readonly string[]): FrontRequest['environment'] {
  const pairs = texts.flatMap((text): readonly (readonly [string, string])[] => {
    const end = text.indexOf('=');
    return end < 1 ? [] : [[text.slice(0, end), text.slice(end + 1)]];
  });
  return Object.fromEntries(pairs.toReversed());
}
