import { escapeJson } from '../text/escape-json.ts';
import { currentVersion } from './chain.ts';
import type { JournalEvent } from './events.ts';
import type { Mac } from './mac.ts';

/** The fields of an entry that the next one is chained to. */
export interface Link {
  readonly seq: number;
  readonly mac: string;
}

export interface EntryBytes {
  readonly bytes: Buffer;
  readonly last: Link;
  /** Number of events in the lines. */
  readonly count: number;
}

export interface ChainOptions {
  readonly mac: Mac;
  /** ISO 8601, UTC. */
  readonly time: string;
  /** Stops after the event that reaches so many bytes. */
  readonly atMost: number;
}

/** A UTF-16 unit takes at most three bytes of UTF-8. */
const widest = 3;
const expected = 1024;

/** Returns lines for events, each chained to the one before. */
export function entryBytes(
  events: readonly JournalEvent[],
  after: Link,
  { mac, time, atMost }: ChainOptions,
): EntryBytes {
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
