import { readSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type EntryLine,
  genesis,
  keyName,
  keyPath,
  makeKey,
  newerVersion,
  parseBody,
  readJournalKey,
  signedText,
  splitLine,
} from './chain.ts';
import type { JournalOwnEvent } from './events.ts';
import { longestEntry } from './chunks.ts';
import { unusable } from './failure.ts';
import { clockJump, createHead, type Head, headPath, type Moment, readJournalHead } from './head.ts';
import { type Mac, macFor } from './mac.ts';

/** The end of a journal that may be written, with the events to write first. */
export interface TrustedEnd {
  readonly mac: Mac;
  readonly head: Head;
  readonly notes: readonly JournalOwnEvent[];
}

export interface EndOptions {
  readonly now: Moment;
  /** Approximate number of events to write. */
  readonly count: number;
}

/**
 * Compares the last entry with the head beside the journal. First creates a missing key. Throws `HF_JOURNAL_FAILED` if
 * the two do not fit, because a further entry would hide that. The caller must hold the lock.
 */
export function trustEnd(file: string, tip: Tip, { now, count }: EndOptions): TrustedEnd {
  const key = readJournalKey(file, 'rely');
  const keyed = (used: Buffer): readonly JournalOwnEvent[] =>
    tip.v === 1 ? [{ type: 'journal.keyed', key: keyName(used) }] : [];
  if (key === undefined) {
    const begun = beginKey(file, tip, now);
    return { mac: macFor(begun.key, count), head: begun.head, notes: keyed(begun.key) };
  }
  const mac = macFor(key, count);
  const head = readJournalHead(file, mac, 'rely');
  if (head === undefined)
    throw unusable(
      headPath(file),
      `it is gone, so nobody can tell whether the end of ${basename(file)} is still there`,
    );
  return { mac, head, notes: [...keyed(key), ...lostNotes(file, tip, { mac, head, now }), ...clockNotes(head, now)] };
}

/** Writes the head first, so that a key without a head proves that the head was removed. */
function beginKey(file: string, tip: Tip, now: Moment): { readonly key: Buffer; readonly head: Head } {
  if (tip.v === 2) throw unusable(keyPath(file), `it is gone, and ${basename(file)} was written with it`);
  const { key, putInPlace } = makeKey(file);
  const head: Head = { ...now, seq: tip.seq, mac: tip.mac, synced: 0 };
  createHead(file, head, macFor(key, 1));
  putInPlace();
  return { key, head };
}

function lostNotes(
  file: string,
  tip: Tip,
  { mac, head, now }: { readonly mac: Mac; readonly head: Head; readonly now: Moment },
): readonly JournalOwnEvent[] {
  if (tip.seq === head.seq) {
    if (tip.mac !== head.mac) throw unusable(file, 'its last entry is not the one that was written');
    return [];
  }
  if (tip.seq > head.seq) {
    // The writer died before it wrote the head.
    if (!tip.isAuthentic(mac)) throw unusable(file, 'its last entries were not written with its key');
    return [];
  }
  if (!mayBeLost(head, tip.seq, now) || !tip.isAuthentic(mac))
    throw unusable(file, `entries ${tip.seq + 1} to ${head.seq} are gone from its end`);
  return [{ type: 'journal.lost', entries: head.seq - tip.seq }];
}

/**
 * Returns true if a power failure may have lost the entry `seq`: the machine has started again since, and the entry was
 * not synced.
 */
export function mayBeLost(head: Head, seq: number, now: Moment): boolean {
  return head.boot !== now.boot && seq >= head.synced;
}

function clockNotes(head: Head, now: Moment): readonly JournalOwnEvent[] {
  const jump = clockJump(head, now);
  return jump === 0 ? [] : [{ type: 'journal.clock', jump }];
}

/** The entry that the next one follows. */
export interface Tip {
  /** Version of the entry. Undefined before the first. */
  readonly v: 1 | 2 | undefined;
  readonly seq: number;
  readonly mac: string;
  /** Bytes of whole lines in the file. A partial line may follow, left by a crash during a write. */
  readonly end: number;
  /** Returns whether the holder of the key wrote the entry. */
  readonly isAuthentic: (mac: Mac) => boolean;
}

/** The tip of an empty journal. */
export const noTip: Tip = { v: undefined, seq: 0, mac: genesis, end: 0, isAuthentic: () => true };

const firstWindow = 4096;

/** Finds the last whole line of an open file, reading backwards. Throws if it is not an entry. */
export function findTip(fd: number, size: number): Tip {
  for (let length = Math.min(size, firstWindow); ; length = Math.min(size, length * 4)) {
    const bytes = Buffer.alloc(length);
    readSync(fd, bytes, 0, length, size - length);
    const end = bytes.lastIndexOf('\n') + 1;
    const start = end < 2 ? 0 : bytes.lastIndexOf('\n', end - 2) + 1;
    if (start === 0 && length > longestEntry) throw new Error('its last line is longer than any entry');
    if (start > 0 || length === size)
      return end === 0
        ? noTip
        : { ...tipOf(bytes.toString('utf8', start, Math.max(start, end - 1))), end: size - length + end };
  }
}

function tipOf(line: string): Omit<Tip, 'end'> {
  const parts = splitLine(line);
  const entry = parts === undefined ? undefined : parseBody(parts.body);
  const seq = entry?.['seq'];
  if (parts === undefined || typeof seq !== 'number' || entry?.['v'] !== parts.v) throw new Error(problemOf(line));
  return { v: parts.v, seq, mac: parts.mac, isAuthentic: (mac) => isAuthentic(parts, String(entry['prev']), mac) };
}

function problemOf(line: string): string {
  const version = newerVersion(line);
  return version === undefined
    ? 'its last line is not a journal entry'
    : `a newer Holdfast wrote its last line (version ${version} of the format): update this one`;
}

function isAuthentic(parts: EntryLine, prev: string, mac: Mac): boolean {
  const bytes = Buffer.from(signedText(parts, prev));
  return parts.v === 2 && mac(bytes, 0, bytes.length) === parts.mac;
}
