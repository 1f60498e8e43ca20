import { channel } from 'node:diagnostics_channel';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Moment, thisMoment } from './head.ts';
import type { JournalEvent } from './events.ts';
import { journalFailed } from './failure.ts';
import { withLock } from './lock.ts';
import { OpenJournal, type JournalOptions } from './open-journal.ts';

export interface AppendOptions extends JournalOptions {
  readonly clock?: () => Moment;
}

/**
 * Appends events to the journal file. Each is chained to the one before with the key beside the file. Several processes
 * may append at once. Refusals, answers of people and alarms are on the disk on return, with all entries before them.
 * Other events survive the end of this process, but not a power failure.
 *
 * A partial last line, left by a crash, is removed, and an event reports that. Another event reports a clock that was
 * set. Throws `HF_DISK_FULL` and `HF_STATE_UNWRITABLE`. Throws `HF_JOURNAL_FAILED` if an event cannot be kept, or the
 * end of the journal is not the last write: a lost event is an error. If the events exceed 4 MB, some may already be
 * written then.
 */
export function appendEvents(
  file: string,
  events: readonly JournalEvent[],
  { clock = thisMoment, ...options }: AppendOptions = {},
): void {
  if (events.length === 0) return;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    withLock(`${file}.lock`, () => {
      const journal = new OpenJournal(file, { now: clock(), count: events.length });
      try {
        journal.write(events, options);
      } finally {
        journal.close();
      }
    });
  } catch (cause) {
    throw journalFailed(file, cause);
  }
  announce(file, events);
}

/** Events that a journal took from this process. */
interface KeptEvents {
  /** Path of the journal. */
  readonly file: string;
  readonly events: readonly JournalEvent[];
}

const kept = channel('holdfast:journal');

/** Tells the listeners of this process which events were kept, in order, and before `appendEvents` returns. */
function announce(file: string, events: readonly JournalEvent[]): void {
  if (kept.hasSubscribers) kept.publish({ file, events } satisfies KeptEvents);
}

/**
 * Calls the listener for events that this process appends to a journal, until the returned function is called. The
 * listener must not throw.
 */
export function listenToJournal(file: string, listener: (events: readonly JournalEvent[]) => void): () => void {
  const listen = (message: unknown): void => {
    const told = message as KeptEvents;
    if (told.file === file) listener(told.events);
  };
  kept.subscribe(listen);
  return () => kept.unsubscribe(listen);
}
