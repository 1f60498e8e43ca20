import { readFileSync, readSync, renameSync, writeSync } from 'node:fs';
import { uptime } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { unusable } from './failure.ts';
import type { Mac } from './mac.ts';
import { type OpenedOwnFile, withOwn, writeAside } from './open-own.ts';

/** The end of the journal, stored beside it. Without it, a truncated journal looks like a shorter run. */
export interface Head extends Moment {
  readonly seq: number;
  /** `mac` of the entry `seq`. */
  readonly mac: string;
  /**
   * Number of the last entry that is certainly on the disk. Only later ones may be lost, and only by a power failure.
   */
  readonly synced: number;
}

/** Bytes. One sector, so that the head is never half written. */
const headSize = 512;
const domain = 'holdfast journal head ';

export function headPath(file: string): string {
  return join(dirname(file), `${parse(file).name}.head`);
}

/** Undefined if there is no head. Throws `HF_JOURNAL_FAILED` if it was not written with the key. */
export function readJournalHead(file: string, mac: Mac, purpose: 'read' | 'rely'): Head | undefined {
  const path = headPath(file);
  try {
    return withOwn(path, purpose, (own) => parseHead(own, path, mac));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the head completely or not at all. */
export function createHead(file: string, head: Head, mac: Mac): void {
  const aside = `${headPath(file)}.new`;
  writeAside(aside, headBytes(head, mac));
  renameSync(aside, headPath(file));
}

/** Replaces the head's content in place. */
export function writeJournalHead(file: string, head: Head, mac: Mac): void {
  withOwn(headPath(file), 'change', ({ fd }) => writeSync(fd, headBytes(head, mac), 0, headSize, 0));
}

function headBytes({ seq, mac: last, synced, time, uptime, boot }: Head, mac: Mac): Buffer {
  const text = JSON.stringify({ v: 2, seq, mac: last, synced, time, uptime, boot });
  return Buffer.from(`${`${text.slice(0, -1)},"head":"${signature(text, mac)}"}`.padEnd(headSize - 1)}\n`);
}

function parseHead({ fd, stats }: OpenedOwnFile, path: string, mac: Mac): Head {
  const bytes = Buffer.alloc(headSize);
  const read = stats.size === headSize ? readSync(fd, bytes, 0, headSize, 0) : 0;
  const match = /^(\{"v":2,.*),"head":"([0-9a-f]{64})"\} *\n$/u.exec(bytes.toString('latin1', 0, read));
  const text = `${match?.[1] ?? ''}}`;
  if (match === null || signature(text, mac) !== match[2])
    throw unusable(path, 'it was changed, or it was written with another key');
  return JSON.parse(text) as Head;
}

function signature(text: string, mac: Mac): string {
  const bytes = Buffer.from(domain + text);
  return mac(bytes, 0, bytes.length);
}

/** A point in time on two clocks: the wall clock, which can be set, and one that only goes forward. */
export interface Moment {
  /** Milliseconds since 1970, UTC. */
  readonly time: number;
  /** Milliseconds since the machine started. Suspension counts. */
  readonly uptime: number;
  /** Identifies the start of the machine. See random(4). */
  readonly boot: string;
}

export function thisMoment(): Moment {
  return { time: Date.now(), uptime: Math.round(uptime() * 1000), boot: bootId() };
}

/** Milliseconds. A clock that is slowly corrected is off by at most 0.05 %. See adjtimex(2). */
const tolerance = 2000;
const drift = 0.001;

/**
 * Returns by how many milliseconds the clock was set between two moments: negative for backwards, 0 if it was not set.
 * Across a restart, only a step backwards is detectable.
 */
export function clockJump(before: Moment, now: Moment): number {
  if (before.boot !== now.boot || now.uptime < before.uptime) return Math.min(0, now.time - before.time);
  const passed = now.uptime - before.uptime;
  const jump = now.time - before.time - passed;
  return Math.abs(jump) > tolerance + passed * drift ? jump : 0;
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return 'unknown';
  }
}
