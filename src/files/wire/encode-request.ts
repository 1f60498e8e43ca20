import { HoldfastError } from '../../errors/index.ts';
import { type FileOperation, type FilePath, type FileTime, largestPayload } from '../types.ts';
import { largestFileFrame, operationCode, fileRequestKind } from './reply.ts';

export interface WorkerRequest {
  /** From 1 to 2³²−1. Every answer repeats it. */
  readonly id: number;
  /** At least one. All of them fit into `largestFrame` bytes. */
  readonly operations: readonly FileOperation[];
  /** `at-failure`: operations after a failed one are not tried. */
  readonly stop: 'at-failure' | 'never';
}

/** Returns one frame for the worker. Throws HF_USAGE if a number, a payload or the whole frame is out of range. */
export function encodeFileRequest(request: WorkerRequest): Buffer {
  const writer = new FrameWriter().u8(request.stop === 'never' ? 1 : 0).u32(request.operations.length);
  for (const operation of request.operations) encodeOperation(writer.u8(operationCode[operation.kind]), operation);
  return writer.finish(request.id, fileRequestKind.request);
}

/**
 * Returns a request to cancel the remaining operations of the request with this ID. Its `end` still comes, and tells
 * how many ran. A tree that is being copied or removed fails with ECANCELED. Has no effect on a finished request.
 */
export function encodeCancel(id: number): Buffer {
  return new FrameWriter().finish(id, fileRequestKind.cancel);
}

type Encoders = {
  readonly [Kind in FileOperation['kind']]: (
    writer: FrameWriter,
    operation: Extract<FileOperation, { readonly kind: Kind }>,
  ) => void;
};

const encoders: Encoders = {
  read: (to, { path, offset, length }) => void to.path(path).u64(position(offset)).u32(payload(length)),
  write: (to, { path, data, flags, mode, parents, replace }) =>
    void content(
      to.path(path).u32(flags).u32(mode).u8(choice(parents, requireOrMake)).u8(choice(replace, placeOrAtomic)),
      data,
    ),
  open: (to, { path, flags, mode, parents, replace }) =>
    void to.path(path).u32(flags).u32(mode).u8(choice(parents, requireOrMake)).u8(choice(replace, placeOrAtomic)),
  readAt: (to, { handle, offset, length }) => void to.u32(handle).u64(position(offset)).u32(payload(length)),
  writeAt: (to, { handle, offset, data }) => void content(to.u32(handle).u64(offset), data),
  close: (to, { handle, how }) => void to.u32(handle).u8(choice(how, ['keep', 'drop', 'sync'])),
  list: (to, { path, from, detail }) =>
    void to
      .path(path)
      .u32(from)
      .u8(choice(detail, ['names', 'stat'])),
  stat: (to, { path, symlink }) => void to.path(path).u8(choice(symlink, followOrItself)),
  makeDirectory: (to, { path, mode, parents }) => void to.path(path).u32(mode).u8(choice(parents, requireOrMake)),
  copy: (to, { from, to: target, tree, existing, preserve, symlink }) =>
    void to
      .path(from)
      .path(target)
      .u8(choice(tree, singleOrWhole))
      .u8(choice(existing, ['replace', 'keep', 'refuse']))
      .u8(choice(preserve, ['mode', 'all']))
      .u8(choice(symlink, followOrItself)),
  rename: (to, { from, to: target, existing }) =>
    void to
      .path(from)
      .path(target)
      .u8(choice(existing, ['replace', 'refuse', 'exchange'])),
  link: (to, { from, to: target }) => void to.path(from).path(target),
  symlink: (to, { text, path }) => void to.path(text).path(path),
  readlink: (to, { path }) => void to.path(path),
  realpath: (to, { path }) => void to.path(path),
  truncate: (to, { path, length }) => void to.path(path).u64(position(length)),
  times: (to, { path, accessed, modified, symlink }) =>
    void time(time(to.path(path), accessed), modified).u8(choice(symlink, followOrItself)),
  owner: (to, { path, uid, gid, symlink }) =>
    void to.path(path).u32(owner(uid)).u32(owner(gid)).u8(choice(symlink, followOrItself)),
  mode: (to, { path, mode }) => void to.path(path).u32(mode),
  remove: (to, { path, tree, missing }) =>
    void to
      .path(path)
      .u8(choice(tree, singleOrWhole))
      .u8(choice(missing, ['refuse', 'ignore'])),
  temporary: (to, { type, directory, prefix, suffix }) =>
    void to
      .path(directory)
      .path(prefix)
      .path(suffix)
      .u8(choice(type, ['file', 'directory'])),
  access: (to, { path, mode }) => void to.path(path).u32(mode),
  watch: (to, { path, depth }) => void to.path(path).u8(choice(depth, ['directory', 'tree'])),
  unwatch: (to, { handle }) => void to.u32(handle),
};

