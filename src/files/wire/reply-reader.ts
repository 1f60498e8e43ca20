import { HoldfastError } from '../../errors/index.ts';
import type { FileEntry, FileResult, FileStat, WatchEvent } from '../types.ts';
import { fileTypes, largestFileFrame, filesVersion, type WorkerReply, watchEvents } from './reply.ts';

/**
 * Splits the worker's bytes into replies, and checks their order. Throws HF_FILES_PROTOCOL for an invalid reply and for
 * everything after it, because later bytes have no meaning. Keeps at most one frame. Bytes in replies may be views of
 * the chunk.
 */
export class WorkerReplyReader {
  readonly #cutter = new FrameCutter();
  #greeted: 'no' | 'yes' = 'no';
  #answering: { readonly id: number; readonly next: number } | undefined;
  #broken: HoldfastError | undefined;

  push(chunk: Buffer): WorkerReply[] {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      return this.#cutter.push(chunk).map((frame) => this.#inOrder(decodeReply(frame)));
    } catch (error) {
      this.#broken = protocolError(error);
      throw this.#broken;
    }
  }

  #inOrder(reply: WorkerReply): WorkerReply {
    if ((reply.kind === 'hello') === (this.#greeted === 'yes'))
      throw new RangeError(reply.kind === 'hello' ? 'a second greeting' : `${reply.kind} before the greeting`);
    this.#greeted = 'yes';
    if (reply.kind === 'result') this.#result(reply.id, reply.index);
    if (reply.kind === 'end') this.#end(reply.id, reply.done);
    return reply;
  }

  #result(id: number, index: number): void {
    const { id: current, next } = this.#answering ?? { id, next: 0 };
    if (id !== current || index !== next)
      throw new RangeError(`result ${index} of request ${id} where result ${next} of request ${current} was due`);
    this.#answering = { id, next: next + 1 };
  }

  #end(id: number, done: number): void {
    const { id: current, next } = this.#answering ?? { id, next: 0 };
    if (id !== current || done !== next)
      throw new RangeError(
        `the end of request ${id} after ${done} operations, while request ${current} has had ${next} results`,
      );
    this.#answering = undefined;
  }
}

function protocolError(cause: unknown): HoldfastError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new HoldfastError('HF_FILES_PROTOCOL', `the files worker sent an invalid message: ${message}`, {
    remedy:
      'rebuild Holdfast with `make -C native && npm run build`; if it stays, a program in the box has taken over the worker',
    cause,
  });
}

const magic = 0x3146_4648;

/** Decodes one frame of the worker as a reply. Throws `RangeError` for an invalid frame. */
function decodeReply({ id, kind, payload }: Frame): WorkerReply {
  const decode = replies[kind];
  if (decode === undefined) throw new RangeError(`a frame of unknown kind ${kind}`);
  const fields = new FieldReader(payload);
  const reply = decode(fields, id);
  fields.end();
  return reply;
}

const replies: Readonly<Record<number, (from: FieldReader, id: number) => WorkerReply>> = {
  1: decodeHello,
  2: (from, id) => ({ kind: 'result', id, index: from.u32(), result: decodeResult(from) }),
  3: (from, id) => ({ kind: 'end', id, done: from.u32() }),
  4: (from) => ({ kind: 'event', event: decodeEvent(from) }),
  5: (from) => ({ kind: 'error', message: from.rest().toString() }),
};

function decodeHello(from: FieldReader): WorkerReply {
  if (from.u32() !== magic) throw new RangeError('no greeting');
  const version = from.u32();
  if (version !== filesVersion)
    throw new RangeError(`version ${version} of the protocol, ${filesVersion} is spoken here`);
  return {
    kind: 'hello',
    version,
    limits: { largestFrame: from.u32(), largestPayload: from.u32(), handles: from.u32(), watches: from.u32() },
  };
}

const results: Readonly<Record<number, (from: FieldReader) => FileResult>> = {
  0: () => ({ kind: 'done' }),
  1: (from) => ({ kind: 'data', size: from.u64(), data: from.rest() }),
  2: (from) => ({ kind: 'opened', handle: from.u32() }),
  3: (from) => ({ kind: 'written', length: from.u32() }),
  4: (from) => ({ kind: 'path', path: from.rest() }),
  5: (from) => ({ kind: 'stat', stat: decodeStat(from) }),
  6: (from) => ({ kind: 'entries', more: from.u32(), entries: decodeEntries(from) }),
  7: (from) => ({
    kind: 'failed',
    errno: from.u32(),
    syscall: from.bytes(from.u8()).toString('latin1'),
    path: from.rest(),
  }),
};

