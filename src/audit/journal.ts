import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import { chainHash, genesis, joinLine, splitLine } from './chain.ts';
import type { JournalEvent } from './events.ts';
import { withLock } from './lock.ts';

export type JournalEntry = JournalEvent & {
  readonly v: 1;
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly prev: string;
  readonly hash: string;
};

const newest = 65_536;

/**
 * Appends events to the journal file as one write, each chained to the one before. Several processes may append at once.
 * Throws `HF_JOURNAL_FAILED` when an event cannot be kept: losing one is an error.
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
    let { seq, hash } = lastEntry(fd, size, file);
    const lines = events.map((event) => {
      seq += 1;
      const body = JSON.stringify({ v: 1, seq, time: now.toISOString(), ...event, prev: hash });
      hash = chainHash(hash, body);
      return joinLine(body, hash);
    });
    writeWhole(fd, Buffer.from(lines.join('')), size);
  } finally {
    closeSync(fd);
  }
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

function lastEntry(fd: number, size: number, file: string): { readonly seq: number; readonly hash: string } {
  if (size === 0) return { seq: 0, hash: genesis };
  const length = Math.min(size, newest);
  const bytes = Buffer.alloc(length);
  readSync(fd, bytes, 0, length, size - length);
  const line = bytes.toString('utf8').trimEnd().split('\n').at(-1) ?? '';
  const parts = splitLine(line);
  const seq: unknown = parts === undefined ? undefined : (JSON.parse(parts.body) as { seq?: unknown }).seq;
  if (parts === undefined || typeof seq !== 'number') throw new Error(`the last line of ${file} is no journal entry`);
  return { seq, hash: parts.hash };
}

/** All entries in order; a missing journal has none. Lines that are no entries are left out: `verifyJournal` names them. */
export function readEvents(file: string): readonly JournalEntry[] {
  return readLines(file).flatMap((line) => {
    const parts = splitLine(line);
    return parts === undefined ? [] : [{ ...(JSON.parse(parts.body) as Omit<JournalEntry, 'hash'>), hash: parts.hash } as JournalEntry];
  });
}

export function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw journalFailed(file, error);
  }
}

function journalFailed(file: string, cause: unknown): HoldfastError {
  const { code = '', message } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : { message: String(cause) };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new HoldfastError('HF_DISK_FULL', `the journal ${file} cannot grow: the disk is full`, { remedy: 'free some space', cause });
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM' || code === 'ENOTDIR') {
    return new HoldfastError('HF_STATE_UNWRITABLE', `the state directory ${dirname(file)} cannot be written (${code})`, {
      remedy: 'make it writable for you, or set XDG_STATE_HOME to a directory that is',
      cause,
    });
  }
  return new HoldfastError('HF_JOURNAL_FAILED', `the journal ${file} cannot be used: ${message}`, { remedy: 'run `holdfast audit verify` to see what is wrong with it', cause });
}
