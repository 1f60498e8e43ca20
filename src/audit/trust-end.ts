import { basename } from 'node:path';
import { clockJump, type Moment } from './clock.ts';
import { unusable } from './failure.ts';
import { createHead, type Head, headPath, readHead } from './head.ts';
import { keyName, keyPath, makeKey, readKey } from './key.ts';
import { type Mac, macFor } from './mac.ts';
import type { JournalOwnEvent } from './events.ts';
import type { Tip } from './tip.ts';

/** The end of a journal that may be written on, with what has to be said there first. */
export interface TrustedEnd {
  readonly mac: Mac;
  readonly head: Head;
  readonly notes: readonly JournalOwnEvent[];
}

export interface EndOptions {
  readonly now: Moment;
  /** How many events will be written, about. */
  readonly count: number;
}

/**
 * Compares the last entry with what is kept beside the journal; makes the key first, where there is none. Throws
 * `HF_JOURNAL_FAILED` when they do not fit: going on would hide it. The caller holds the lock.
 */
export function trustEnd(file: string, tip: Tip, { now, count }: EndOptions): TrustedEnd {
  const key = readKey(file, 'rely');
  const keyed = (used: Buffer): readonly JournalOwnEvent[] =>
    tip.v === 1 ? [{ type: 'journal.keyed', key: keyName(used) }] : [];
  if (key === undefined) {
    const begun = beginKey(file, tip, now);
    return { mac: macFor(begun.key, count), head: begun.head, notes: keyed(begun.key) };
  }
  const mac = macFor(key, count);
  const head = readHead(file, mac, 'rely');
  if (head === undefined)
    throw unusable(
      headPath(file),
      `it is gone, so nobody can tell whether the end of ${basename(file)} is still there`,
    );
  return { mac, head, notes: [...keyed(key), ...lostNotes(file, tip, { mac, head, now }), ...clockNotes(head, now)] };
}

/** The head comes first: whoever finds a key without one knows that it was removed. */
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
    // Whoever wrote them died before the head was written.
    if (!tip.isAuthentic(mac)) throw unusable(file, 'its last entries were not written with its key');
    return [];
  }
  if (!mayBeLost(head, tip.seq, now) || !tip.isAuthentic(mac))
    throw unusable(file, `entries ${tip.seq + 1} to ${head.seq} are gone from its end`);
  return [{ type: 'journal.lost', entries: head.seq - tip.seq }];
}

/**
 * True when a machine that lost its power can have lost what stands behind an entry: it has started anew since, and
 * none of that was awaited.
 */
export function mayBeLost(head: Head, seq: number, now: Moment): boolean {
  return head.boot !== now.boot && seq >= head.synced;
}

function clockNotes(head: Head, now: Moment): readonly JournalOwnEvent[] {
  const jump = clockJump(head, now);
  return jump === 0 ? [] : [{ type: 'journal.clock', jump }];
}
