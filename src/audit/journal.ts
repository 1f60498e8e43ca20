import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { chainHash, joinLine } from './chain.ts';
import type { JournalEvent } from './events.ts';
import { journalFailed } from './failure.ts';
import { withLock } from './lock.ts';
import { hasherFor } from './sha256.ts';
import { findTip, type Tip } from './tip.ts';

/** Makes sure that events can be kept, before anything happens that would have to be. Throws like `appendEvents`. */
export function openJournal(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, 'a+', 0o600));
  } catch (cause) {
    throw journalFailed(file, cause);
  }
}

/**
 * Appends events to the journal file as one write, each chained to the one before. Several processes may append at once.
 * Half a line at the end, which a crash left, is removed and an event says so. Throws `HF_DISK_FULL`,
 * `HF_STATE_UNWRITABLE` or `HF_JOURNAL_FAILED` when an event cannot be kept: losing one is an error.
 */
export function appendEvents(file: string, events: readonly JournalEvent[], now: Date = new Date()): void {
  if (events.length === 0) return;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    withLock(`${file}.lock`, () => {
      append(file, events, now);
    });
  } catch (cause) {
    throw journalFailed(file, cause);
  }
}

function append(file: string, events: readonly JournalEvent[], now: Date): void {
  const fd = openSync(file, 'a+', 0o600);
  try {
    const { size } = fstatSync(fd);
    const tip = findTip(fd, size);
    const torn = size - tip.end;
    if (torn > 0) ftruncateSync(fd, tip.end);
    writeWhole(fd, chain(torn > 0 ? [{ type: 'journal.repaired', bytes: torn }, ...events] : events, tip, now), tip.end);
  } finally {
    closeSync(fd);
  }
}

function chain(events: readonly JournalEvent[], tip: Tip, now: Date): Buffer {
  const hasher = hasherFor(events.length);
  let { seq, hash } = tip;
  const lines = events.map((event) => {
    seq += 1;
    const body = JSON.stringify({ v: 1, seq, time: now.toISOString(), ...event, prev: hash });
    hash = chainHash(hash, body, hasher);
    return joinLine(body, hash);
  });
  return Buffer.from(lines.join(''));
}

/** A full disk must not leave half a line, which would break the chain for everything after it. */
function writeWhole(fd: number, bytes: Buffer, size: number): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
}
