/** The parts of an ELF file for x86-64 that Holdfast uses. Offsets and sizes refer to the file, and are within it. */
export interface Elf {
  readonly segments: readonly ElfSegment[];
  readonly sections: readonly Section[];
}

export interface ElfSegment {
  /** `PT_…` number. */
  readonly type: number;
  readonly bytes: Buffer;
}

export interface Section {
  readonly name: string;
  readonly bytes: Buffer;
}

export const segmentType = { interpreter: 3, note: 4 } as const;

/**
 * Undefined if it is not an ELF file for x86-64, or if its tables point outside the file. Accepts hostile bytes without
 * throwing, in time linear in their tables.
 */
export function readElf(bytes: Buffer): Elf | undefined {
  if (
    bytes.length < headerSize ||
    bytes.readUInt32BE(0) !== magic ||
    bytes[4] !== sixtyFourBits ||
    bytes[5] !== littleEndian ||
    bytes.readUInt16LE(18) !== x86x64
  )
    return undefined;
  const segments = readTable(bytes, {
    offset: number64(bytes, 32),
    entry: bytes.readUInt16LE(54),
    count: bytes.readUInt16LE(56),
    least: 56,
  });
  const headers = readTable(bytes, {
    offset: number64(bytes, 40),
    entry: bytes.readUInt16LE(58),
    count: bytes.readUInt16LE(60),
    least: 64,
  });
  if (segments === undefined || headers === undefined) return undefined;
  const names = bytesOf(bytes, headers[bytes.readUInt16LE(62)], 24);
  return {
    segments: segments.map((entry) => ({ type: entry.readUInt32LE(0), bytes: bytesOf(bytes, entry, 8) })),
    sections: headers.map((header) => ({
      name: textAt(names, header.readUInt32LE(0)),
      bytes: bytesOf(bytes, header, 24),
    })),
  };
}

const headerSize = 64;
const magic = 0x7f454c46;
const sixtyFourBits = 2;
const littleEndian = 1;
const x86x64 = 62;
/** Segments and sections have their size in the file at the same offset. */
const sizeAt = 32;
/** Longest section name. */
const longestName = 64;

interface Table {
  readonly offset: number;
  readonly entry: number;
  readonly count: number;
  /** Fewest bytes of an entry. */
  readonly least: number;
}

function readTable(bytes: Buffer, { offset, entry, count, least }: Table): readonly Buffer[] | undefined {
  if (count === 0) return [];
  if (entry < least || offset + entry * count > bytes.length) return undefined;
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(offset + index * entry, offset + (index + 1) * entry),
  );
}

/** Empty if an entry points outside the file, as it may for a section without bytes. `at`: position of its offset. */
function bytesOf(bytes: Buffer, entry: Buffer | undefined, at: 8 | 24): Buffer {
  if (entry === undefined) return Buffer.alloc(0);
  const [start, size] = [number64(entry, at), number64(entry, sizeAt)];
  return start + size <= bytes.length ? bytes.subarray(start, start + size) : Buffer.alloc(0);
}

function textAt(names: Buffer, offset: number): string {
  const near = names.subarray(offset, offset + longestName);
  const end = near.indexOf(0);
  return near.toString('latin1', 0, end < 0 ? near.length : end);
}

function number64(bytes: Buffer, offset: number): number {
  return Number(bytes.readBigUInt64LE(offset));
}
