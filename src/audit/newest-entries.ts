import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { longestEntry } from './chunks.ts';
import { journalEntry, type JournalEntry, openPart } from './entries.ts';
import { journalFailed } from './failure.ts';
import { activePart, rotatedParts, rotatedPath } from './parts.ts';

/** Offset of an entry. It stays valid when the file is rotated. */
export interface EntryPlace {
  /** Number of the file, 1 for the oldest. */
  readonly part: number;
  /** Bytes. */
  readonly offset: number;
}

export interface PlacedEntry extends EntryPlace {
  readonly entry: JournalEntry;
}

export interface NewestOptions {
  /** Most entries returned. */
  readonly count: number;
  /** Returns only entries before this position, where an entry must begin. Default: all. */
  readonly before?: EntryPlace;
}

/**
 * Returns the newest entries of a journal, newest first. Reads backwards from its end, so the cost depends on the count
 * alone. Leaves out a partial last line and invalid lines. A missing journal has no entries. Verifies nothing. Throws
 * `HF_JOURNAL_FAILED` or `HF_STATE_UNWRITABLE` for an unreadable journal.
 */
export function newestEntries(file: string, { count, before }: NewestOptions): readonly PlacedEntry[] {
  const found: PlacedEntry[] = [];
  if (count < 1) return found;
  for (const part of partsBackwards(file, before)) {
    for (const placed of entriesBackwards(file, part, before?.part === part ? before.offset : Infinity)) {
      if (found.push(placed) === count) return found;
    }
  }
  return found;
}

function partsBackwards(file: string, before: EntryPlace | undefined): readonly number[] {
  const rotated = rotatedParts(file);
  return [...rotated.map(({ part }) => part), activePart(rotated)]
    .filter((part) => before === undefined || part <= before.part)
    .toReversed();
}

function* entriesBackwards(file: string, part: number, end: number): Generator<PlacedEntry, void, undefined> {
  const opened = openPart(file, part);
  if (opened === undefined || opened === 'missing') return;
  try {
    for (const { text, offset } of linesBackwards(opened.fd, Math.min(end, fstatSync(opened.fd).size))) {
      const entry = journalEntry(text);
      if (entry !== undefined) yield { entry, part, offset };
    }
  } catch (cause) {
    throw journalFailed(opened.path, cause);
  } finally {
    closeSync(opened.fd);
  }
}

interface Line {
  readonly text: string;
  readonly offset: number;
}

const firstWindow = 65_536;
const newline = 0x0a;

/**
 * Only text that ends with a newline is a line. So the remainder of an oversized line is dropped like a partial last
 * line.
 */
function* linesBackwards(fd: number, to: number): Generator<Line, void, undefined> {
  let length = firstWindow;
  for (let end = to; end > 0; ) {
    const from = Math.max(0, end - length);
    const bytes = readWindow(fd, from, end);
    const whole = bytes.lastIndexOf(newline) + 1;
    const first = from === 0 ? 0 : bytes.indexOf(newline) + 1;
    yield* linesOf(bytes.subarray(first, Math.max(first, whole)), from + first);
    const isCut = whole > 0 && first === whole;
    if (isCut && length < longestEntry) {
      length *= 4;
    } else {
      end = from + (isCut ? 0 : first);
      length = firstWindow;
    }
  }
}

function* linesOf(bytes: Buffer, offset: number): Generator<Line, void, undefined> {
  for (let end = bytes.length; end > 0; ) {
    const start = end < 2 ? 0 : bytes.lastIndexOf(newline, end - 2) + 1;
    yield { text: bytes.toString('utf8', start, end - 1), offset: offset + start };
    end = start;
  }
}

/** Shorter than requested if the file has shrunk meanwhile. */
function readWindow(fd: number, from: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - from);
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
}

/**
 * Notices when another journal has replaced the one that was read. A file keeps its number when it is rotated, so
 * another file with the same number belongs to another journal.
 */
export class SameJournal {
  readonly #journal: string;
  #file: { readonly part: number; readonly inode: number } | undefined;

  constructor(journal: string) {
    this.#journal = journal;
  }

  /** `next`: the position where reading continues. */
  isReplaced(next: EntryPlace | undefined): boolean {
    const { part, offset } = next ?? { part: 1, offset: 0 };
    const before = this.#file;
    const stats = statSync(this.#pathOf(part), { throwIfNoEntry: false });
    this.#file = stats === undefined ? undefined : { part, inode: stats.ino };
    if (stats === undefined) return offset > 0;
    return stats.size < offset || (before?.part === part && before.inode !== stats.ino);
  }

  #pathOf(part: number): string {
    return part < activePart(rotatedParts(this.#journal)) ? rotatedPath(this.#journal, part) : this.#journal;
  }
}
