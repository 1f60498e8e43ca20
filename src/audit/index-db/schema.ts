import type { DatabaseSync } from 'node:sqlite';
import { normalisePath } from '../../policy/normalise/path.ts';

/**
 * `HFAJ` in ASCII, which tells an index from any other database. See
 * https://sqlite.org/pragma.html#pragma_application_id
 */
const applicationId = 0x48_46_41_4a;
/** Raise the number with every change of a table or of `indexedFacts`. An index of another number is built again. */
const version = 1;

/**
 * `events` is narrow and has no indexes. A scan of a million rows takes 50 ms, and an index would help only some
 * queries. `names` holds each frequent text once. A row has one host and one path; `more` holds the others.
 */
const tables = `
  CREATE TABLE names(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, text TEXT NOT NULL, UNIQUE(kind, text));
  CREATE TABLE events(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, type INTEGER, session INTEGER, decision INTEGER, host INTEGER, path INTEGER,
    part INTEGER NOT NULL, offset INTEGER NOT NULL, size INTEGER NOT NULL, seq INTEGER NOT NULL);
  CREATE TABLE more(name INTEGER, event INTEGER, PRIMARY KEY(name, event)) WITHOUT ROWID;
  CREATE TABLE progress(id INTEGER PRIMARY KEY CHECK (id = 1), part INTEGER NOT NULL, offset INTEGER NOT NULL, line INTEGER NOT NULL,
    next_part INTEGER NOT NULL, next_offset INTEGER NOT NULL, next_line INTEGER NOT NULL, mac TEXT NOT NULL, skipped INTEGER NOT NULL);
`;

/** The words of each entry without the entry: https://sqlite.org/fts5.html#contentless_tables */
const words = "CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, tokenize='ascii')";

/** Kinds of texts in `names`. The numbers are stored: only append. */
export const nameKinds = { type: 1, session: 2, decision: 3, host: 4, path: 5 } as const;
export type NameKind = keyof typeof nameKinds;

export function createTables(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  // Another process may have made the tables while this one waited for the lock.
  if (pragma(database, 'user_version') === 0) {
    database.exec(tables);
    if (hasFullText(database)) database.exec(words);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version}`);
  }
  database.exec('COMMIT');
}

export type SchemaState = 'current' | 'empty' | 'foreign';

/** In one transaction, because another process may make the tables between two queries. */
export function schemaState(database: DatabaseSync): SchemaState {
  database.exec('BEGIN');
  try {
    return stateNow(database);
  } finally {
    database.exec('COMMIT');
  }
}

function stateNow(database: DatabaseSync): SchemaState {
  const [application, user] = [pragma(database, 'application_id'), pragma(database, 'user_version')];
  if (application === 0 && user === 0)
    return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined ? 'empty' : 'foreign';
  return application === applicationId && user === version ? 'current' : 'foreign';
}

/** Node can be built with a SQLite that has no FTS5. Words are then searched in the entries themselves. */
export function hasWords(database: DatabaseSync): boolean {
  return (
    database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'words'").get() !== undefined && hasFullText(database)
  );
}

function hasFullText(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").get() !== undefined;
}

function pragma(database: DatabaseSync, name: 'application_id' | 'user_version'): unknown {
  return database.prepare(`PRAGMA ${name}`).get()?.[name];
}

/** Numbers texts within one transaction. Null for an empty text, and for a text that cannot be a path. */
export function nameNumbers(database: DatabaseSync): (kind: NameKind, text: string) => number | null {
  const known = new Map<string, number>();
  const find = database.prepare('SELECT id FROM names WHERE kind = ? AND text = ?');
  const insert = database.prepare('INSERT INTO names(kind, text) VALUES(?, ?)');
  return (kind, text) => {
    const stored = storedName(kind, text);
    if (stored === undefined) return null;
    const key = `${nameKinds[kind]}${stored}`;
    const id =
      known.get(key) ??
      (find.get(nameKinds[kind], stored)?.['id'] as number | undefined) ??
      Number(insert.run(nameKinds[kind], stored).lastInsertRowid);
    known.set(key, id);
    return id;
  };
}

/** Returns the stored form of a text. A host is stored backwards, so that names below a domain are adjacent. */
function storedName(kind: NameKind, text: string): string | undefined {
  if (text === '') return undefined;
  if (kind === 'host') return backwards(text);
  return kind === 'path' ? normalisePath(text) : text.toWellFormed();
}

export function backwards(text: string): string {
  return [...text.toWellFormed()].toReversed().join('');
}
