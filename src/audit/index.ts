/**
 * The audit room: events, the hash-chained journal that keeps them, and its verification.
 *
 * Whoever has something to record hands over an event; nobody outside this room knows the file's format. Secrets may not
 * enter: events carry names, paths, rules and outcomes, never contents.
 */
export { appendEvents, openJournal } from './journal.ts';
export { readEvents, type JournalEntry } from './read.ts';
export type { JournalEvent, RefusalEvent, SessionEndEvent, SessionStartEvent, QuarantineEvent, JournalRepairedEvent } from './events.ts';
export { verifyJournal, type JournalProblem, type JournalReport } from './verify.ts';
