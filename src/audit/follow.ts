import { watch } from 'node:fs';
import { dirname } from 'node:path';
import { journalEntries, type JournalPosition, type LocatedEntry } from './entries.ts';

export interface FollowOptions {
  /** `next` of an entry read before. Default: the beginning. */
  readonly from?: JournalPosition;
  readonly signal: AbortSignal;
}

/** Milliseconds that a change may stay unnoticed if the file system does not report it. */
const patience = 1000;

/** Yields the entries of a journal, then new ones, until the signal is aborted. The state directory must exist. */
export async function* followJournal(
  file: string,
  { from, signal }: FollowOptions,
): AsyncGenerator<LocatedEntry, void, undefined> {
  const changes = watchChanges(dirname(file), signal);
  let next = from;
  while (!signal.aborted) {
    const changed = changes.next();
    for (const found of journalEntries(file, next === undefined ? {} : { from: next })) {
      yield found;
      next = found.next;
    }
    await changed;
  }
}

interface Changes {
  /** Resolves with the next change, after the patience, or with the signal. */
  readonly next: () => Promise<void>;
}

function watchChanges(directory: string, signal: AbortSignal): Changes {
  let wake = (): void => undefined;
  const watcher = watch(directory, { signal, persistent: false }, () => wake());
  watcher.on('error', () => undefined);
  return {
    next: () =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, patience);
        signal.addEventListener('abort', done);
        wake = done;
      }),
  };
}