const requireOrMake = ['require', 'make'] as const;
const placeOrAtomic = ['in-place', 'atomic'] as const;
const followOrItself = ['follow', 'itself'] as const;
const singleOrWhole = ['single', 'whole'] as const;

function encodeOperation(writer: FrameWriter, operation: FileOperation): void {
  // The table has the right function for each kind, but TypeScript cannot follow that through the look-up.
  (encoders[operation.kind] as (to: FrameWriter, operation: FileOperation) => void)(writer, operation);
}

/**
 * The index of a word in the list is its number on the wire. An unknown word must not be sent, because its number would
 * mean something else.
 */
function choice<Word extends string>(word: Word, words: readonly Word[]): number {
  const number = words.indexOf(word);
  if (number === -1)
    throw new HoldfastError('HF_USAGE', `${JSON.stringify(word)} is not one of ${words.join(', ')}`, {
      remedy: `use one of ${words.join(', ')}`,
    });
  return number;
}

function position(value: number): number {
  if (value < 0)
    throw new HoldfastError('HF_USAGE', `${value} is not a position in a file`, {
      remedy: 'use a whole number from 0 on',
    });
  return value;
}

function payload(length: number): number {
  if (length > largestPayload)
    throw new HoldfastError(
      'HF_USAGE',
      `${length} bytes are too many for one operation, ${largestPayload} are allowed`,
      { remedy: 'use several operations' },
    );
  return length;
}

function content(writer: FrameWriter, data: Uint8Array): FrameWriter {
  payload(data.length);
  return writer.data(data);
}

function owner(id: number): number {
  return id === -1 ? 0xffff_ffff : id;
}

/** `linux/stat.h`: special values in place of nanoseconds. */
const special = { now: 0x3fff_ffff, leave: 0x3fff_fffe } as const;
const second = 1_000_000_000n;

function time(writer: FrameWriter, value: FileTime): FrameWriter {
  if (typeof value === 'string') return writer.i64(0n).u32(special[value]);
  const nanoseconds = ((value % second) + second) % second;
  return writer.i64((value - nanoseconds) / second).u32(Number(nanoseconds));
}

const headerSize = 9;

/** Builds one frame. Refuses numbers that do not fit, because truncated ones would mean another operation. */
class FrameWriter {
  #buffer = Buffer.allocUnsafe(512);
  #length = headerSize;

  u8(value: number): this {
    this.#room(1)[this.#length] = value;
    this.#length += 1;
    return this;
  }

  u32(value: number): this {
    if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) throw outOfRange(value);
    this.#length = this.#room(4).writeUInt32LE(value, this.#length);
    return this;
  }

  /** -1 sets all bits. */
  u64(value: number): this {
    if (value === -1) return this.u32(0xffff_ffff).u32(0xffff_ffff);
    if (!Number.isSafeInteger(value) || value < 0) throw outOfRange(value);
    return this.u32(value % 0x1_0000_0000).u32(Math.floor(value / 0x1_0000_0000));
  }

  i64(value: bigint): this {
    if (BigInt.asIntN(64, value) !== value) throw outOfRange(value);
    this.#length = this.#room(8).writeBigInt64LE(value, this.#length);
    return this;
  }

  /** u32 length, bytes. */
  data(value: Uint8Array): this {
    this.u32(value.length);
    this.#room(value.length).set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  /** u32 length, bytes, NUL: the worker passes them to the kernel in place. */
  path(value: FilePath): this {
    if (typeof value !== 'string') return this.data(value).u8(0);
    const buffer = this.#room(value.length * 3 + 5);
    const size = buffer.write(value, this.#length + 4);
    buffer.writeUInt32LE(size, this.#length);
    this.#length += size + 4;
    return this.u8(0);
  }

  finish(id: number, kind: number): Buffer {
    if (this.#length - 4 > largestFileFrame) throw tooLarge(this.#length - 4);
    this.#buffer.writeUInt32LE(this.#length - 4, 0);
    this.#buffer.writeUInt32LE(id, 4);
    this.#buffer[8] = kind;
    return this.#buffer.subarray(0, this.#length);
  }

  #room(size: number): Buffer {
    if (this.#length + size > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + size));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    return this.#buffer;
  }
}

function outOfRange(value: number | bigint): HoldfastError {
  return new HoldfastError('HF_USAGE', `${value} is not a number that a file operation can have`, {
    remedy: 'offsets, lengths, flags and modes are whole numbers from 0 on',
  });
}

function tooLarge(size: number): HoldfastError {
  return new HoldfastError(
    'HF_USAGE',
    `the operations need ${size} bytes in one request, ${largestFileFrame} are allowed`,
    { remedy: 'send them as several requests' },
  );
}
