import { closeSync, fstatSync } from 'node:fs';
import { parseBody, splitLine } from './chain.ts';
import { chunksOf } from './chunks.ts';
import type { JournalEvent } from './events.ts';
import { journalFailed } from './failure.ts';
import { openOwn } from './open-own.ts';
import { activePart, type JournalPart, rotatedParts, rotatedPath } from './parts.ts';

/** An event as stored in the journal. */
export type JournalEntry = JournalEvent & {
  /** Version of the format. Entries of version 1 were chained without a key. */
  readonly v: 1 | 2;
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** The `mac` of the entry before. */
  readonly prev: string;
  /** Chains this entry: HMAC-SHA256, in version 1 SHA-256. Lower-case hexadecimal. */
  readonly mac: string;
};

/** A position between two entries. It stays valid when the file is rotated. */
export interface JournalPosition {
  /** Number of the file, 1 for the oldest. */
  readonly part: number;
  /** Bytes. */
  readonly offset: number;
  /** 1-based number of the line that begins there. */
  readonly line: number;
}

export interface LocatedEntry extends JournalPosition {
  readonly entry: JournalEntry;
  /** Path of the file at the moment of reading. */
  readonly file: string;
  /** Offset of the next entry. */
  readonly next: JournalPosition;
}

export interface EntriesOptions {
  /** `next` of an entry read before. Default: the beginning. */
  readonly from?: JournalPosition;
}

const beginning: JournalPosition = { part: 1, offset: 0, line: 1 };

/**
 * Yields the entries of a journal in order, through all of its files, with at most one chunk in memory. Ends at the
 * last whole line. A missing journal has no entries. Leaves out invalid lines, which `verifyJournal` lists. Verifies
 * nothing. Throws `HF_JOURNAL_FAILED` or `HF_STATE_UNWRITABLE` for an unreadable journal.
 */
export function* journalEntries(
  file: string,
  { from = beginning }: EntriesOptions = {},
): Generator<LocatedEntry, void, undefined> {
  for (let next: JournalPosition = from; ; next = { part: next.part + 1, offset: 0, line: 1 }) {
    const opened = openPart(file, next.part);
    if (opened === undefined) return;
    if (opened === 'missing') continue;
    try {
      yield* entriesOf(opened, next);
    } catch (cause) {
      throw journalFailed(opened.path, cause);
    } finally {
      closeSync(opened.fd);
    }
  }
}

interface OpenPart extends JournalPart {
  readonly fd: number;
}

/**
 * Undefined after the last file. Reads the names again after a miss, because a writer may rotate the file away
 * meanwhile.
 */
export function openPart(file: string, part: number): OpenPart | 'missing' | undefined {
  const rotated = tryOpen(rotatedPath(file, part), part);
  if (rotated !== undefined) return rotated;
  const active = activePart(rotatedParts(file));
  if (active < part) return undefined;
  if (active > part) return 'missing';
  const opened = tryOpen(file, part);
  return activePart(rotatedParts(file)) === part || opened === undefined ? opened : replace(opened, file);
}

function replace(opened: OpenPart, file: string): OpenPart | 'missing' | undefined {
  closeSync(opened.fd);
  return openPart(file, opened.part);
}

function tryOpen(path: string, part: number): OpenPart | undefined {
  try {
    return { fd: openOwn(path, 'read').fd, path, part };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw journalFailed(path, error);
  }
}

function* entriesOf({ fd, path, part }: OpenPart, from: JournalPosition): Generator<LocatedEntry, void, undefined> {
  let { line } = from;
  for (const { kind, bytes, offset } of chunksOf(fd, { from: from.offset, to: fstatSync(fd).size })) {
    if (kind === 'overlong') line++;
    if (kind !== 'lines') continue;
    for (let at = 0, end = 0; at < bytes.length; at = end, line++) {
      end = bytes.indexOf(0x0a, at) + 1;
      const entry = journalEntry(bytes.toString('utf8', at, end - 1));
      if (entry !== undefined)
        yield {
          entry,
          file: path,
          part,
          offset: offset + at,
          line,
          next: { part, offset: offset + end, line: line + 1 },
        };
    }
  }
}

/** Undefined for an invalid line. Checks only the fields that every entry has. */
export function journalEntry(line: string): JournalEntry | undefined {
  const parts = splitLine(line);
  const fields = parts === undefined ? undefined : parseBody(parts.body);
  if (
    parts === undefined ||
    fields === undefined ||
    typeof fields['type'] !== 'string' ||
    typeof fields['time'] !== 'string'
  )
    return undefined;
  return { ...fields, mac: parts.mac } as unknown as JournalEntry;
}

/**
 * Returns all entries in order at once, for a journal that fits into memory. See also `journalEntries`. A missing
 * journal has no entries.
 */
export function readEvents(file: string): readonly JournalEntry[] {
  return Array.from(journalEntries(file), ({ entry }) => entry);
}
