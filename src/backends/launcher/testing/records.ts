/** One record of the wire form, cut by its own header. */
export interface WireRecord {
  readonly kind: number;
  readonly flags: number;
  readonly payload: Buffer;
}

/**
 * Reads an encoded plan by the description in `native/src/launch/plan`, independently of the writer. Throws on any byte
 * too many.
 */
export function readRecords(encoded: Buffer): readonly WireRecord[] {
  if (encoded.toString('latin1', 0, 4) !== 'HFP1') throw new Error('no plan');
  if (encoded.readUInt32LE(4) !== encoded.length - 8) throw new Error('the length is wrong');
  const records: WireRecord[] = [];
  for (let at = 8; at < encoded.length; ) {
    const end = at + 8 + encoded.readUInt32LE(at + 4);
    if (end > encoded.length) throw new Error('a record is longer than the plan');
    records.push({
      kind: encoded.readUInt16LE(at),
      flags: encoded.readUInt16LE(at + 2),
      payload: encoded.subarray(at + 8, end),
    });
    at = end;
  }
  return records;
}

/** Takes values from a payload in order. `end` throws for remaining bytes. */
export class PayloadReader {
  #rest: Buffer;

  constructor(payload: Buffer) {
    this.#rest = payload;
  }

  u16(): number {
    return this.#take(2).readUInt16LE();
  }

  u32(): number {
    return this.#take(4).readUInt32LE();
  }

  u64(): bigint {
    return this.#take(8).readBigUInt64LE();
  }

  bytes(length: number): Buffer {
    return this.#take(length);
  }

  text(): string {
    const end = this.#rest.indexOf(0);
    if (end < 0) throw new Error('a text is not terminated');
    return this.#take(end + 1).toString('utf8', 0, end);
  }

  texts(): readonly string[] {
    const found: string[] = [];
    while (this.#rest.length > 0) found.push(this.text());
    return found;
  }

  end(): void {
    if (this.#rest.length > 0) throw new Error(`${this.#rest.length} bytes are left`);
  }

  #take(size: number): Buffer {
    if (this.#rest.length < size) throw new Error('the payload is cut short');
    const taken = this.#rest.subarray(0, size);
    this.#rest = this.#rest.subarray(size);
    return taken;
  }
}
