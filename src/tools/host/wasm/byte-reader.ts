/** Reads a module's bytes in order. Throws `RangeError` where they end too early or a number is none. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get left(): number {
    return this.end - this.at;
  }

  u8(): number {
    if (this.at >= this.end) throw new RangeError('it ends in the middle');
    return this.bytes[this.at++] ?? 0;
  }

  /** LEB128, as the specification bounds it: at most five bytes, nothing beyond 32 bits. */
  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value > 0xffff_ffff) break;
        return value;
      }
    }
    throw new RangeError('a number in it has more than 32 bits');
  }

  /** A part of so many bytes, which is skipped here. */
  part(length: number): ByteReader {
    if (length > this.left) throw new RangeError('it ends in the middle');
    const part = new ByteReader(this.bytes, this.at, this.at + length);
    this.at += length;
    return part;
  }
}

/** The shortest LEB128 of a number below 2³². */
export function leb128(value: number): readonly number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) | 0x80);
  }
}
