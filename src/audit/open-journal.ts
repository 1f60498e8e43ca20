import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { escapeJson } from '../text/escape-hidden.ts';
import { currentVersion } from './chain.ts';
import type { JournalEvent } from './events.ts';
import { unusable } from './failure.ts';
import { type Moment, writeJournalHead } from './head.ts';
import type { Mac } from './mac.ts';
import { openOwn, withOwn } from './open-own.ts';
import { activePart, rotatedParts, rotatedPath } from './parts.ts';
import type { JournalOwnEvent } from './events.ts';
import { findTip, noTip, type Tip, type TrustedEnd, trustEnd } from './trust-end.ts';

export interface JournalOptions {
  /**
   * Events that are on the disk when `appendEvents` returns: those whose kind requires it, or all. Default: `by-kind`.
   */
  readonly durability?: 'by-kind' | 'all';
  /** Bytes at which a file is rotated. Default: 64 MB. */
  readonly rotateAt?: number;
}

/** Bytes. */
const defaultSize = 64_000_000;
/** Bytes of one write. */
const pieceSize = 4_000_000;

/** A journal open for writing, whose lock is held. */
export class OpenJournal {
  readonly #file: string;
  readonly #now: Moment;
  readonly #end: TrustedEnd;
  readonly #notes: readonly JournalEvent[];
  #fd: number;
  /** Bytes of whole lines in the growing file. */
  #size: number;
  #last: Link;
  #synced: number;

