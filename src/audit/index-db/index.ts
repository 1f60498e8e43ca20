/**
 * The index of the journal: a SQLite database that answers by session, time, type, decision, path, host and words. It can be
 * removed at any time, because it is built from the journal alone, and it cannot make up an entry: what it finds is read there.
 *
 * Not part of the room's index: whoever only writes events must not load SQLite. Nothing that decides may ask here.
 */
export { factsOf, type RawEntry } from './facts.ts';
export { type EventFilter, type HostQuery, matchesFilter } from './filter.ts';
export { indexPath } from './index-file.ts';
export { parsePathQuery } from './path-query.ts';
export { parsePhrases, type Phrase } from './phrases.ts';
export { queryJournal, type QueryResult } from './query-journal.ts';
