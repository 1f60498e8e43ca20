import { HoldfastError } from '../../errors/index.ts';
import type { FilePath } from '../types.ts';
import { largestFrame } from './reply.ts';

const headerSize = 9;

/** Builds one frame. Numbers that do not fit are refused here: cut short, they would mean another operation. */
export class FrameWriter {
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

  /** -1 stands for all bits set. */
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

  /** u32 length, bytes, NUL: the worker hands them to the kernel where they lie. */
  path(value: FilePath): this {
    if (typeof value !== 'string') return this.data(value).u8(0);
    const buffer = this.#room(value.length * 3 + 5);
    const size = buffer.write(value, this.#length + 4);
    buffer.writeUInt32LE(size, this.#length);
    this.#length += size + 4;
    return this.u8(0);
  }

  finish(id: number, kind: number): Buffer {
    if (this.#length - 4 > largestFrame) throw tooLarge(this.#length - 4);
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
  return new HoldfastError('HF_USAGE', `${value} is no number that a file operation can have`, { remedy: 'offsets, lengths, flags and modes are whole numbers from 0 on' });
}

function tooLarge(size: number): HoldfastError {
  return new HoldfastError('HF_USAGE', `the operations need ${size} bytes in one request, ${largestFrame} are allowed`, { remedy: 'send them as several requests' });
}