function decodeResult(from: FieldReader): FileResult {
  const kind = from.u8();
  const decode = results[kind];
  if (decode === undefined) throw new RangeError(`a result of unknown kind ${kind}`);
  return decode(from);
}

function decodeStat(from: FieldReader): FileStat {
  return {
    type: word(from.u8(), fileTypes),
    mode: from.u32(),
    links: from.u32(),
    uid: from.u32(),
    gid: from.u32(),
    blockSize: from.u32(),
    size: from.big(),
    inode: from.big(),
    device: from.big(),
    specialDevice: from.big(),
    blocks: from.big(),
    accessed: from.time(),
    modified: from.time(),
    changed: from.time(),
    born: from.time(),
  };
}

const hasStat = 0x80;

function decodeEntries(from: FieldReader): FileEntry[] {
  const entries: FileEntry[] = [];
  while (from.left > 0) {
    const first = from.u8();
    const type = word(first & ~hasStat, fileTypes);
    const name = from.bytes(from.u16());
    entries.push(first & hasStat ? { name, type, stat: decodeStat(from) } : { name, type });
  }
  return entries;
}

function decodeEvent(from: FieldReader): WatchEvent {
  return { handle: from.u32(), event: word(from.u8(), watchEvents), path: from.rest() };
}

function word<Word extends string>(number: number, words: readonly Word[]): Word {
  const found = words[number];
  if (found === undefined) throw new RangeError(`${number} where one of ${words.join(', ')} was due`);
  return found;
}

/** One frame without its length. */
interface Frame {
  readonly id: number;
  readonly kind: number;
  readonly payload: Buffer;
}

const lengthSize = 4;
const headerSize = 5;

/** Splits a byte stream into frames. An unfinished frame is kept in pieces, so that a large frame is copied once. */
class FrameCutter {
  #pieces: Buffer[] = [];
  #held = 0;
  /** Bytes that must arrive before the next check. */
  #needed = lengthSize;

  push(chunk: Buffer): Frame[] {
    this.#pieces.push(chunk);
    this.#held += chunk.length;
    return this.#held < this.#needed ? [] : this.#cut(this.#joined());
  }

  #joined(): Buffer {
    return this.#pieces.length === 1 ? (this.#pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#pieces, this.#held);
  }

  #cut(bytes: Buffer): Frame[] {
    const frames: Frame[] = [];
    let at = 0;
    let needed = lengthSize;
    while (bytes.length - at >= needed) {
      const size = frameSize(bytes, at);
      needed = lengthSize + size;
      if (bytes.length - at < needed) break;
      frames.push({
        id: bytes.readUInt32LE(at + 4),
        kind: bytes[at + 8] ?? 0,
        payload: bytes.subarray(at + lengthSize + headerSize, at + needed),
      });
      at += needed;
      needed = lengthSize;
    }
    this.#keep(bytes.subarray(at), needed);
    return frames;
  }

  #keep(rest: Buffer, needed: number): void {
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#held = rest.length;
    this.#needed = needed;
  }
}

function frameSize(bytes: Buffer, at: number): number {
  const size = bytes.readUInt32LE(at);
  if (size < headerSize || size > largestFileFrame) throw new RangeError(`a frame of ${size} bytes`);
  return size;
}

/** Reads the fields of one payload in order. Throws `RangeError` if it is too short, or too long at its end. */
class FieldReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#skip(1));
  }

  u16(): number {
    return this.#bytes.readUInt16LE(this.#skip(2));
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#skip(4));
  }

  /** Beyond 2⁵³ a number would lose digits. */
  u64(): number {
    const value = this.u32() + this.u32() * 0x1_0000_0000;
    if (!Number.isSafeInteger(value)) throw new RangeError('a size beyond 2⁵³');
    return value;
  }

  big(): bigint {
    return this.#bytes.readBigUInt64LE(this.#skip(8));
  }

  /** i64 seconds, u32 nanoseconds. */
  time(): bigint {
    const seconds = this.#bytes.readBigInt64LE(this.#skip(8));
    return seconds * 1_000_000_000n + BigInt(this.u32());
  }

  bytes(length: number): Buffer {
    const at = this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }

  rest(): Buffer {
    return this.bytes(this.left);
  }

  end(): void {
    if (this.left > 0) throw new RangeError(`${this.left} bytes too many in a frame`);
  }

  #skip(length: number): number {
    if (length > this.left) throw new RangeError('a frame that is too short');
    this.#at += length;
    return this.#at - length;
  }
}