  /** Throws `HF_JOURNAL_FAILED` if the journal's end is not the last write, and errors of the system. */
  constructor(file: string, { now, count }: { readonly now: Moment; readonly count: number }) {
    const { fd, stats } = openOwn(file, 'append');
    this.#file = file;
    this.#now = now;
    this.#fd = fd;
    try {
      const own = findTip(fd, stats.size);
      const before = own.seq === 0 ? lastRotated(file) : undefined;
      const tip = before?.tip ?? own;
      this.#end = trustEnd(file, tip, { now, count });
      const torn = stats.size - own.end;
      if (torn > 0) ftruncateSync(fd, own.end);
      const repaired: readonly JournalOwnEvent[] = torn > 0 ? [{ type: 'journal.repaired', bytes: torn }] : [];
      this.#notes = [...(before?.notes ?? []), ...this.#end.notes, ...repaired];
      this.#size = own.end;
      this.#last = { seq: tip.seq, mac: tip.mac };
      this.#synced = this.#end.head.synced;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  write(events: readonly JournalEvent[], { durability = 'by-kind', rotateAt = defaultSize }: JournalOptions): void {
    let left = [...this.#notes, ...events];
    const isAwaited = durability === 'all' || left.some(isDurable);
    // If the last entry has no key, the file first gets an entry that marks the start of the keyed ones.
    const isKeyed = left[0]?.type !== 'journal.keyed';
    while (left.length > 0) {
      if (isKeyed && this.#size >= rotateAt) left = [this.#rotate(), ...left];
      left = left.slice(this.#writePiece(left));
    }
    if (isAwaited) this.#sync();
    writeJournalHead(this.#file, { ...this.#now, ...this.#last, synced: this.#synced }, this.#end.mac);
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Returns the number of events written. */
  #writePiece(events: readonly JournalEvent[]): number {
    const { bytes, last, count } = entryBytes(events, this.#last, {
      mac: this.#end.mac,
      time: new Date(this.#now.time).toISOString(),
      atMost: pieceSize,
    });
    writeWhole(this.#fd, bytes, this.#size);
    if (this.#size === 0) syncDirectory(this.#file);
    this.#size += bytes.length;
    this.#last = last;
    return count;
  }

  /**
   * If the process is killed before the rename, the file is unchanged. After it, the next writer finds no file and
   * creates one in the same way.
   */
  #rotate(): JournalOwnEvent {
    const part = activePart(rotatedParts(this.#file));
    this.#sync();
    renameSync(this.#file, rotatedPath(this.#file, part));
    const { fd } = openOwn(this.#file, 'append');
    closeSync(this.#fd);
    this.#fd = fd;
    this.#size = 0;
    return { type: 'journal.rotated', part: part + 1 };
  }

  #sync(): void {
    fdatasyncSync(this.#fd);
    this.#synced = this.#last.seq;
  }
}

/** Returns the end of the last rotated file, if the growing file is empty: the new file continues from there. */
function lastRotated(file: string): { readonly tip: Tip; readonly notes: readonly JournalOwnEvent[] } | undefined {
  const rotated = rotatedParts(file);
  const last = rotated.at(-1);
  if (last === undefined) return undefined;
  const tip = withOwn(last.path, 'read', ({ fd, stats }) => {
    const found = findTip(fd, stats.size);
    if (found.end !== stats.size || found.seq === noTip.seq) throw unusable(last.path, 'its end is missing');
    return found;
  });
  return { tip, notes: [{ type: 'journal.rotated', part: activePart(rotated) }] };
}

/** A full disk must not leave a partial line, which would break the chain for everything after it. */
function writeWhole(fd: number, bytes: Buffer, size: number): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  }
}

/** Syncs the directory, so that the name of a new file is on the disk. */
function syncDirectory(file: string): void {
  const fd = openSync(dirname(file), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Events that survive the end of this process, and may be lost in a power failure. */
type Unhurried =
  | 'session.start'
  | 'session.end'
  | 'journal.rotated'
  | 'journal.repaired'
  | 'journal.lost'
  | 'journal.clock'
  | 'staged.accept'
  | 'staged.discard'
  | 'staged.undo'
  | 'staged.fork'
  | 'cluster.run'
  | 'cluster.proof'
  | 'cluster.pool'
  | 'cluster.collect'
  | 'cluster.journal'
  | 'policy.narrow'
  | 'code.run'
  | 'trash.restore'
  | 'trash.purge'
  | 'checkpoint.create'
  | 'checkpoint.restore'
  | 'checkpoint.remove'
  | 'text'
  | 'credential';

/** A kind without a rule here is `Unhurried`. */
type Rules = {
  readonly [Type in Exclude<JournalEvent['type'], Unhurried>]:
    | true
    | ((event: Extract<JournalEvent, { readonly type: Type }>) => boolean);
};

/**
 * Events that must be on the disk before their effect: every refusal, every answer of a person, and anything that looks
 * like an attack.
 */
const durable: Rules = {
  refusal: true,
  quarantine: true,
  covered: true,
  trace: true,
  alarm: true,
  'approval.requested': true,
  'approval.resolved': true,
  'trust.decided': true,
  'trust.withheld': true,
  'bundle.enforced': true,
  'bundle.refused': true,
  'journal.keyed': true,
  'journal.begun': true,
  enforcement: ({ outcome }) => outcome === 'approved',
  connection: ({ refusal, decision }) => refusal !== undefined || decision === 'deny',
  request: ({ refusal, decision }) => refusal !== undefined || decision === 'deny',
  statement: ({ decision }) => decision === 'deny',
  model: ({ refusal }) => refusal !== undefined,
  dlp: ({ decision }) => decision === 'block',
};

/** Returns whether an event is on the disk when `appendEvents` returns. */
function isDurable(event: JournalEvent): boolean {
  const rule = (durable as Readonly<Record<string, true | ((event: never) => boolean)>>)[event.type];
  return typeof rule === 'function' ? rule(event as never) : rule === true;
}

/** The fields of an entry that the next one is chained to. */
interface Link {
  readonly seq: number;
  readonly mac: string;
}

interface EntryBytes {
  readonly bytes: Buffer;
  readonly last: Link;
  /** Number of events in the lines. */
  readonly count: number;
}

interface ChainOptions {
  readonly mac: Mac;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Stops after the event that reaches this many bytes. */
  readonly atMost: number;
}

/** A UTF-16 unit takes at most three bytes of UTF-8. */
const widest = 3;
const expected = 1024;

/** Returns lines for events, each chained to the one before. */
function entryBytes(events: readonly JournalEvent[], after: Link, { mac, time, atMost }: ChainOptions): EntryBytes {
  let bytes = Buffer.allocUnsafe(Math.min(atMost, events.length * expected));
  let { seq, mac: prev } = after;
  let at = 0;
  let count = 0;
  for (const event of events) {
    if (at >= atMost) break;
    const text = escapeJson(JSON.stringify({ v: currentVersion, seq: seq + 1, time, ...event, prev }));
    const needed = at + text.length * widest + expected;
    if (needed > bytes.length) bytes = Buffer.concat([bytes.subarray(0, at)], 2 * needed);
    const end = at + bytes.write(text, at) - 1;
    prev = mac(bytes, at, end);
    at = end + bytes.write(`,"mac":"${prev}"}\n`, end, 'latin1');
    seq += 1;
    count += 1;
  }
  return { bytes: bytes.subarray(0, at), last: { seq, mac: prev }, count };
}
