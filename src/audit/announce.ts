import { channel } from 'node:diagnostics_channel';
import type { JournalEvent } from './events.ts';

/** Events that a journal of this process has taken. */
interface KeptEvents {
  /** Of the journal. */
  readonly file: string;
  readonly events: readonly JournalEvent[];
}

const kept = channel('holdfast:journal');

/** Tells whoever listens in this process what was kept, in order and before the one that appended it goes on. */
export function announce(file: string, events: readonly JournalEvent[]): void {
  if (kept.hasSubscribers) kept.publish({ file, events } satisfies KeptEvents);
}

/** Calls back for what this process appends to a journal, until the function that it returns is called. The listener may not throw. */
export function listenToJournal(file: string, listener: (events: readonly JournalEvent[]) => void): () => void {
  const listen = (message: unknown): void => {
    const told = message as KeptEvents;
    if (told.file === file) listener(told.events);
  };
  kept.subscribe(listen);
  return () => kept.unsubscribe(listen);
}
