import { statSync } from 'node:fs';
import { journalEntries, type JournalPosition } from '../../audit/index.ts';
import { newestEntries } from '../../audit/newest-entries.ts';
import type { CallRecord } from '../index.ts';
import { callEntries, isCall, recordOf } from './call-records.ts';

/** Calls of other sessions, each once. */
export interface CallsOfOthers {
  /** What the journal held to begin with. */
  readonly spent: readonly CallRecord[];
  /** What came since this was asked last. A journal that has not grown costs a look at its size. */
  more(): readonly CallRecord[];
}

export interface CallsOptions {
  /** The session whose calls are left out. */
  readonly session: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Calls of models that other sessions note in the journal, also while this one goes on. */
export function callsOfOthers(journal: string, { session, since }: CallsOptions): CallsOfOthers {
  let next = lastEntry(journal);
  const entries = callEntries(journal, since);
  // What was written between those two lines is seen twice.
  const known = entries.at(-1)?.seq ?? 0;
  let stamp: string | undefined;

  function* read(): Generator<CallRecord, void, undefined> {
    for (const { entry, next: after } of journalEntries(journal, next === undefined ? {} : { from: next })) {
      next = after;
      if (isCall(entry) && entry.seq > known && entry.session !== session) yield recordOf(entry);
    }
  }

  return {
    spent: entries.filter((entry) => entry.session !== session).map(recordOf),
    more() {
      const now = stampOf(journal);
      if (now === stamp) return [];
      stamp = now;
      return [...read()];
    },
  };
}

/** Where the newest entry begins: the end of the file may be the middle of one. */
function lastEntry(journal: string): JournalPosition | undefined {
  const [newest] = newestEntries(journal, { count: 1 });
  return newest === undefined ? undefined : { part: newest.part, offset: newest.offset, line: 1 };
}

/** Another one where the file has grown, or was rotated away. */
function stampOf(journal: string): string {
  const { ino = 0, size = 0 } = statSync(journal, { throwIfNoEntry: false }) ?? {};
  return `${ino} ${size}`;
}
