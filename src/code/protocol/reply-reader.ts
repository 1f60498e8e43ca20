import { safeParse } from 'valibot';
import * as v from 'valibot';

export interface ReadSome {
  /** Output of the code itself. */
  readonly output: readonly Buffer[];
  readonly replies: readonly CodeReply[];
  /** Bytes after the reply that ends the request. Nothing may be pushed after this. */
  readonly rest?: Buffer;
}

/** Extracts the pieces of one request's replies from a stream that others write to as well. */
export class CodeReplyReader {
  readonly #finder: MarkFinder;
  /** Bytes of an incomplete piece, from its header on. Undefined between pieces. */
  #piece: Buffer | undefined;
  #message: Buffer[] = [];
  #size = 0;
  #count = 0;

  constructor(nonce: string) {
    this.#finder = new MarkFinder(`\0${nonce}`);
  }

  /** Throws `RangeError` for an invalid reply. Nothing may be pushed after this. */
  push(chunk: Buffer): ReadSome {
    const output: Buffer[] = [];
    const replies: CodeReply[] = [];
    for (let bytes: Buffer | undefined = chunk; bytes !== undefined; ) {
      bytes = this.#piece === undefined ? this.#outside(bytes, output) : this.#inside(bytes, replies);
      if (replies.at(-1)?.kind === 'end') return { output, replies, rest: bytes ?? Buffer.alloc(0) };
    }
    return { output, replies };
  }

  /** Returns the bytes that were held back, at the end of the stream. */
  end(): Buffer {
    return this.#finder.end();
  }

  #outside(bytes: Buffer, output: Buffer[]): Buffer | undefined {
    const { before, after } = this.#finder.push(bytes);
    if (before.length > 0) output.push(before);
    if (after !== undefined) this.#piece = Buffer.alloc(0);
    return after;
  }

  /** Returns the bytes after the piece, once it is complete. */
  #inside(bytes: Buffer, replies: CodeReply[]): Buffer | undefined {
    const piece = Buffer.concat([this.#piece ?? Buffer.alloc(0), bytes]);
    const header = headerOf(piece);
    if (header === undefined || piece.length < header.start + header.length) {
      this.#piece = piece;
      return undefined;
    }
    this.#piece = undefined;
    this.#take(piece.subarray(header.start, header.start + header.length));
    if (header.last) replies.push(this.#reply());
    return piece.subarray(header.start + header.length);
  }

  #take(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > largestReply) throw new RangeError(`more than ${largestReply} bytes`);
    this.#message.push(part);
  }

  #reply(): CodeReply {
    this.#count += 1;
    if (this.#count > mostResults + 1) throw new RangeError(`more than ${mostResults} results`);
    const message = Buffer.concat(this.#message);
    this.#message = [];
    return replyOf(message);
  }
}

interface Header {
  readonly start: number;
  readonly length: number;
  readonly last: boolean;
}

const longestHeader = 6;

/** Undefined if the header is incomplete. */
function headerOf(piece: Buffer): Header | undefined {
  const end = piece.subarray(0, longestHeader).indexOf('\n');
  if (end === -1 && piece.length < longestHeader) return undefined;
  const [, kind, digits] = /^([+.])(\d+)$/u.exec(piece.toString('latin1', 0, Math.max(end, 0))) ?? [];
  const length = Number(digits);
  // Attack: empty pieces, each of which costs more memory than it costs to send.
  if (!(length <= largestPiece) || (kind === '+' && length < smallestPart))
    throw new RangeError('a piece without a length');
  return { start: end + 1, length, last: kind === '.' };
}

function replyOf(message: Buffer): CodeReply {
  const { success, output, issues } = safeParse(replySchema, jsonOf(message));
  if (!success) throw new RangeError(`an invalid reply: ${issues[0].message.slice(0, 200)}`);
  return output;
}

function jsonOf(message: Buffer): unknown {
  try {
    return JSON.parse(message.toString());
  } catch {
    throw new RangeError('a reply that is not JSON');
  }
}

/** Most bytes of all answers to one request. The drivers send far fewer. */
export const largestReply = 64 << 20;
/** Most values that one request may show. */
export const mostResults = 1000;
/** Most bytes of one piece. It leaves room beyond the size of the drivers' pieces. */
const largestPiece = 4096;
/** Fewest bytes of a piece that is not the last one. */
const smallestPart = 1024;

const mimeType = v.pipe(v.string(), v.maxLength(100), v.regex(/^[\w.+-]+\/[\w.+-]+$/u));
const format = v.union([
  v.strictObject({ type: mimeType, text: v.string() }),
  v.strictObject({ type: mimeType, base64: v.pipe(v.string(), v.regex(/^[\w+/]*={0,2}$/u)) }),
]);
const formats = v.pipe(v.array(format), v.minLength(1), v.maxLength(32));
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000));

/**
 * Any program in the box may have written the reply. It only gives the result of the code, and is trusted for nothing
 * else.
 */
const replySchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('value'), formats }),
  v.strictObject({ kind: v.literal('display'), formats }),
  v.strictObject({
    kind: v.literal('end'),
    exitCode: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))),
    leftOut: v.optional(count),
    error: v.optional(
      v.strictObject({
        name: v.pipe(v.string(), v.maxLength(1000)),
        message: v.pipe(v.string(), v.maxLength(131_072)),
        traceback: v.pipe(v.string(), v.maxLength(131_072)),
      }),
    ),
  }),
]);

export type CodeReply = v.InferOutput<typeof replySchema>;
export type ReplyFormat = v.InferOutput<typeof format>;

/** Finds a mark in a stream, however the stream is split. The mark begins with a NUL, and contains no other. */
export class MarkFinder {
  readonly #mark: Buffer;
  /** A possible beginning of the mark. */
  #held: Buffer = nothing;

  constructor(mark: string) {
    this.#mark = Buffer.from(mark);
  }

  /**
   * `before`: bytes that cannot belong to the mark. `after`: bytes after the mark, once it has arrived. The finder is
   * then like new.
   */
  push(chunk: Buffer): { readonly before: Buffer; readonly after?: Buffer } {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(this.#mark);
    this.#held = at === -1 ? bytes.subarray(this.#beginning(bytes)) : nothing;
    return at === -1
      ? { before: bytes.subarray(0, bytes.length - this.#held.length) }
      : { before: bytes.subarray(0, at), after: bytes.subarray(at + this.#mark.length) };
  }

  /** Returns the bytes that were held back, at the end of the stream. */
  end(): Buffer {
    const held = this.#held;
    this.#held = nothing;
    return held;
  }

  #beginning(bytes: Buffer): number {
    const from = bytes.lastIndexOf(0);
    const isBeginning =
      from !== -1 &&
      bytes.length - from < this.#mark.length &&
      this.#mark.subarray(0, bytes.length - from).equals(bytes.subarray(from));
    return isBeginning ? from : bytes.length;
  }
}

const nothing = Buffer.alloc(0);
