import { ToolFailure } from '../engine.ts';

export interface ModuleCaps {
  /** Pages of 64 KiB of its memory. */
  readonly pages: number;
  /** Most entries of each table. An entry takes eight bytes of the engine's memory. */
  readonly entries: number;
}

const magic = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const sections = { type: 1, table: 4, memory: 5 } as const;

/** No compiler creates more tables. */
const mostTables = 8;

/**
 * Returns a module whose memories and tables declare at most the caps. The engine itself then refuses to grow them
 * further (WebAssembly core, 4.5.3.9 and 4.5.3.8). Throws `ToolFailure` for an invalid module, and for one that the
 * caps could not limit. Such a module declares more at the start than allowed, shared or 64-bit memories, or types
 * whose objects are in the engine's own heap.
 */
export function capModule(bytes: Uint8Array, caps: ModuleCaps): Uint8Array {
  try {
    return rewrite(bytes, caps);
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`it is not WebAssembly: ${error.message}`);
    throw error;
  }
}

function rewrite(bytes: Uint8Array, caps: ModuleCaps): Uint8Array {
  const reader = new ByteReader(bytes);
  if (!magic.every((byte) => reader.left > 0 && reader.u8() === byte))
    throw invalid('it is not a WebAssembly module: it does not begin with the right bytes');
  const parts: Uint8Array[] = [Uint8Array.from(magic)];
  while (reader.left > 0) {
    const id = reader.u8();
    const content = reader.part(reader.u32());
    const body = bodyOf(id, content, caps);
    parts.push(Uint8Array.from([id, ...leb128(body.length)]), body);
  }
  return Buffer.concat(parts);
}

function bodyOf(id: number, content: ByteReader, caps: ModuleCaps): Uint8Array {
  const whole = content.bytes.subarray(content.at, content.end);
  switch (id) {
    case sections.type:
      refuseHeapTypes(content);
      return whole;
    case sections.table:
      return Uint8Array.from(tables(content, caps.entries));
    case sections.memory:
      return Uint8Array.from(memories(content, caps.pages));
    default:
      return whole;
  }
}

/**
 * Structures and arrays of the garbage collection proposal would use memory that the caps do not count. Functions are
 * 0x60.
 */
function refuseHeapTypes(content: ByteReader): void {
  const count = content.u32();
  for (let index = 0; index < count; index += 1) {
    if (content.u8() !== 0x60)
      throw invalid('it declares types of the garbage collector, which its memory limit cannot count');
    for (let list = 0; list < 2; list += 1) refuseReferences(content);
  }
}

function refuseReferences(content: ByteReader): void {
  const count = content.u32();
  for (let index = 0; index < count; index += 1) {
    // The one-byte types: numbers, vectors, funcref and externref. 0x63 and 0x64 have more bytes.
    if (![0x7f, 0x7e, 0x7d, 0x7c, 0x7b, 0x70, 0x6f].includes(content.u8()))
      throw invalid('it uses types that its memory limit cannot count');
  }
}

function tables(content: ByteReader, most: number): readonly number[] {
  const count = content.u32();
  if (count > mostTables) throw invalid(`it has ${count} tables, ${mostTables} are allowed`);
  const capped = [...leb128(count)];
  for (let index = 0; index < count; index += 1) {
    const type = content.u8();
    if (type !== 0x70 && type !== 0x6f) throw invalid('it has a table that is neither funcref nor externref');
    capped.push(type, ...limits(content, { most, what: 'table', unit: 'entries' }));
  }
  return atItsEnd(content, capped);
}

function memories(content: ByteReader, most: number): readonly number[] {
  const count = content.u32();
  if (count > 1) throw invalid(`it has ${count} memories, and one is allowed`);
  return atItsEnd(content, [
    ...leb128(count),
    ...(count === 1 ? limits(content, { most, what: 'memory', unit: 'pages' }) : []),
  ]);
}

function atItsEnd(content: ByteReader, capped: readonly number[]): readonly number[] {
  if (content.left > 0) throw new RangeError('a section is longer than its size says');
  return capped;
}

interface Cap {
  readonly most: number;
  readonly what: string;
  readonly unit: string;
}

function limits(content: ByteReader, { most, what, unit }: Cap): readonly number[] {
  const flags = content.u8();
  if (flags > 1) throw invalid(`its ${what} is shared or has 64-bit addresses, which no tool needs`);
  const least = content.u32();
  const declared = flags === 1 ? content.u32() : most;
  if (least > most)
    throw new ToolFailure('memory', `its ${what} starts with ${least} ${unit}, and its manifest allows ${most}`);
  return [1, ...leb128(least), ...leb128(Math.max(least, Math.min(declared, most)))];
}

function invalid(message: string): ToolFailure {
  return new ToolFailure('invalid', message);
}

/** Reads a module's bytes in order. Throws `RangeError` if they end too early, and for an invalid number. */
class ByteReader {
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

  /** Reads LEB128 within the specification's bounds: at most five bytes, and at most 32 bits. */
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

  /** Returns the next `length` bytes as a reader, and skips them. */
  part(length: number): ByteReader {
    if (length > this.left) throw new RangeError('it ends in the middle');
    const part = new ByteReader(this.bytes, this.at, this.at + length);
    this.at += length;
    return part;
  }
}

/** Returns the shortest LEB128 of a number below 2³². */
export function leb128(value: number): readonly number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) | 0x80);
  }
}
