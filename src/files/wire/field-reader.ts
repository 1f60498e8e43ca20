/** Reads the fields of one payload in order. Throws `RangeError` if it is too short, or too long at its end. */
export class FieldReader {
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

  /** Beyond 2⁵³ a file's size would be another one. */
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
