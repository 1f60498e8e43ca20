import { safeParse } from 'valibot';
import { MarkFinder } from './mark-finder.ts';
import { largestPiece, largestReply, mostResults, replySchema, smallestPart, type Reply } from './reply.ts';

export interface ReadSome {
  /** What the code itself has written. */
  readonly output: readonly Buffer[];
  readonly replies: readonly Reply[];
  /** What comes after the reply that ends the request; then nothing more may be pushed. */
  readonly rest?: Buffer;
}

/** Takes the pieces of one request's replies out of a stream that others write to as well. */
export class ReplyReader {
  readonly #finder: MarkFinder;
  /** Of a piece, from its header on; undefined between pieces. */
  #piece: Buffer | undefined;
  #message: Buffer[] = [];
  #size = 0;
  #count = 0;

  constructor(nonce: string) {
    this.#finder = new MarkFinder(`\0${nonce}`);
  }

  /** Throws `RangeError` for what is no reply; then nothing more may be pushed. */
  push(chunk: Buffer): ReadSome {
    const output: Buffer[] = [];
    const replies: Reply[] = [];
    for (let bytes: Buffer | undefined = chunk; bytes !== undefined; ) {
      bytes = this.#piece === undefined ? this.#outside(bytes, output) : this.#inside(bytes, replies);
      if (replies.at(-1)?.kind === 'end') return { output, replies, rest: bytes ?? Buffer.alloc(0) };
    }
    return { output, replies };
  }

  /** What is held when nothing more comes. */
  end(): Buffer {
    return this.#finder.end();
  }

  #outside(bytes: Buffer, output: Buffer[]): Buffer | undefined {
    const { before, after } = this.#finder.push(bytes);
    if (before.length > 0) output.push(before);
    if (after !== undefined) this.#piece = Buffer.alloc(0);
    return after;
  }

  /** The bytes after the piece, once it is whole. */
  #inside(bytes: Buffer, replies: Reply[]): Buffer | undefined {
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

  #reply(): Reply {
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

/** Undefined while it is not whole. */
function headerOf(piece: Buffer): Header | undefined {
  const end = piece.subarray(0, longestHeader).indexOf('\n');
  if (end === -1 && piece.length < longestHeader) return undefined;
  const [, kind, digits] = /^([+.])(\d+)$/u.exec(piece.toString('latin1', 0, Math.max(end, 0))) ?? [];
  const length = Number(digits);
  // Attack: pieces of nothing, each of which costs more to keep than to send.
  if (!(length <= largestPiece) || (kind === '+' && length < smallestPart)) throw new RangeError('a piece without a length');
  return { start: end + 1, length, last: kind === '.' };
}

function replyOf(message: Buffer): Reply {
  const { success, output, issues } = safeParse(replySchema, jsonOf(message));
  if (!success) throw new RangeError(`a reply that is none: ${issues[0].message.slice(0, 200)}`);
  return output;
}

function jsonOf(message: Buffer): unknown {
  try {
    return JSON.parse(message.toString());
  } catch {
    throw new RangeError('a reply that is no JSON');
  }
}
