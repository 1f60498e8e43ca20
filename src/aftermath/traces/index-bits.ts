/** Bits of an entry with which git leaves a changed file out of `git status`. gitformat-index(5). */
export type HidingBit = 'assume-unchanged' | 'skip-worktree';

const bits = { assumeValid: 0x8000, extended: 0x4000, skipWorktree: 0x4000 } as const;
const statBytes = 40;

/** The hiding entries of an index, by their paths. Empty for bytes that are no index. Versions 2 to 4. */
export function hidingEntries(index: Buffer, hashBytes: 20 | 32): ReadonlyMap<string, HidingBit> {
  return readEntries(index, hashBytes).found;
}

/** The hash in the name of the shared index that a split index builds on: its extension `link`. */
export function baseOfSplit(index: Buffer, hashBytes: 20 | 32): string | undefined {
  for (let at = readEntries(index, hashBytes).end; at + 8 <= index.length; at += 8 + index.readUInt32BE(at + 4))
    if (index.toString('latin1', at, at + 4) === 'link') return index.toString('hex', at + 8, at + 8 + hashBytes);
  return undefined;
}

/** `end`: of the entries. Extensions follow. */
function readEntries(
  index: Buffer,
  hashBytes: 20 | 32,
): { readonly found: ReadonlyMap<string, HidingBit>; readonly end: number } {
  const found = new Map<string, HidingBit>();
  const broken = { found, end: index.length };
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return broken;
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)];
  let name = '';
  let at = 12;
  for (let number = 0; number < count; number += 1) {
    const flagsAt = at + statBytes + hashBytes;
    if (flagsAt + 5 > index.length) return broken;
    const flags = index.readUInt16BE(flagsAt);
    const isExtended = version >= 3 && (flags & bits.extended) !== 0;
    const from = flagsAt + (isExtended ? 4 : 2);
    const cut = version === 4 ? readOffset(index, from) : { value: 0, next: from };
    const end = endOfName(index, cut.next, version === 4 ? longestTold : flags & longestTold);
    if (end < 0) return broken;
    const isUnseen = isExtended && (index.readUInt16BE(flagsAt + 2) & bits.skipWorktree) !== 0;
    const bit = (flags & bits.assumeValid) !== 0 ? 'assume-unchanged' : isUnseen ? 'skip-worktree' : undefined;
    // Only names of version 4 build on the one before. Twenty thousand texts would take many milliseconds.
    if (version === 4)
      name = name.slice(0, Math.max(name.length - cut.value, 0)) + index.toString('latin1', cut.next, end);
    if (bit !== undefined) found.set(version === 4 ? name : index.toString('latin1', from, end), bit);
    // Up to eight bytes of NUL fill an entry to a multiple of eight.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  return { found, end: at };
}

/** A longer name tells no length. */
const longestTold = 0xfff;

function endOfName(index: Buffer, from: number, told: number): number {
  return told < longestTold ? from + told : index.indexOf(0, from);
}

/** The varint of `varint.c`, as in offsets of packs. */
function readOffset(bytes: Buffer, at: number): { readonly value: number; readonly next: number } {
  let byte = bytes[at] ?? 0;
  let value = byte & 127;
  let next = at + 1;
  while ((byte & 128) !== 0 && next < bytes.length) {
    byte = bytes[next] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
    next += 1;
  }
  return { value, next };
}
