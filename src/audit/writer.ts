import type { JournalEvent } from './events.ts';
import { appendEvents, type AppendOptions } from './journal.ts';

/** Appends for many callers at once. */
export interface JournalWriter {
  /** Resolves once the events are kept as by `appendEvents`. Rejects with its errors. */
  readonly append: (events: readonly JournalEvent[]) => Promise<void>;
}

interface Waiting {
  readonly events: readonly JournalEvent[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a writer for a program with many concurrent callers. Events of one turn of the event loop share one disk
 * sync, in the order of the calls. A single caller gains nothing.
 */
export function journalWriter(file: string, options: AppendOptions = {}): JournalWriter {
  let waiting: Waiting[] = [];
  const flush = (): void => {
    const group = waiting;
    waiting = [];
    try {
      appendEvents(
        file,
        group.flatMap(({ events }) => events),
        options,
      );
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const { resolve } of group) resolve();
  };
  return {
    append: (events) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ events, resolve, reject });
      }),
  };
}
