import { readSync } from 'node:fs';

/** Whole lines, each with its newline. Or the start of a line longer than any entry may be, without the remainder. */
export interface Chunk {
  readonly kind: 'lines' | 'overlong' | 'torn';
  /** Valid until the next chunk is read. */
  readonly bytes: Buffer;
  /** Offset of the first byte in the file. */
  readonly offset: number;
}

export interface ByteRange {
  readonly from: number;
  /** Offset after the last byte. */
  readonly to: number;
}

const firstSize = 1_048_576;
/** Longest entry in bytes. A file without newlines must not fill the memory. */
export const longestEntry = 64 * 1_048_576;
const newline = 0x0a;

/** Reads a range of an open file in chunks that end with a newline. The last may be `torn`: it has none. */
export function* chunksOf(fd: number, { from, to }: ByteRange): Generator<Chunk, void, undefined> {
  if (from >= to) return;
  let buffer = Buffer.allocUnsafe(Math.min(firstSize, to - from));
  let offset = from;
  let held = 0;
  let skipping = false;
  for (;;) {
    const read = readSync(fd, buffer, held, Math.min(buffer.length - held, to - offset - held), offset + held);
    const filled = held + read;
    const end = buffer.subarray(0, filled).lastIndexOf(newline) + 1;
    if (end > 0) {
      const start = skipping ? buffer.indexOf(newline) + 1 : 0;
      skipping = false;
      if (start < end) yield { kind: 'lines', bytes: buffer.subarray(start, end), offset: offset + start };
      buffer.copyWithin(0, end, filled);
      offset += end;
      held = filled - end;
    } else if (read === 0) {
      if (filled > 0 && !skipping) yield { kind: 'torn', bytes: buffer.subarray(0, filled), offset };
      return;
    } else if (skipping || filled >= longestEntry) {
      if (!skipping) yield { kind: 'overlong', bytes: buffer.subarray(0, filled), offset };
      skipping = true;
      offset += filled;
      held = 0;
    } else {
      held = filled;
      if (filled === buffer.length) buffer = Buffer.concat([buffer], Math.min(longestEntry, buffer.length * 2));
    }
  }
}
