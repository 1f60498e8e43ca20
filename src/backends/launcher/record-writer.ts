import { HoldfastError } from '../../errors/index.ts';

const magic = 'HFP1';
/** Bytes of `HFP1` and the length after it. */
export const planHeaderSize = 8;

/** Writes the launcher's wire format: `HFP1`, u32 length, then records of u16 kind, u16 flags, u32 size, payload. */
export class RecordWriter {
  #buffer = Buffer.allocUnsafe(16_384);
  #length = planHeaderSize;
  #record = 0;

  /** Starts a record. Everything written until the next one is its payload. */
  record(kind: number, flags: number): this {
    this.#close();
    this.#record = this.#length;
    return this.u16(kind).u16(flags).u32(0);
  }

  u16(value: number): this {
    this.#length = this.#room(2).writeUInt16LE(value, this.#length);
    return this;
  }

  u32(value: number): this {
    this.#length = this.#room(4).writeUInt32LE(value, this.#length);
    return this;
  }

  u64(value: bigint): this {
    this.#length = this.#room(8).writeBigUInt64LE(BigInt.asUintN(64, value), this.#length);
    return this;
  }

  /** Writes UTF-8 and a NUL. Refuses a NUL inside, because it would end the text early in the launcher. */
  text(value: string): this {
    if (value.includes('\0')) {
      throw new HoldfastError('HF_PATH_UNREPRESENTABLE', `${JSON.stringify(value)} contains a NUL byte`, {
        remedy: 'remove the NUL byte',
      });
    }
    const size = Buffer.byteLength(value) + 1;
    const buffer = this.#room(size);
    buffer.write(value, this.#length);
    buffer[this.#length + size - 1] = 0;
    this.#length += size;
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#room(value.length).set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  /** Adds whole records that were encoded earlier. */
  records(encoded: Uint8Array): this {
    this.#close();
    this.#record = 0;
    return this.bytes(encoded);
  }

  finish(): Buffer {
    this.#close();
    this.#buffer.write(magic, 0, 'latin1');
    this.#buffer.writeUInt32LE(this.#length - planHeaderSize, 4);
    return this.#buffer.subarray(0, this.#length);
  }

  #close(): void {
    if (this.#record > 0) this.#buffer.writeUInt32LE(this.#length - this.#record - planHeaderSize, this.#record + 4);
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
