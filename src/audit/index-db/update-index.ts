import type { DatabaseSync } from 'node:sqlite';
import { journalEntries, type JournalPosition, type LocatedEntry } from '../entries.ts';
import { indexedFacts, type RawEntry } from './facts.ts';
import { isSameFile, type OpenIndex, UnusableIndex } from './index-file.ts';
import { nameNumbers } from './schema.ts';

export interface UpdateOptions {
  /** Called with the number of entries after every full batch. */
  readonly onBatch?: (entries: number) => void;
}

/** Entries that become durable together, and that are lost if the process is killed. */
const batchSize = 50_000;

/** Updates the index to the end of the journal. Throws `UnusableIndex` if the index was made of another journal. */
export function updateIndex(index: OpenIndex, journal: string, { onBatch }: UpdateOptions = {}): Progress {
  for (let added = batchSize, total = 0; ; ) {
    ({ added } = inTransaction(index, () => addBatch(index, journal)));
    total += added;
    if (added < batchSize) return readProgress(index.database);
    onBatch?.(total);
  }
}

/** Another process may update at the same time, so each batch begins where the last batch of any process ended. */
function inTransaction<T>({ database, file, identity }: OpenIndex, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    // The new file with this name has a rollback journal of the same name, which a commit to the old file would remove.
    if (!isSameFile(file, identity)) throw new UnusableIndex('was moved aside meanwhile');
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function addBatch({ database, fullText }: OpenIndex, journal: string): { readonly added: number } {
  let progress = readProgress(database);
  checkTip(journal, progress);
  const add = adderFor(database, fullText);
  let added = 0;
  for (const located of journalEntries(journal, { from: progress.next })) {
    add(located);
    progress = progressAfter(progress, located);
    added += 1;
    if (added === batchSize) break;
  }
  if (added > 0) writeProgress(database, progress);
  return { added };
}

/**
 * The last indexed entry must still be at its position. Otherwise the journal was replaced, truncated, or moved away
 * and begun again.
 */
function checkTip(journal: string, { last, next, mac }: Progress): void {
  if (last === undefined) return;
  const [found] = journalEntries(journal, { from: last });
  if (found?.entry.mac !== mac || found.next.part !== next.part || found.next.offset !== next.offset)
    throw new UnusableIndex('was made of another journal');
}

function progressAfter({ next, skipped }: Progress, located: LocatedEntry): Progress {
  const { part, offset, line, entry } = located;
  const missed = part === next.part ? line - next.line : line - 1;
  return { last: { part, offset, line }, next: located.next, mac: entry.mac, skipped: skipped + missed };
}

function adderFor(database: DatabaseSync, fullText: OpenIndex['fullText']): (located: LocatedEntry) => void {
  const insert = database.prepare(
    'INSERT INTO events(time, type, session, decision, host, path, part, offset, size, seq) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertMore = database.prepare('INSERT OR IGNORE INTO more(name, event) VALUES(?, ?)');
  const insertWords = fullText === 'fts5' ? database.prepare('INSERT INTO words(rowid, text) VALUES(?, ?)') : undefined;
  const idOf = nameNumbers(database);
  return ({ entry, part, offset, next }) => {
    const facts = indexedFacts(entry as unknown as RawEntry);
    const [host, ...hosts] = facts.hosts.map((text) => idOf('host', text));
    const [path, ...paths] = facts.paths.map((text) => idOf('path', text));
    const place = placeOf(entry.seq, { part, offset }, next);
    const { lastInsertRowid } = insert.run(
      facts.time,
      idOf('type', facts.type),
      idOf('session', facts.session),
      idOf('decision', facts.decision),
      host ?? null,
      path ?? null,
      ...place,
    );
    for (const name of [...hosts, ...paths]) insertMore.run(name, lastInsertRowid);
    insertWords?.run(lastInsertRowid, facts.text);
  };
}

function placeOf(
  seq: unknown,
  { part, offset }: Pick<JournalPosition, 'part' | 'offset'>,
  next: JournalPosition,
): [number, number, number, number] {
  return [part, offset, next.offset - offset, Number.isSafeInteger(seq) ? (seq as number) : 0];
}

/** Progress of the index. */
interface Progress {
  /** Position of the last indexed entry. Undefined for an empty index. */
  readonly last?: JournalPosition;
  readonly next: JournalPosition;
  /** MAC of that entry. Empty for an empty index. */
  readonly mac: string;
  /** Number of invalid lines up to there. */
  readonly skipped: number;
}

const beginning: Progress = { next: { part: 1, offset: 0, line: 1 }, mac: '', skipped: 0 };

function readProgress(database: DatabaseSync): Progress {
  const row = database.prepare('SELECT * FROM progress').get() as Readonly<Record<string, number>> | undefined;
  if (row === undefined) return beginning;
  const { part = 0, offset = 0, line = 0, next_part = 0, next_offset = 0, next_line = 0, skipped = 0 } = row;
  return {
    last: { part, offset, line },
    next: { part: next_part, offset: next_offset, line: next_line },
    mac: String(row['mac']),
    skipped,
  };
}

function writeProgress(database: DatabaseSync, { last, next, mac, skipped }: Progress): void {
  const { part, offset, line } = last ?? next;
  database
    .prepare(
      'INSERT OR REPLACE INTO progress(id, part, offset, line, next_part, next_offset, next_line, mac, skipped) VALUES(1, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    .run(part, offset, line, next.part, next.offset, next.line, mac, skipped);
}
