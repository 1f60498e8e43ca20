/**
 * The audit room: events, the hash-chained journal that keeps them, and its verification.
 *
 * Other rooms pass in events, and do not know the file's format. Events never carry secrets: they have names, paths,
 * rules and outcomes, but no contents.
 */
export { appendEvents, type AppendOptions, listenToJournal } from './journal.ts';
export { type JournalWriter, journalWriter } from './writer.ts';
export {
  readEvents,
  journalEntries,
  type EntriesOptions,
  type JournalEntry,
  type JournalPosition,
  type LocatedEntry,
} from './entries.ts';
export { followJournal, type FollowOptions } from './follow.ts';
export type {
  AlarmEvent,
  TrustDecidedEvent,
  CredentialEvent,
  DlpEvent,
  JournalEvent,
  JournalOwnEvent,
  ModelEvent,
  RefusalEvent,
  SessionEndEvent,
  SessionStartEvent,
} from './events.ts';
export { type JournalRepair, repairJournal } from './repair.ts';
export { verifyJournal, type JournalProblem, type JournalReport } from './verify.ts';
export type { Technique, TechniqueId } from './techniques/techniques-of.ts';
